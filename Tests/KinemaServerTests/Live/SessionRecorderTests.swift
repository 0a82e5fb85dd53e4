import Foundation
import KinemaServer
import KinemaTestSupport
import KinemaVideo
import Synchronization
import Testing

@Suite(
  "Records and videos of live sessions that fail",
  .enabled(if: SharedData.isPresent, SharedData.reason))
struct SessionRecorderTests {
  /// A history in memory whose first calls fail.
  private final class FailingHistory: LiveHistory {
    private struct Failures {
      var beginnings: Int
      var recordings: Int
    }

    let memory = MemoryHistory()
    private let failures: Mutex<Failures>

    init(beginnings: Int = 0, recordings: Int = 0) {
      failures = Mutex(Failures(beginnings: beginnings, recordings: recordings))
    }

    private static var error: ServerError {
      ServerError(
        .storage, MessageText("historyInUse", ["file": "history.sqlite", "reason": "locked"]))
    }

    func begin(model: String?, profile: Int?, at date: Date) throws -> Int {
      let isFailing = failures.withLock { failures in
        failures.beginnings -= 1
        return failures.beginnings >= 0
      }
      if isFailing { throw Self.error }
      return try memory.begin(model: model, profile: profile, at: date)
    }

    func profile(_ id: Int) throws -> Profile? { try memory.profile(id) }

    func save(
      _ id: Int, duration: TimeInterval, model: String?, entries: [SummaryEntry],
      timeline: [Stretch], sets: [TrainedSet]
    ) throws {
      try memory.save(
        id, duration: duration, model: model, entries: entries, timeline: timeline, sets: sets)
    }

    func end(_ id: Int) throws { try memory.end(id) }

    func setRecording(_ file: String, of id: Int) throws {
      let isFailing = failures.withLock { failures in
        failures.recordings -= 1
        return failures.recordings >= 0
      }
      if isFailing { throw Self.error }
      try memory.setRecording(file, of: id)
    }
  }

  private func service(_ history: FailingHistory, recordings: URL) -> LiveService {
    var configuration = LiveConfiguration(processorCount: 2)
    configuration.leastFrameRate = 0
    // Real times that a busy machine must not reach.
    (configuration.startTime, configuration.resumeTime) = (3600, 86400)
    configuration.saveInterval = 0
    configuration.recordingFolder = recordings
    return LiveService(configuration: configuration, models: BuiltInModels(), history: history)
  }

  private func errorCodes(_ messages: [[String: Any]]) -> [String] {
    messages.filter { $0["type"] as? String == "error" }.compactMap { $0["code"] as? String }
  }

  @Test("a video that cannot be written is reported at once, and no recording is shown any more")
  func unwritable() async throws {
    let folder = try TemporaryFolder()
    // A file in the folder's place: root may write into every folder.
    try Data().write(to: folder.url("recordings"))
    let history = FailingHistory()
    let service = service(history, recordings: folder.url("recordings"))
    let (client, _) = try await LiveClient.started(on: service, settings: #"{"isRecording":true}"#)
    let picture = try Frame(width: 64, height: 64).jpegData(quality: 80)
    client.send(picture, at: 0)
    let error = try await client.next("error")
    #expect(error["code"] as? String == "recording")
    #expect(error["isFatal"] as? Bool == false)
    #expect((error["message"] as? String)?.contains("recordings") == true)
    // The session goes on.
    _ = try await client.show(picture, at: 1)
    #expect(try await client.next("statistics")["isRecording"] as? Bool == false)
    client.say(#"{"type":"configure","settings":{"isRecording":false}}"#)
    _ = try await client.next("ready")
    #expect(errorCodes(client.passed) == [])
    await client.hangUp(code: 1000)
    let record = try #require(history.memory.records[1])
    #expect(!record.isOpen && record.recording == nil)
    await service.shutDown()
  }

  @Test("a record that cannot be begun is reported once and tried again, and its video with it")
  func delayedRecord() async throws {
    let folder = try TemporaryFolder()
    let history = FailingHistory(beginnings: 2)
    let service = service(history, recordings: folder.url)
    let (client, ready) = try await LiveClient.started(
      on: service, settings: #"{"isRecording":true}"#)
    #expect(ready["historyID"] as? Int == nil)
    #expect(errorCodes(client.passed) == ["storage"])
    #expect(try await client.next("ready")["historyID"] as? Int == 1)
    _ = try await client.show(ClipPictures(blackFor: 0.5))
    client.say(#"{"type":"configure","settings":{"isRecording":false}}"#)
    #expect(try await client.next("ready")["historyID"] as? Int == 1)
    #expect(errorCodes(client.passed) == ["storage"])
    await client.hangUp(code: 1000)
    let record = try #require(history.memory.records[1])
    #expect(!record.isOpen && record.recording == "session-1.mp4")
    #expect(history.memory.records.count == 1)
    await service.shutDown()
  }

  @Test("what fails at the end of a video reaches the client that returns, or that is still there")
  func failuresAtTheEnd() async throws {
    let folder = try TemporaryFolder()
    let history = FailingHistory(recordings: 2)
    let service = service(history, recordings: folder.url)
    let (client, ready) = try await LiveClient.started(
      on: service, settings: #"{"isRecording":true}"#)
    _ = try await client.show(ClipPictures(blackFor: 0.2))
    await client.hangUp()
    let key = try #require(ready["session"] as? String)
    let (returned, _) = try await LiveClient.started(on: service, resume: key)
    #expect(try await returned.next("error")["code"] as? String == "recording")
    _ = try await returned.show(ClipPictures(blackFor: 0.2), from: 1)
    await service.shutDown()
    #expect(try await returned.next("error")["code"] as? String == "recording")
    #expect(await returned.closed() == 1001)
  }
}
