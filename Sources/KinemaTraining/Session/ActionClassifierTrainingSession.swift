public import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaNetwork
import KinemaPose
import KinemaVideo
import Synchronization

/// Trains an action classifier, as `MLTrainingSession` and its job in one.
///
/// With a folder, checkpoints are saved; a session for the same folder, data and parameters resumes
/// with a bit-identical result, even after the process was killed.
///
/// ```swift
/// let session = try ActionClassifierTrainingSession(
///   training: examples, parameters: parameters, folder: URL(filePath: "squats.training"))
/// if let model = try await session.run() { try model.write(to: URL(filePath: "squats.mlmodel")) }
/// ```
public final class ActionClassifierTrainingSession: Sendable {
  /// Options that do not change the model.
  public struct Options: Hashable, Sendable {
    /// The time between checkpoints.
    public var checkpointInterval: Duration = .seconds(10)
    /// The number of threads; `nil` for one per processor.
    public var threadCount: Int?
    /// Whether the thread that trains runs only where others leave time.
    package var isInBackground = false

    /// The defaults.
    public init() {}
  }

  /// The parameters.
  public let parameters: ActionClassifierParameters
  /// The labels in the order of the model's outputs, sorted.
  public let labels: [String]
  /// The number of training windows.
  public let trainingWindowCount: Int
  /// The number of validation windows.
  public let validationWindowCount: Int
  /// Largest number of windows in a batch.
  public let batchSize: Int

  let options: Options
  private let transfer: TransferLearning?
  private let synthetic: SyntheticExamples?
  /// The labels of takes whose motions synthetic people show as well.
  private let shown: Set<String>
  /// The examples given, without synthetic ones.
  let takes: TrainingWindows
  private let training: TrainingWindows
  private let validation: TrainingWindows
  private let identity: TrainingCheckpoint.Identity
  private let folder: TrainingSessionFolder?
  private let checkpoint: Mutex<TrainingCheckpoint?>
  private let shouldStop = Atomic(false)
  private let isRunning = Atomic(false)

  /// Prepares a training, or resumes the one in the folder.
  ///
  /// - Parameters:
  ///   - training: Examples with at least two labels.
  ///   - validation: Validation examples; if empty, a part of `training` by
  ///     ``ActionClassifierParameters/validation``.
  ///   - transfer: What the training starts from, and which network it trains; `nil` for random weights
  ///     and that of the parameters.
  ///   - folder: The session folder; `nil` for memory only.
  /// - Throws: ``TrainingError`` for unusable data, parameters out of range, and a folder with
  ///   another training.
  public convenience init(
    training: [ActionExample], validation: [ActionExample] = [],
    parameters: ActionClassifierParameters = ActionClassifierParameters(),
    transferring transfer: TransferLearning? = nil, folder: URL? = nil,
    options: Options = Options()
  ) throws {
    try parameters.check()
    let given = Set(training.map(\.label)).sorted()
    let labels = try transfer?.labels(addedTo: given) ?? given
    guard let joints = training.first?.poses.joints else {
      throw TrainingError(.badData, MessageText("noExamples"))
    }
    guard labels.count >= 2 else {
      throw TrainingError(.badData, MessageText("oneClass", ["label": labels[0]]))
    }
    let split: DataSplit
    if validation.isEmpty, let strategy = parameters.validation {
      split = try DataSplit(training, strategy: strategy, seed: parameters.seed)
    } else {
      split = try DataSplit(training: training, validation: validation)
    }
    try self.init(
      labels: labels,
      training: TrainingWindows(
        split.training, labels: labels, joints: joints, parameters: parameters),
      validation: TrainingWindows(
        split.validation, labels: labels, joints: joints, parameters: parameters),
      parameters: parameters, transferring: transfer, folder: folder, options: options)
  }

