import Foundation
import KinemaServer
import KinemaTestSupport
import KinemaVideo
import Synchronization
import Testing

@Suite(
  "Sessions that share, leave and are advised", .timeLimit(.minutes(60)),
  .enabled(if: SharedData.isPresent, SharedData.reason))
struct LiveSharingTests {
  @Test("two sessions share a source, which is opened once and closed after the last")
  func sharedSource() async throws {
    let picture = try Frame(
      jpeg: try #require(try await ClipPictures.jacks.value.pictures.first).jpeg)
    let openings = Mutex<[AsyncStream<LiveVideoEvent>.Continuation]>([])
    let (closings, closing) = AsyncStream.makeStream(of: Void.self)
    let source = SessionSource(.init(id: "gym", kind: .camera, name: "Gym")) {
      let (events, continuation) = AsyncStream.makeStream(of: LiveVideoEvent.self)
      continuation.onTermination = { _ in closing.yield() }
      openings.withLock { $0.append(continuation) }
      return events
    }
    let service = LiveFixture.makeService(sources: [source])
    let wish = #"{"kind":"server","id":"gym"}"#
    let (first, _) = try await LiveClient.started(on: service, source: wish)
    let (second, _) = try await LiveClient.started(on: service, source: wish)
    let camera = Task {
      for step in 1... {
        for opened in openings.withLock({ $0 }) {
          opened.yield(.frame(picture, time: Double(step) / 10, droppedCount: 0))
        }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    #expect(try await first.next("frame").persons.count == 1)
    #expect(try await second.next("frame").persons.count == 1)
    await first.hangUp(code: 1000)
    let last = try await second.next("frame")["time"] as? Double ?? 0
    while try await second.next("frame")["time"] as? Double ?? 0 < last + 500 {}
    #expect(openings.withLock { $0.count } == 1)
    await second.hangUp(code: 1000)
    for await _ in closings { break }
    camera.cancel()
    await service.shutDown()
  }

  @Test("a session that is not resumed in time ends, and its key becomes invalid")
  func expiry() async throws {
    let history = MemoryHistory()
    let service = LiveFixture.makeService(history: history) { $0.resumeTime = 0.1 }
    let (client, ready) = try await LiveClient.started(on: service)
    await client.hangUp()
    while history.records[1]?.isOpen != false { try await Task.sleep(for: .milliseconds(10)) }
    let key = ready["session"] as? String
    let (late, fresh) = try await LiveClient.started(on: service, resume: key)
    #expect(fresh["session"] as? String != key)
    #expect(fresh["historyID"] as? Int == 2)
    await late.hangUp()
    await service.shutDown()
  }

  @Test("a person cut off by the frame's edge gets a hint until fully visible")
  func advice() async throws {
    let picture = try #require(try await ClipPictures.jacks.value.pictures.first)
    let whole = try Frame(jpeg: picture.jpeg)
    let (client, _) = try await LiveClient.started(on: LiveFixture.service)
    // The upper 55 % of the picture end at the person's thighs.
    let cut = try whole.upper(share: 0.55).jpegData(quality: 90)
    var frame: [String: Any] = [:]
    for step in 0..<45 { frame = try await client.show(cut, at: Double(step) / 15) }
    #expect(frame["hint"] as? String == "moveIntoView")
    #expect(frame["hintText"] as? String == "Move your legs into view.")
    #expect(frame["hintParts"] as? [String] == ["leftLeg", "rightLeg"])
    for step in 45..<105 { frame = try await client.show(picture.jpeg, at: Double(step) / 15) }
    #expect(frame["hint"] is NSNull)
    await client.hangUp()
  }
}

extension Frame {
  /// The upper part of the picture.
  fileprivate func upper(share: Double) -> Frame {
    var part = Frame(width: width, height: Int(Double(height) * share))
    withUnsafeBytes { source in
      part.withUnsafeMutableBytes { $0.copyMemory(from: .init(rebasing: source[..<$0.count])) }
    }
    return part
  }
}
