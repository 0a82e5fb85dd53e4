import Foundation
import KinemaLab
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import KinemaWatch
import Testing

/// Real falls, of which the cost ladder chooses the frames.
@Suite(.enabled(if: SharedData.isPresent, SharedData.reason))
struct LadderFallLongTests {
  /// The events of a clip as a watched source, and how many of its frames are processed.
  private static func events(
    of clip: URL, isFull: Bool
  ) async throws -> (events: [WatchEvent], processed: Int, frames: Int) {
    let model = try FallModel.builtIn
    var playback = LadderPlayback(isFull: isFull, pool: .shared(workerCount: 2)) {
      model.isFall($0)
    }
    var (events, count) = ([WatchEvent](), 0)
    var frames = try await VideoReader.read(contentsOf: clip).makeAsyncIterator()
    while let frame = try await frames.next() {
      events += try await playback.add(at: frame.id.rangeInSeconds.lowerBound) { frame.feature }
      count += 1
    }
    return (events, playback.processedCount, count)
  }

  private static func falls(_ events: [WatchEvent]) -> [WatchEvent] {
    events.filter { $0.kind == .fall }
  }

  @Test(
    "falls are found where the ladder chooses the frames as where every frame is processed",
    arguments: ["le_024"])
  func found(name: String) async throws {
    let clip = SharedData.url("falls/\(name).mp4")
    let full = try await Self.events(of: clip, isFull: true)
    let ladder = try await Self.events(of: clip, isFull: false)
    #expect(full.processed == full.frames && ladder.processed <= ladder.frames)
    let (every, chosen) = (Self.falls(full.events), Self.falls(ladder.events))
    #expect(every.count == 1 && chosen.count == 1)
    for (one, other) in zip(every, chosen) { #expect(abs(one.time - other.time) < 0.5) }
    // A fall is one story: who lies because of it has fallen.
    let postures = ladder.events.filter { $0.kind == .postureBegins }.compactMap(\.posture)
    #expect(postures.contains(.fallen) && !postures.contains(.lying), "\(postures)")
  }

  @Test(
    "falls of people who have sat still are found as by every frame, and no others",
    arguments: ["le_088", "le_093", "le_101"])
  func seated(name: String) async throws {
    let clip = SharedData.url("falls/\(name).mp4")
    let every = Self.falls(try await Self.events(of: clip, isFull: true).events)
    let chosen = Self.falls(try await Self.events(of: clip, isFull: false).events)
    #expect(every.count == chosen.count)
    for (one, other) in zip(every, chosen) { #expect(abs(one.time - other.time) < 0.7) }
  }

  @Test(
    "where people who have sat still do not fall, no more falls are reported than by every frame",
    arguments: ["le_110", "le_118", "le_124", "le_127"])
  func noFall(name: String) async throws {
    let clip = SharedData.url("falls/\(name).mp4")
    let every = Self.falls(try await Self.events(of: clip, isFull: true).events)
    let chosen = Self.falls(try await Self.events(of: clip, isFull: false).events)
    #expect(chosen.count <= every.count)
  }

  @Test("two people who fall at once, one the mirror image of the other, are two events")
  func two() async throws {
    let folder = try TemporaryFolder()
    let clip = SharedData.url("falls/le_024.mp4").path
    let both = try folder.make(
      "both.mp4", "-i", clip, "-filter_complex",
      "[0:v]fps=25,scale=320:240,setsar=1,split[a][b];[b]hflip[c];[a][c]hstack",
      "-an", "-c:v", "libx264", "-crf", "18")
    let events = Self.falls(try await Self.events(of: both, isFull: false).events)
    #expect(events.count == 2)
    #expect(Set(events.compactMap(\.person)).count == 2)
  }
}
