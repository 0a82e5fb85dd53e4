import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaPose
import KinemaSynth
import KinemaTestSupport
import KinemaTraining
import Synchronization
import Testing

/// Whether what a training waits for has happened.
private final class Signal: Sendable {
  let hasHappened = Atomic(false)
}

@Suite("ActionClassifierTrainingSession")
struct ActionClassifierTrainingSessionTests {
  private static let training = SyntheticExamples.make([.jumpingJacks, .squats], videosPerLabel: 5)
  private static let validation = SyntheticExamples.make(
    [.jumpingJacks, .squats], videosPerLabel: 2, seed: 2)

  private static func parameters(iterations: Int = 8) -> ActionClassifierParameters {
    var parameters = ActionClassifierParameters()
    parameters.maximumIterations = iterations
    parameters.predictionWindowSize = 30
    parameters.batchSize = 8
    return parameters
  }

  private static func session(
    _ parameters: ActionClassifierParameters = parameters(), folder: URL? = nil,
    threadCount: Int? = nil, checkpointInterval: Duration = .milliseconds(1)
  ) throws -> ActionClassifierTrainingSession {
    var options = ActionClassifierTrainingSession.Options()
    options.threadCount = threadCount
    options.checkpointInterval = checkpointInterval
    return try ActionClassifierTrainingSession(
      training: training, validation: validation, parameters: parameters, folder: folder,
      options: options)
  }

