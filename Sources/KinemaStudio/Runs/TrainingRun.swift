import Foundation
import KinemaAction
import KinemaTraining
import KinemaVideo
import KinemaVision
import Synchronization

/// The work of a run's turn: extraction, training, evaluation.
struct TrainingRun: Sendable {
  let project: Project
  let folder: RunFolder
  let monitor: RunMonitor
  let configuration: RunCenter.Configuration
  let rates: WorkRates

  /// Works until the run is done, stopped or failed; throws `CancellationError` where its turn ends
  /// before.
  func work() async throws {
    do {
      try await train()
    } catch {
      try Task.checkCancellation()
      if error is CancellationError { throw error }
      end(.failed, text: StudioError.text(of: error))
    }
  }

  private func train() async throws {
    let record = monitor.now.record
    guard !record.isEnding || folder.hasCheckpoint else {
      return end(.stopped, text: .stoppedEarly)
    }
    try enter(.extracting)
    let (data, parameters, transfer) = try await prepare(record)
    try enter(.training)
    guard let model = try await model(data, parameters, transfer, isEnding: record.isEnding) else {
      return end(.stopped, text: .stoppedEarly)
    }
    try enter(.evaluating)
    try await evaluate(model, data)
    end(record.isEnding ? .stopped : .done)
  }

  /// The model of the best epoch so far of a run without a turn; `nil` before the first.
  func bestModel() async throws -> TrainedActionClassifier? {
    guard folder.hasCheckpoint else { return nil }
    let (data, parameters, transfer) = try await prepare(monitor.now.record)
    return try await model(data, parameters, transfer, isEnding: true)
  }

  private func prepare(
    _ record: RunRecord
  ) async throws -> (TrainingData, ActionClassifierParameters, TransferLearning?) {
    var parameters = try record.parameters.training()
    let transfer = try await transfer(record.parameters)
    var validation = parameters.validation.map { ValidationData.split(strategy: $0) } ?? .none
    if let source = try source(.validation) {
      (validation, parameters.validation) = (.dataSource(source), nil)
    }
    return (try await extract(validation, parameters, transfer), parameters, transfer)
  }

  // MARK: - States

  private func enter(_ state: RunRecord.State) throws {
    try folder.write(
      monitor.update { value in
        value.progress = RunProgress()
        value.record.state = state
        value.record.report(nil)
      })
  }

  /// The last state of the turn, which ``RunCenter`` writes.
  private func end(_ state: RunRecord.State, text: StudioMessage? = nil) {
    monitor.update { value in
      value.record.state = state
      value.record.report(text)
      value.record.isEnding = false
      value.progress = RunProgress(fraction: 1)
      value.session = nil
    }
  }

  // MARK: - Data

  private func transfer(_ parameters: ProjectParameters) async throws -> TransferLearning? {
    guard let name = parameters.from else { return nil }
    let base = try await configuration.model(name)
    return try parameters.transfer { _ in base }
  }

  /// The items of a well as the run uses them; `nil` where there are none.
  private func source(_ well: Well) throws -> ActionClassifierDataSource? {
    guard try !folder.items(in: well).isEmpty else { return nil }
    return .directoryWithVideosAndAnnotation(
      at: project.folder.sources, annotationFile: folder.table(well))
  }

  private func extract(
    _ validation: ValidationData, _ parameters: ActionClassifierParameters,
    _ transfer: TransferLearning?
  ) async throws -> TrainingData {
    guard let training = try source(.training) else {
      throw StudioError(.nothingToTrain)
    }
    var extraction = project.extraction
    extraction.jobCount = max(1, configuration.threadCount())
    extraction.isInBackground = true
    let start = ContinuousClock.now
    let frames = Mutex(0)
    let data = try await TrainingData.prepare(
      training: training, validation: validation, test: try source(.testing),
      windowSize: parameters.predictionWindowSize, frameRate: parameters.targetFrameRate,
      seed: parameters.seed, transferring: transfer,
      extractor: FeatureExtractor(configuration: extraction)
    ) { [monitor] progress in
      guard progress.phase == .extracting else { return }
      frames.withLock { $0 = progress.frameCount }
      monitor.update {
        $0.progress = RunProgress(
          fraction: progress.fractionCompleted, secondsLeft: progress.secondsRemaining)
      }
    }
    rates.noteExtraction(
      frames: frames.withLock { $0 }, seconds: (ContinuousClock.now - start) / .seconds(1))
    monitor.update { $0.record.findings = Finding.list(data.report.findings) }
    try data.report.findings.throwFirstError()
    return data
  }

  // MARK: - Training

  /// The model of the training, to its end; with `isEnding` of its best epoch so far, if any.
  private func model(
    _ data: TrainingData, _ parameters: ActionClassifierParameters, _ transfer: TransferLearning?,
    isEnding: Bool
  ) async throws -> TrainedActionClassifier? {
    while true {
      let threadCount = max(1, configuration.threadCount())
      let session = try await Background.run { [folder, configuration] _ in
        var options = ActionClassifierTrainingSession.Options()
        options.threadCount = threadCount
        options.isInBackground = true
        options.checkpointInterval = configuration.checkpointInterval
        try ActionClassifierTrainingSession.setIterationCount(
          parameters.maximumIterations, folder: folder.session)
        return try ActionClassifierTrainingSession(
          training: data.split.training, validation: data.split.validation, parameters: parameters,
          transferring: transfer, folder: folder.session, options: options)
      }
      monitor.update { value in
        value.session = session
        value.record.classes = session.labels
        value.record.history = session.history
        value.record.best = session.bestIteration
      }
      if isEnding { return try await Background.run { _ in try session.bestModel() } }
      let begin = (iteration: session.iteration, time: ContinuousClock.now)
      let model = try await session.run { [monitor, configuration] progress in
        monitor.update { $0.note(progress) }
        // Live sessions have begun or ended.
        if max(1, configuration.threadCount()) != threadCount { session.pause() }
      }
      if let model {
        let windows =
          Double(model.history.count - begin.iteration) * Double(session.trainingWindowCount)
        rates.noteTraining(
          windows: windows * session.wholeLength,
          seconds: (ContinuousClock.now - begin.time) / .seconds(1),
          monitor.now.record.parameters)
        return model
      }
      try Task.checkCancellation()
    }
  }

