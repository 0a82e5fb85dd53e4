import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaPose
import KinemaSynth
import KinemaTestSupport
import KinemaTraining
import Synchronization
import Testing

@Suite("TransferLearning")
struct TransferLearningTests {
  private static func transfer(
    keepsLabels: Bool = false, addsOther: Bool = true
  ) throws -> TransferLearning {
    var transfer = try TransferLearning(
      from: .exercise, keepsLabels: keepsLabels, addsOther: addsOther)
    transfer.otherCount = 60
    return transfer
  }

  private static func motion(_ name: String) throws -> Motion { try #require(Motion.named(name)) }

  @Test("other_action is added unless the takes have such a class, or it is left out")
  func labels() throws {
    let transfer = try Self.transfer()
    #expect(try transfer.labels(addedTo: ["wave", "clap"]) == ["clap", "other_action", "wave"])
    #expect(try transfer.labels(addedTo: ["wave", "other"]) == ["other", "wave"])
    #expect(try Self.transfer(addsOther: false).labels(addedTo: ["wave"]) == ["wave"])
  }

  @Test("adding to Exercise keeps its labels; a model whose labels nobody can show is refused")
  func keptLabels() throws {
    let transfer = try Self.transfer(keepsLabels: true)
    #expect(
      try transfer.labels(addedTo: ["wave"]) == [
        "burpees", "jumping_jacks", "lunges", "other_action", "push_ups", "squats", "wave",
      ])
    let unknown = TransferLearning(from: try WristModel.classifier(), keepsLabels: true)
    #expect(throws: TrainingError.self) { try unknown.labels(addedTo: ["wave"]) }
  }

  @Test("takes raise the odds of what they alone teach, against synthetic people")
  func odds() throws {
    func offsets(_ transfer: TransferLearning, _ labels: [String]) throws -> [Float] {
      try transfer.scoreOffsets(labels).map { ($0 * 100).rounded() / 100 }
    }
    let labels = ["clap", "other_action", "squats"]
    #expect(try offsets(Self.transfer(), labels) == [0.69, 0, 0.69])
    // Squats are learnt from synthetic people.
    #expect(try offsets(Self.transfer(keepsLabels: true), labels) == [0.69, 0, 0])
    // Synthetic people clap as well.
    #expect(try Self.transfer().scoreOffsets(labels, shown: ["clap"]).prefix(2) == [0, 0])
    // Without synthetic people, all classes are those of takes.
    #expect(try offsets(Self.transfer(addsOther: false), labels) == [0, 0, 0])
  }

  @Test("three takes of one person teach what another one does, with what can be said of it")
  func fewTakes() async throws {
    let takes = SyntheticExamples.make(
      [try Self.motion("bridges"), try Self.motion("punches")], videosPerLabel: 3)
    var parameters = TransferLearning.parameters
    parameters.validation = nil
    parameters.maximumIterations = 4
    let session = try ActionClassifierTrainingSession(
      training: takes, parameters: parameters, transferring: Self.transfer())
    // Its progress includes the trainings without some of the takes, which can be paused as well.
    let fractions = Mutex<[Double]>([])
    let paused = try await session.run { progress in
      fractions.withLock { $0.append(progress.fractionCompleted) }
      if session.isFinished { session.pause() }
    }
    #expect(paused == nil)
    let seen = fractions.withLock { $0 }
    #expect(seen == seen.sorted() && (0.4..<0.6).contains(seen.last ?? 0))
    let model = try #require(try await session.run())
    #expect(model.labels == ["bridges", "other_action", "punches"])
    let leaveOneOut = try #require(model.leaveOneOut)
    #expect(leaveOneOut.takes.total == 6)
    #expect(leaveOneOut.temperature >= 1)
    #expect(model.temperature == nil)
    let others = SyntheticExamples.make(
      [try Self.motion("bridges"), try Self.motion("punches")], videosPerLabel: 4, seed: 9)
    let result = try ActionClassifierEvaluation(classifier: model.classifier(), examples: others)
    #expect(result.videos.accuracy >= 0.75)
  }

  @Test("a built-in model lends its labels, and Workout the layers; another model both")
  func layers() throws {
    let transfer = try Self.transfer()
    #expect(transfer.base.labels.contains("burpees"))
    #expect(
      try transfer.layers.labels == ActionClassifier(contentsOf: BuiltInModel.workout.url).labels)
    let own = TransferLearning(from: transfer.base)
    #expect(own.layers.labels == transfer.base.labels)
    #expect(try TransferLearning.layers(of: nil) == nil)
    let file = try BuiltInModel.exercise.url
    let folder = file.deletingLastPathComponent()
    let detour = folder.appending(path: "../\(folder.lastPathComponent)/Exercise.mlmodel")
    #expect(try TransferLearning.layers(ofModelAt: detour)?.labels == transfer.layers.labels)
    #expect(try TransferLearning.layers(ofModelAt: file.appending(path: "other")) == nil)
  }

  @Test("the layers decide which network is trained")
  func network() throws {
    let transfer = try Self.transfer(addsOther: false)
    #expect(transfer.algorithm == .posture && TransferLearning.parameters.algorithm == .posture)
    let takes = SyntheticExamples.make(
      [try Self.motion("bridges"), try Self.motion("punches")], videosPerLabel: 1)
    var parameters = TransferLearning.parameters
    parameters.validation = nil
    parameters.algorithm = .tcn
    let session = try ActionClassifierTrainingSession(
      training: takes, parameters: parameters, transferring: transfer)
    #expect(session.parameters.algorithm == .posture)
    let other = TransferLearning(from: try WristModel.classifier())
    #expect(other.algorithm == .tcn)
  }

  @Test("a model of another network is no start")
  func otherNetwork() throws {
    #expect(throws: TrainingError.self) {
      try ActionClassifierTrainingSession(
        training: SyntheticExamples.make([.squats], videosPerLabel: 2),
        transferring: TransferLearning(from: WristModel.classifier()))
    }
  }
}
