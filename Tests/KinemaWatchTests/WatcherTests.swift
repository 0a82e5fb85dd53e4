import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaTestSupport
import KinemaVision
import KinemaWatch
import Synchronization
import Testing

struct WatcherTests {
  @Test("a stream that cannot be read is stale, whatever it failed by, and not given up")
  func failingStream() async throws {
    let folder = try TemporaryFolder()
    let classifier = try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
    let calls = Mutex(0)
    let lines = Mutex<[String]>([])
    let setup = Watcher.Setup(
      folder: folder.url("data"), pool: PosePool(workerCount: 1), settings: NetworkSettings(),
      classifier: { _ in
        // The first call checks the configuration, the second one is the source's.
        let number = calls.withLock { count in
          count += 1
          return count
        }
        guard number == 1 else { throw ModelFileError(.notInstalled, "The model is gone.") }
        return classifier
      },
      print: { line in lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } },
      report: { _ in })
    let watcher = try Watcher(setup)
    var source = WatchConfiguration.Source(name: "Gym", address: "pattern:testsrc2")
    source.model = "Exercise"
    try await watcher.apply(WatchConfiguration(sources: [source]))
    let isStale = try await waitUntil {
      lines.withLock { $0.contains { $0.contains("sourceStale") && $0.contains("is gone") } }
    }
    #expect(isStale && watcher.sources.map(\.state.source) == [.stale])
    await watcher.stop()
  }
}
