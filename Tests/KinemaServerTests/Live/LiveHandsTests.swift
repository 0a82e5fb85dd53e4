import Foundation
import KinemaServer
import KinemaTestSupport
import Testing

@Suite("Live hands", .serialized, .enabled(if: SharedData.isPresent, SharedData.reason))
struct LiveHandsTests {
  @Test("a session with a model of hands follows hands, with their sides and 21 joints")
  func hands() async throws {
    let clip = try await ClipPictures("intel_asl_no.mkv", count: 45)
    let (client, ready) = try await LiveClient.started(
      on: LiveFixture.service, settings: #"{"model":"Hands"}"#)
    #expect((ready["model"] as? [String: Any])?["jointCount"] as? Int == 21)
    let frames = try await client.show(clip)
    let hands = frames.flatMap(\.persons)
    #expect(hands.count > 20)
    #expect(hands.allSatisfy { ($0["joints"] as? [[Double]])?.count == 21 })
    #expect(hands.contains { ["left", "right"].contains($0["hand"] as? String) })
    #expect(hands.contains { $0.label != nil })
    #expect(frames.allSatisfy { $0["hint"] is String == false })
    #expect(frames.last?["count"] as? Int == 0)

    client.say(#"{"type":"configure","settings":{"model":"Exercise"}}"#)
    _ = try await client.next("ready")
    let body = try await client.show(clip.pictures[0].jpeg, at: 10)
    #expect(body.persons.allSatisfy { ($0["joints"] as? [[Double]])?.count == 18 })
    await client.hangUp()
  }
}
