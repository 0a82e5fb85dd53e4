import Foundation
import KinemaServer
import KinemaTestSupport
import Testing

@Suite("Sharing among live sessions", .enabled(if: SharedData.isPresent, SharedData.reason))
struct LiveFairnessRealTimeTests {
  @Test("a session that floods keeps the newest picture, and the others get their share")
  func flood() async throws {
    let service = LiveFixture.makeService()
    let clip = try await ClipPictures.pair.value
    var clients: [LiveClient] = []
    for _ in 0..<8 {
      clients.append(try await LiveClient.started(on: service).client)
    }
    // All at once: each session's pictures lie there before the first is processed.
    for (index, picture) in clip.pictures.enumerated() {
      for client in clients { client.send(picture.jpeg, at: Double(index) / 30) }
    }
    var answers: [Int] = []
    for client in clients {
      var count = 0
      while true {
        let frame = try await client.next("frame")
        count += 1
        if frame["sequence"] as? Int == clip.pictures.count {
          // What was not processed was dropped.
          #expect(frame["dropped"] as? Int == clip.pictures.count - count)
          break
        }
      }
      answers.append(count)
    }
    #expect(answers.allSatisfy { $0 >= 1 })
    #expect((answers.max() ?? 0) - (answers.min() ?? 0) <= 6, "\(answers)")
    #expect(service.metrics.contains("kinema_live_sessions 8\n"))
    #expect(service.metrics.contains("kinema_live_stage_seconds_bucket{stage=\"poses\""))
    await service.shutDown()
  }

  @Test("while one session floods, another that waits for each answer is served in turn")
  func politeAndFlooding() async throws {
    let service = LiveFixture.makeService { $0.workerCount = 1 }
    let clip = try await ClipPictures.pair.value
    let (polite, _) = try await LiveClient.started(on: service)
    let (flooding, _) = try await LiveClient.started(on: service)
    for step in 0..<20 {
      for picture in clip.pictures { flooding.send(picture.jpeg, at: Double(step)) }
      _ = try await polite.show(clip.pictures[step].jpeg, at: Double(step) / 30)
    }
    await polite.hangUp()
    await service.shutDown()
    var answered = 0
    while (try? await flooding.next("frame")) != nil { answered += 1 }
    // Between two pictures of the one, one or two of the other.
    #expect((10...60).contains(answered), "\(answered)")
  }
}
