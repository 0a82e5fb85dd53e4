import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import KinemaWatch
import Synchronization
import Testing

final class ClipTests: Sendable {
  private let folder: TemporaryFolder
  private let sent = Mutex<[ClipAnnouncement]>([])
  private let messages = Mutex<[String]>([])

  init() throws { folder = try TemporaryFolder() }

  private func recorder() -> ClipRecorder {
    ClipRecorder(
      folder: folder.url("clips"),
      send: { [self] clip, _ in sent.withLock { $0.append(clip) } },
      report: { [self] text in messages.withLock { $0.append(text) } })
  }

  private func members(of announcement: ClipAnnouncement) throws -> [String: Any] {
    try #require(
      JSONSerialization.jsonObject(with: announcement.json) as? [String: Any])
  }

  @Test(
    "a clip has the seconds around its event, and is a video that can be decoded",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func clip() async throws {
    let recorder = recorder()
    recorder.length = 6
    let event = Announcement(WatchEvent(.fall, at: 6, person: 1), of: "Gym")
    var hasHappened = false
    let frames = try await VideoReader.read(contentsOf: SharedData.url("clips/ulisses_jacks.mp4"))
    for try await frame in frames {
      let time = frame.id.rangeInSeconds.lowerBound
      guard time < 9 else { break }
      try recorder.add(frame.feature, at: time)
      if time >= 6, !hasHappened {
        hasHappened = true
        recorder.record(event, seconds: 6, for: [.webhook])
      }
    }
    await recorder.finish()
    #expect(messages.withLock { $0 }.isEmpty && folder.names.allSatisfy { $0 == "clips" })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("clips")).isEmpty)
    let clip = try #require(sent.withLock { $0 }.first)
    let members = try members(of: clip)
    #expect(members["event"] as? String == "clip" && members["cause"] as? String == "fall")
    #expect(members["of"] as? String == event.id.uuidString.lowercased())
    #expect(members["id"] as? String != members["of"] as? String)
    let text = try #require(members["clip"] as? String)
    let url = folder.url("clip.mp4")
    try #require(Data(base64Encoded: text)).write(to: url)
    let video = try await VideoReader.read(contentsOf: url)
    var pictures: [Frame] = []
    for try await picture in video { pictures.append(picture.feature) }
    // Two of three seconds before the event, one after; at most 15 pictures a second.
    #expect(abs((video.videoDuration ?? 0) - 6) < 0.2)
    #expect((70...91).contains(pictures.count))
    let first = try #require(pictures.first)
    #expect(max(first.width, first.height) <= 640 && max(first.width, first.height) > 640 / 2)
  }

  @Test("pictures that are too old go, and a source without pictures is reported")
  func bounds() async throws {
    let recorder = recorder()
    recorder.length = 2
    for index in 0..<300 { try recorder.add(Frame(width: 32, height: 32), at: Double(index) / 30) }
    #expect((30...31).contains(recorder.pictureCount))
    recorder.length = 0
    try recorder.add(Frame(width: 32, height: 32), at: 10)
    #expect(recorder.pictureCount == 0)
    recorder.record(
      Announcement(WatchEvent(.fall, at: 10), of: "Gym"), seconds: 2, for: [.webhook])
    await recorder.finish()
    #expect(sent.withLock { $0 }.isEmpty)
    #expect(messages.withLock { $0 } == ["Gym: there are no pictures for a clip."])
  }
}