  // MARK: - Evaluation

  /// Evaluates a snapshot, by its iteration, on the sets of the run and writes the reports.
  func evaluate(snapshot iteration: Int, progress: @escaping @Sendable (Double) -> Void)
    async throws
  {
    let model = try folder.model(of: iteration).url
    let classifier = try await Background.run { _ in try ActionClassifier(contentsOf: model) }
    let (data, _, _) = try await prepare(monitor.now.record)
    _ = try await reports(on: data, by: classifier, snapshot: iteration, progress: progress)
  }

  private func evaluate(_ model: TrainedActionClassifier, _ data: TrainingData) async throws {
    let classifier = try model.classifier()
    try Project.storing(.model) { try model.write(to: folder.model) }
    let (summary, unevaluated) = try await reports(on: data, by: classifier, snapshot: nil) {
      [monitor] fraction in
      monitor.update { $0.progress = RunProgress(fraction: fraction) }
    }
    let notes = Self.notes(about: model, isComplete: !monitor.now.record.isEnding) + unevaluated
    monitor.update { value in
      value.record.history = model.history
      value.record.best = model.bestIteration
      value.record.summary = summary
      value.record.note(notes)
      value.record.leaveOneOut = model.leaveOneOut.map(RunRecord.LeftOut.init)
    }
  }

  /// Evaluates a model on each set that has examples and writes the reports; gives the accuracies,
  /// and which sets could not be evaluated.
  private func reports(
    on data: TrainingData, by classifier: ActionClassifier, snapshot: Int?,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> (summary: RunRecord.Summary, unevaluated: [RunNote]) {
    let sets = [
      (Well.training, data.split.training), (.validation, data.split.validation),
      (.testing, data.split.test),
    ]
    let items = try Well.allCases.flatMap { try folder.items(in: $0) }
    var summary = RunRecord.Summary()
    var unevaluated: [RunNote] = []
    for (number, (well, examples)) in sets.enumerated() {
      let file = folder.evaluation(well, of: snapshot)
      try Project.storing(.run) { try Project.remove(file) }
      guard !examples.isEmpty else { continue }
      do {
        let evaluation = try await Background.run { check in
          try ActionClassifierEvaluation(classifier: classifier, examples: examples) { done in
            try check()
            let share = Double(done) / Double(examples.count)
            progress((Double(number) + share) / Double(sets.count))
          }
        }
        try folder.write(try RunEvaluation(evaluation, items: items).json, to: file)
        summary[well] = evaluation.frames.accuracy
      } catch let error as TrainingError {
        unevaluated.append(
          .notEvaluated(well: well, reason: error.message, text: error.text))
      }
    }
    return (summary, unevaluated)
  }

  private static func notes(about model: TrainedActionClassifier, isComplete: Bool) -> [RunNote] {
    var notes: [RunNote] = []
    if !isComplete, model.leaveOneOut == nil {
      notes.append(.notCalibrated(iteration: model.history.count + 1))
    }
    if let takes = model.leaveOneOut?.takes {
      notes.append(.takesRight(right: takes.correctCount, takes: takes.total))
    } else if model.validationWindowCount == 0 {
      notes.append(.noValidation)
    }
    return notes
  }
}

extension RunMonitor.Value {
  fileprivate mutating func note(_ training: TrainingProgress) {
    progress = RunProgress(
      fraction: training.fractionCompleted, secondsLeft: training.secondsLeft)
    record.best = training.bestIteration
    if training.endsIteration, let metrics = training.metrics,
      metrics.iteration > record.history.last?.iteration ?? 0
    {
      record.history.append(metrics)
    }
  }
}

extension RunRecord.Summary {
  fileprivate subscript(well: Well) -> Double? {
    get {
      switch well {
      case .training: training
      case .validation: validation
      case .testing: testing
      case .leftOut: nil
      }
    }
    set {
      switch well {
      case .training: training = newValue
      case .validation: validation = newValue
      case .testing: testing = newValue
      case .leftOut: break
      }
    }
  }
}

extension RunRecord.LeftOut {
  fileprivate init(_ result: LeaveOneOut) {
    accuracy = result.takes.accuracy
    lower = result.interval?.lowerBound ?? 0
    upper = result.interval?.upperBound ?? 1
    confused = result.confused.map { [$0.first, $0.second] }
  }
}

/// Computation beside the tasks, where other threads leave time.
enum Background {
  private final class Cancellation: Sendable {
    let hasHappened = Atomic(false)

    func check() throws {
      if hasHappened.load(ordering: .acquiring) { throw CancellationError() }
    }
  }

  /// Runs `body` on a thread of its own; `check` throws once the task is cancelled.
  static func run<R: Sendable>(
    _ body: @escaping @Sendable (_ check: () throws -> Void) throws -> R
  ) async throws -> R {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await BlockingThread.run {
        BlockingThread.lowerPriority()
        return try body { try cancellation.check() }
      }
    } onCancel: {
      cancellation.hasHappened.store(true, ordering: .releasing)
    }
  }
}