  package convenience init(
    labels: [String], training: TrainingWindows, validation: TrainingWindows,
    parameters: ActionClassifierParameters, transferring transfer: TransferLearning? = nil,
    folder: URL? = nil, options: Options = Options()
  ) throws {
    try self.init(
      labels: labels, training: training, validation: validation, parameters: parameters,
      transferring: transfer,
      beside: transfer?.examples(
        labels: labels, joints: training.joints, parameters: parameters),
      folder: folder, options: options)
  }

  /// - Parameter synthetic: The examples of the transfer.
  private init(
    labels: [String], training: TrainingWindows, validation: TrainingWindows,
    parameters: ActionClassifierParameters, transferring transfer: TransferLearning?,
    beside synthetic: SyntheticExamples?, folder: URL?, options: Options
  ) throws {
    var parameters = parameters
    // The layers decide.
    if let transfer { parameters.algorithm = transfer.algorithm }
    try parameters.check()
    self.transfer = transfer
    self.parameters = parameters
    self.options = options
    self.labels = labels
    takes = training
    self.synthetic = synthetic
    let windows = synthetic?.windows(beside: takes)
    self.training = windows?.all ?? takes
    shown = Set((windows?.shown ?? []).map { labels[$0] })
    self.validation = validation
    trainingWindowCount = self.training.windows.count
    validationWindowCount = self.validation.windows.count
    batchSize = parameters.batchSize(forWindowCount: trainingWindowCount)
    try Self.check(self.training, labels: labels, parameters: parameters)
    identity = try Self.identity(
      parameters, labels, self.training, self.validation, transfer)
    self.folder = try folder.map(TrainingSessionFolder.init)
    checkpoint = Mutex(try self.folder?.checkpoint(of: identity))
  }

  /// A training of the same kind on other takes, beside the same synthetic people.
  func training(
    on takes: TrainingWindows, _ parameters: ActionClassifierParameters
  ) throws -> ActionClassifierTrainingSession {
    try ActionClassifierTrainingSession(
      labels: labels, training: takes,
      validation: TrainingWindows(clips: [], joints: takes.joints, parameters: parameters),
      parameters: parameters, transferring: transfer, beside: synthetic, folder: nil,
      options: options)
  }

  // MARK: - State

  /// The number of complete epochs.
  public var iteration: Int { checkpoint.withLock { $0?.state.iteration ?? 0 } }
  /// The metrics of each complete epoch at the last checkpoint.
  package var history: [TrainingMetrics] { checkpoint.withLock { $0?.state.history ?? [] } }
  /// The best epoch at the last checkpoint; `nil` before the first.
  package var bestIteration: Int? { checkpoint.withLock { $0?.state.bestIteration } }
  /// How long the whole takes, in trainings: with a transfer, some takes are left out in turn.
  package var wholeLength: Double {
    // Those trainings are half as long.
    transfer == nil ? 1 : 1 + 0.5 * Double(takeParts.count)
  }
  /// Whether the training was started before.
  public var isResumed: Bool { checkpoint.withLock { $0 != nil } }
  /// Whether the training is complete.
  public var isFinished: Bool { checkpoint.withLock { $0?.state.isFinished ?? false } }

  /// The model of the best epoch at the last checkpoint, also while a training runs; `nil` before
  /// an epoch is complete.
  ///
  /// Takes are not left out for it.
  package func bestModel() throws -> TrainedActionClassifier? {
    guard let saved = checkpoint.withLock({ $0 }), saved.state.bestIteration != nil else {
      return nil
    }
    let trainer = try makeTrainer()
    try finish(trainer, saved.bestNetwork)
    return try model(of: trainer, state: saved.state, leaveOneOut: nil)
  }

  /// Stops a running training after the current step, with a checkpoint; ``run(progress:)`` then
  /// returns `nil` and resumes when called again.
  public func pause() { shouldStop.store(true, ordering: .releasing) }

  var isStopping: Bool { shouldStop.load(ordering: .acquiring) }

  // MARK: - Running

