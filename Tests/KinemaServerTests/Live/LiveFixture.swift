import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaServer
import KinemaTestSupport
import Synchronization

/// The built-in model under its usual name, and a model of hand poses.
struct BuiltInModels: LiveModels {
  private static let exercise = Result {
    try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
  }

  func model(
    id: String
  ) async throws -> (description: ModelDescription, classifier: ActionClassifier)? {
    guard ["Exercise", "Twin", "Hands"].contains(id) else { return nil }
    let classifier =
      try id == "Hands"
      ? ActionClassifier(contentsOf: SharedData.url("models/handpose_oksign.mlmodel"))
      : Self.exercise.get()
    return (
      ModelDescription(id: id, name: id, of: classifier, isBuiltIn: true), classifier
    )
  }
}

/// A history in memory.
final class MemoryHistory: LiveHistory {
  struct Record: Sendable {
    var model: String?
    var profile: Int?
    var duration = 0.0
    var entries: [SummaryEntry] = []
    var timeline: [Stretch] = []
    var sets: [TrainedSet] = []
    var isOpen = true
    var recording: String?
  }

  private let state = Mutex((next: 0, records: [Int: Record]()))

  var records: [Int: Record] { state.withLock { $0.records } }

  func begin(model: String?, profile: Int?, at date: Date) throws -> Int {
    state.withLock { state in
      state.next += 1
      state.records[state.next] = Record(model: model, profile: profile)
      return state.next
    }
  }

  func save(
    _ id: Int, duration: TimeInterval, model: String?, entries: [SummaryEntry],
    timeline: [Stretch], sets: [TrainedSet]
  ) throws {
    state.withLock { state in
      state.records[id]?.model = model
      state.records[id]?.duration = duration
      state.records[id]?.entries = entries
      state.records[id]?.timeline = timeline
      state.records[id]?.sets = sets
    }
  }

  func profile(_ id: Int) throws -> Profile? { id < 3 ? Profile(id: id, name: "P\(id)") : nil }

  func end(_ id: Int) throws { state.withLock { $0.records[id]?.isOpen = false } }
  func setRecording(_ file: String, of id: Int) throws {
    state.withLock { $0.records[id]?.recording = file }
  }
}

/// Services for the tests.
enum LiveFixture {
  /// One that most tests share.
  static let service = LiveFixture.makeService()

  static func makeService(
    history: MemoryHistory = MemoryHistory(), sources: [SessionSource] = [],
    _ change: (inout LiveConfiguration) -> Void = { _ in }
  ) -> LiveService {
    var configuration = LiveConfiguration(processorCount: 2)
    configuration.maximumSessionCount = 64
    configuration.leastFrameRate = 0
    // Real times that a busy machine must not reach; what they do is tested with others.
    (configuration.startTime, configuration.resumeTime) = (3600, 86400)
    change(&configuration)
    return LiveService(
      configuration: configuration, models: BuiltInModels(), history: history, sources: sources)
  }
}