  private static func bytes(_ model: TrainedActionClassifier) throws -> Data {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "model.mlmodel")
    try model.write(to: url)
    return try Data(contentsOf: url)
  }

  /// Expects the model of a training without interruption.
  private static func expectWhole(_ model: TrainedActionClassifier?) async throws {
    let whole = try bytes(try await train())
    #expect(try bytes(try #require(model)) == whole)
  }

  private static func train(
    _ parameters: ActionClassifierParameters = parameters(), threadCount: Int? = nil
  ) async throws -> TrainedActionClassifier {
    try #require(try await session(parameters, threadCount: threadCount).run())
  }

  @Test("the model classifies other people's exercises, and carries its metrics")
  func learning() async throws {
    let model = try await Self.train(Self.parameters(iterations: 25))
    #expect(model.labels == ["jumping_jacks", "squats"])
    #expect(model.history.count == 25)
    #expect((model.metrics?.validationAccuracy ?? 0) >= 0.8)
    let best = model.history.compactMap(\.validationLoss).min()
    #expect(model.metrics?.validationLoss == best)
    let classifier = try model.classifier()
    #expect(classifier.windowSize == 30)
    #expect(classifier.frameRate == 30)
    let userDefined = classifier.metadata.userDefined
    #expect(userDefined["classes"] == "jumping_jacks,squats")
    #expect(
      userDefined["org.kinema.labelKinds"] == #"{"jumping_jacks":"counted","squats":"counted"}"#)
    #expect(userDefined["type"] == "action_classification")
    #expect(userDefined["max_iterations"] == "25")
    let json = try #require(userDefined["org.kinema.parameters"])
    let decoded = try JSONDecoder().decode(ActionClassifierParameters.self, from: Data(json.utf8))
    #expect(decoded == model.parameters)
  }

  @Test("a seed gives one model with any number of threads; another seed another one")
  func reproducibility() async throws {
    let model = try Self.bytes(try await Self.train(threadCount: 1))
    for threadCount in [2, 3] {
      let same = try Self.bytes(try await Self.train(threadCount: threadCount))
      #expect(same == model)
    }
    var parameters = Self.parameters()
    parameters.seed = 2
    let other = try Self.bytes(try await Self.train(parameters))
    #expect(other != model)
  }

  @Test("a training paused after any step resumes to the identical model", arguments: [nil, 0.4])
  func pausing(averagingRate: Double?) async throws {
    var parameters = Self.parameters()
    parameters.averagingRate = averagingRate
    let whole = try Self.bytes(try await Self.train(parameters))
    var generator = SeededGenerator(seed: 9)
    let folder = try TemporaryFolder()
    var model: TrainedActionClassifier?
    var pauses = 0
    while model == nil {
      let session = try Self.session(parameters, folder: folder.url)
      #expect(session.isResumed == (pauses > 0))
      let steps = Atomic(Int(generator.next() % 12))
      model = try await session.run { _ in
        if steps.wrappingSubtract(1, ordering: .relaxed).newValue < 0 { session.pause() }
      }
      pauses += 1
    }
    #expect(pauses > 2)
    #expect(try Self.bytes(try #require(model)) == whole)
    let log = try String(contentsOf: folder.url.appending(path: "training.jsonl"), encoding: .utf8)
    let lines = try log.split(separator: "\n").map {
      try JSONDecoder().decode(TrainingMetrics.self, from: Data($0.utf8))
    }
    #expect(lines == model?.history)
    #expect(lines.map(\.iteration) == Array(1...8))
    let last = try #require(lines.last).learningRate
    let held = (averagingRate ?? 0) * parameters.learningRate
    #expect(averagingRate == nil ? last < 1e-6 : last == held)
  }

  @Test("the mean of the weights is another model than the last weights, and as good")
  func averaging() async throws {
    var parameters = Self.parameters(iterations: 25)
    parameters.averagingRate = 0.4
    let model = try await Self.train(parameters)
    let last = try #require(model.history.last)
    #expect((last.validationAccuracy ?? 0) >= 0.8)
    // The same steps until the rate is held, and another network after them.
    let plain = try await Self.train(Self.parameters(iterations: 25))
    #expect(plain.history.first?.validationLoss == model.history.first?.validationLoss)
    #expect(plain.history.last?.validationLoss != last.validationLoss)
    parameters.averagingRate = 1
    #expect(throws: TrainingError.self) { try parameters.check() }
  }

  @Test("a session without a folder can be paused as well")
  func pausingInMemory() async throws {
    let session = try Self.session()
    let paused = try await session.run { if $0.iteration == 2 { session.pause() } }
    #expect(paused == nil)
    #expect(session.iteration >= 2 && !session.isFinished)
    let model = try await session.run()
    try await Self.expectWhole(model)
  }

  @Test("a cancelled training is saved and can resume")
  func cancelling() async throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(folder: folder.url, checkpointInterval: .seconds(1000))
    // The training waits until it is cancelled, however busy the machine is.
    let cancellation = Signal()
    let (steps, continuation) = AsyncStream.makeStream(of: Int.self)
    await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        _ = try await session.run { progress in
          continuation.yield(progress.iteration)
          while progress.iteration >= 3, !cancellation.hasHappened.load(ordering: .acquiring) {
            usleep(1000)
          }
        }
      }
      for await iteration in steps where iteration == 3 { break }
      group.cancelAll()
      cancellation.hasHappened.store(true, ordering: .releasing)
      await #expect(throws: CancellationError.self) { try await group.waitForAll() }
    }
    let next = try Self.session(folder: folder.url)
    #expect(next.isResumed && next.iteration >= 3)
    let model = try await next.run()
    try await Self.expectWhole(model)
  }

  @Test("a finished training gives its model again without training")
  func finished() async throws {
    let folder = try TemporaryFolder()
    let model = try await Self.session(folder: folder.url).run()
    let again = try Self.session(folder: folder.url)
    #expect(again.isFinished)
    let second = try await again.run { _ in Issue.record("It trains.") }
    #expect(try Self.bytes(try #require(second)) == Self.bytes(try #require(model)))
  }

  @Test("a finished training goes on with more epochs, to one model with and without a pause")
  func moreIterations() async throws {
    var models: [Data] = []
    for pauses in [false, true] {
      let folder = try TemporaryFolder()
      _ = try await Self.session(Self.parameters(iterations: 3), folder: folder.url).run()
      try ActionClassifierTrainingSession.setIterationCount(6, folder: folder.url)
      let more = try Self.session(Self.parameters(iterations: 6), folder: folder.url)
      #expect(more.iteration == 3 && !more.isFinished)
      var model = try await more.run { if pauses, $0.iteration == 4 { more.pause() } }
      #expect((model == nil) == pauses)
      if pauses {
        model = try await Self.session(Self.parameters(iterations: 6), folder: folder.url).run()
      }
      #expect(model?.history.map(\.iteration) == Array(1...6))
      models.append(try Self.bytes(try #require(model)))
    }
    #expect(models[0] == models[1])
  }

  @Test("the best epoch so far is a model, which at the end is that of the training")
  func bestSoFar() async throws {
    let session = try Self.session()
    #expect(try session.bestModel()?.labels == nil)
    _ = try await session.run { if $0.iteration == 3 { session.pause() } }
    let early = try #require(try session.bestModel())
    #expect(early.history.count == 3 && early.bestIteration == session.bestIteration)
    let whole = try Self.bytes(try #require(try await session.run()))
    #expect(try Self.bytes(try #require(try session.bestModel())) == whole)
  }

  @Test("training stops early without better validation, with the best network")
  func earlyStopping() async throws {
    var parameters = Self.parameters(iterations: 400)
    parameters.earlyStoppingPatience = 2
    let model = try await Self.train(parameters)
    #expect(model.history.count < 400)
    #expect(model.history.count == model.bestIteration + 2)
    let losses = model.history.compactMap(\.validationLoss)
    #expect(losses.min() == losses[model.bestIteration - 1])
  }

  @Test("a folder with a training on other data or with other parameters is refused")
  func mismatch() async throws {
    let folder = try TemporaryFolder()
    let first = try Self.session(folder: folder.url)
    _ = try await first.run { if $0.iteration == 1 { first.pause() } }
    expect(.badCheckpoint, saying: "other parameters") {
      _ = try Self.session(Self.parameters(iterations: 9), folder: folder.url)
    }
    expect(.badCheckpoint, saying: "other data") {
      _ = try ActionClassifierTrainingSession(
        training: Self.training, validation: Array(Self.validation.dropLast()),
        parameters: Self.parameters(), folder: folder.url)
    }
    try ActionClassifierTrainingSession.discard(folder: folder.url)
    let session = try Self.session(Self.parameters(iterations: 9), folder: folder.url)
    #expect(!session.isResumed)
    #expect(session.iteration == 0)
  }

  @Test("two sessions do not train in one folder at a time")
  func lock() async throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(folder: folder.url)
    let other = try Self.session(folder: folder.url)
    // The first training waits until the second has been tried, however busy the machine is.
    let trial = Signal()
    let (steps, continuation) = AsyncStream.makeStream(of: Int.self)
    let task = Task {
      try await session.run { progress in
        continuation.yield(progress.iteration)
        while !trial.hasHappened.load(ordering: .acquiring) { usleep(1000) }
      }
    }
    for await _ in steps { break }
    await #expect(throws: TrainingError.self) { _ = try await other.run() }
    trial.hasHappened.store(true, ordering: .releasing)
    let model = try await task.value
    #expect(model != nil)
  }

  @Test("a damaged checkpoint is refused, wherever the damage is")
  func damage() async throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(folder: folder.url)
    _ = try await session.run { if $0.iteration == 1 { session.pause() } }
    let file = folder.url.appending(path: "checkpoint")
    let bytes = try Data(contentsOf: file)
    for step in 0..<12 {
      var damaged = bytes
      if step % 2 == 0 {
        damaged[step * (bytes.count - 1) / 11] ^= 0x40
      } else {
        damaged = damaged.prefix(step * bytes.count / 12)
      }
      try damaged.write(to: file)
      expect(.badCheckpoint, saying: "--restart") { _ = try Self.session(folder: folder.url) }
    }
  }

  @Test("unusable data is refused, with what to do")
  func badData() throws {
    func make(
      _ examples: [ActionExample], _ parameters: ActionClassifierParameters = Self.parameters()
    ) throws {
      _ = try ActionClassifierTrainingSession(training: examples, parameters: parameters)
    }
    expect(.badData, saying: "no clips") { try make([]) }
    expect(.badData, saying: "at least two labels") {
      try make(SyntheticExamples.make([.squats], videosPerLabel: 2))
    }
    var long = Self.parameters()
    long.predictionWindowSize = 1500
    expect(.badData, saying: "shorten the window") { try make(Self.training, long) }
    var empty = Self.training[0]
    empty.label = "nobody"
    for index in empty.poses.frames.indices { empty.poses.frames[index].poses = [] }
    expect(.badData, saying: "No clip of “nobody”") { try make(Self.training + [empty]) }
    var strange = Self.validation[0]
    strange.label = "handstand"
    expect(.badData, saying: "handstand") {
      _ = try ActionClassifierTrainingSession(
        training: Self.training, validation: [strange], parameters: Self.parameters())
    }
  }

  @Test("parameters out of range are refused, by name")
  func badParameters() {
    func refuses(_ text: String, _ change: (inout ActionClassifierParameters) -> Void) {
      var parameters = Self.parameters()
      change(&parameters)
      expect(.badParameter, saying: text) { try parameters.check() }
    }
    refuses("window") { $0.predictionWindowSize = 1 }
    refuses("window") { $0.actionDuration = .infinity }
    refuses("frame rate") { $0.targetFrameRate = 0 }
    refuses("iterations") { $0.maximumIterations = 0 }
    refuses("batch size") { $0.batchSize = 0 }
    refuses("learning rate") { $0.learningRate = .nan }
    refuses("validation") { $0.validation = .fixed(ratio: 1) }
    refuses("patience") { $0.earlyStoppingPatience = 0 }
  }

  @Test("the duration of an action sets the window")
  func duration() {
    var parameters = ActionClassifierParameters()
    #expect(parameters.actionDuration == 2)
    parameters.targetFrameRate = 15
    parameters.actionDuration = 3
    #expect(parameters.predictionWindowSize == 45)
  }
}

/// Expects an error of a kind with a text in its message.
private func expect(
  _ code: TrainingError.Code, saying text: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("Nothing was thrown.", sourceLocation: sourceLocation)
  } catch let error as TrainingError {
    #expect(error.code == code, sourceLocation: sourceLocation)
    #expect(error.message.contains(text), sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
}