  /// Trains to the end, from the start or the last checkpoint.
  ///
  /// Cancellation saves a checkpoint and throws `CancellationError`.
  ///
  /// - Parameter progress: Called after each step, on another thread.
  /// - Returns: The model; `nil` if paused.
  /// - Throws: ``TrainingError`` if the training or its folder fails.
  public func run(
    progress: @escaping @Sendable (TrainingProgress) -> Void = { _ in }
  ) async throws -> TrainedActionClassifier? {
    guard !isRunning.exchange(true, ordering: .acquiringAndReleasing) else {
      throw TrainingError(.badParameter, "The session is running already.")
    }
    defer { isRunning.store(false, ordering: .releasing) }
    shouldStop.store(false, ordering: .releasing)
    let model = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // The computation blocks, so it has its own thread.
        let thread = Thread { [options] in
          if options.isInBackground { BlockingThread.lowerPriority() }
          continuation.resume(
            with: Result {
              do {
                return try self.trainInFolder(progress)
              } catch let error as NetworkError {
                throw TrainingError(
                  .badParameter,
                  MessageText("trainingFailed", ["reason": error.message]),
                  cause: error)
              }
            })
        }
        thread.stackSize = 8 << 20
        thread.start()
      }
    } onCancel: {
      pause()
    }
    if model == nil { try Task.checkCancellation() }
    return model
  }

  private func trainInFolder(
    _ progress: (TrainingProgress) -> Void
  ) throws -> TrainedActionClassifier? {
    guard let folder else { return try train(progress) }
    return try folder.locked {
      let saved = try folder.checkpoint(of: identity)
      checkpoint.withLock { $0 = saved }
      return try train(progress)
    }
  }

  private func train(
    _ progress: (TrainingProgress) -> Void
  ) throws -> TrainedActionClassifier? {
    guard transfer != nil else {
      guard let (trainer, state) = try fit(progress: progress) else { return nil }
      return try model(of: trainer, state: state, leaveOneOut: nil)
    }
    let rest = wholeLength - 1
    guard let (trainer, state) = try fit(before: rest, progress: progress) else { return nil }
    let start = ContinuousClock.now
    let leaveOneOut = try self.leaveOneOut { done in
      let elapsed = (ContinuousClock.now - start) / .seconds(1)
      progress(
        TrainingProgress(
          iteration: state.iteration, iterationCount: parameters.maximumIterations,
          fractionCompleted: (1 + rest * done) / (1 + rest),
          secondsLeft: done > 0 ? elapsed * (1 - done) / done : nil,
          metrics: state.history.last, bestIteration: state.bestIteration, endsIteration: false))
    }
    guard !isStopping else { return nil }
    return try model(of: trainer, state: state, leaveOneOut: leaveOneOut)
  }

  private func model(
    of trainer: NetworkTrainer, state: TrainingState, leaveOneOut: LeaveOneOut?
  ) throws -> TrainedActionClassifier {
    let temperature = try temperature(of: trainer)
    return TrainedActionClassifier(
      graph: try trainer.graph(
        temperature: Float(temperature?.value ?? leaveOneOut?.temperature ?? 1)
      ).namedAsCreateML,
      temperature: temperature, leaveOneOut: leaveOneOut, labels: labels, parameters: parameters,
      history: state.history, bestIteration: state.bestIteration ?? 0,
      trainingWindowCount: trainingWindowCount, validationWindowCount: validationWindowCount)
  }

  /// Trains to the end; `nil` if paused.
  ///
  /// - Parameter rest: What follows it, in trainings of this length, for the progress.
  func fit(
    before rest: Double = 0, progress: (TrainingProgress) -> Void
  ) throws -> (NetworkTrainer, TrainingState)? {
    let saved = checkpoint.withLock { $0 }
    let trainer = try makeTrainer()
    if let saved { try restore(trainer, saved.network) }
    let begin = saved?.state ?? TrainingState()
    try folder?.rewriteLog(begin.history)
    var loop = TrainingLoop(
      parameters: parameters,
      batches: BatchPreparation(
        training, batchSize: batchSize, augmenter: augmenter, seed: parameters.seed),
      validation: validation.batch, trainer: trainer, state: begin,
      bestNetwork: saved?.bestNetwork ?? [])
    var lastCheckpoint = ContinuousClock.now
    let start = (time: ContinuousClock.now, fraction: fraction(loop))
    let ending = try loop.run(
      shouldStop: { isStopping },
      checkpointIsDue: {
        folder != nil && ContinuousClock.now - lastCheckpoint >= options.checkpointInterval
      },
      saveCheckpoint: { loop in
        try save(loop)
        lastCheckpoint = .now
      },
      log: { try folder?.appendToLog($0) },
      report: { loop, endsIteration in
        progress(self.progress(loop, since: start, rest: rest, endsIteration: endsIteration))
      })
    guard ending == .finished else { return nil }
    try finish(trainer, loop.bestNetwork)
    return (trainer, loop.state)
  }

  private func save(_ loop: TrainingLoop) throws {
    let made = TrainingCheckpoint(
      identity: identity, state: loop.state, network: loop.trainer.state(),
      bestNetwork: loop.bestNetwork)
    if let folder { try made.write(to: folder.checkpointURL) }
    checkpoint.withLock { $0 = made }
  }

  private func makeTrainer() throws -> NetworkTrainer {
    let specification = TrainableNetworkSpecification(
      architecture: parameters.algorithm.architecture,
      windowSize: parameters.predictionWindowSize, pointCount: training.joints.count,
      classCount: labels.count, graph: .createML)
    let threadCount = options.threadCount ?? ProcessInfo.processInfo.activeProcessorCount
    let isFast = parameters.precision == .fast && NetworkTrainingOptions.isBFloat16Available
    var options = NetworkTrainingOptions(
      batchSize: batchSize, seed: parameters.seed, precision: isFast ? .bfloat16 : .float32,
      threadCount: max(1, threadCount))
    options.optimizer.weightDecay = Float(parameters.weightDecay)
    options.labelSmoothing = Float(parameters.labelSmoothing)
    options.dropout = Float(parameters.dropout)
    options.bodyFactor = transfer?.bodyFactor ?? 1
    do {
      let trainer = try NetworkTrainer(specification, options: options)
      if let transfer {
        try trainer.adopt(transfer.layers.model.graph, classes: transfer.classes(labels))
      }
      return trainer
    } catch {
      throw TrainingError(
        .badParameter,
        MessageText(
          "badNetwork", ["reason": "\(error)", "algorithm": parameters.algorithm.rawValue]),
        cause: error)
    }
  }

  /// Restores the best network, with the odds of the transfer.
  private func finish(_ trainer: NetworkTrainer, _ best: [UInt8]) throws {
    try restore(trainer, best)
    if let transfer { trainer.addToScores(try transfer.scoreOffsets(labels, shown: shown)) }
  }

  private func restore(_ trainer: NetworkTrainer, _ state: [UInt8]) throws {
    do {
      try trainer.restore(state)
    } catch {
      throw TrainingError(
        .badCheckpoint,
        "The checkpoint does not fit the network (\(error)); restart with --restart.",
        text: MessageText("badCheckpoint"),
        cause: error)
    }
  }

  private var augmenter: WindowAugmenter? {
    parameters.augmentation.map {
      WindowAugmenter(
        training, labels: labels, augmentation: $0, stride: parameters.stride,
        seed: parameters.seed)
    }
  }

  private static let leastWindowCountForTemperature = 30

  /// The temperature that calibrates the network on the validation windows, if any does.
  private func temperature(of trainer: NetworkTrainer) throws -> Temperature? {
    guard validation.windows.count >= Self.leastWindowCountForTemperature,
      let batch = validation.batch
    else { return nil }
    let values = try trainer.probabilities(of: batch.windows)
    let probabilities = batch.labels.indices.map {
      Array(values[($0 * labels.count)..<(($0 + 1) * labels.count)])
    }
    return Temperature.fitted(
      toProbabilities: probabilities, labels: batch.labels,
      groups: validation.windows.map { validation.clips[$0.clip].group ?? $0.clip })
  }
}
