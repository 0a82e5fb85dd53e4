import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Testing

/// A frame's times, size and pixels, the pixels as a sum.
private struct Trace: Hashable {
  let id: TemporalSegmentIdentifier
  let width: Int
  let height: Int
  let sum: UInt64

  init(_ frame: TemporalFeature<Frame>) {
    id = frame.id
    (width, height) = (frame.feature.width, frame.feature.height)
    sum = frame.feature.withUnsafeBytes { bytes in
      bytes.bindMemory(to: UInt32.self).reduce(0) { ($0 &+ UInt64($1)) &* 0x100_0000_01b3 }
    }
  }
}

@Suite("Segments of videos")
struct VideoSegmenterTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What is read from a file's start to its end, and what is read in segments, warming up left out.
  func check(
    _ url: URL, _ segmenter: VideoSegmenter = .short(length: 1)
  ) async throws -> [VideoSegment] {
    let segments = try await segmenter.segments(of: url)
    var whole: [Trace] = []
    for try await frame in try await VideoReader.read(contentsOf: url) {
      whole.append(Trace(frame))
    }
    var joined: [Trace] = []
    for (index, segment) in segments.enumerated() {
      var warmUpCount = 0
      for try await frame in try await VideoReader.read(segment, ofFileAt: url) {
        let trace = Trace(frame)
        if frame.id.range.lowerBound >= segment.start {
          joined.append(trace)
        } else {
          warmUpCount += 1
          #expect(whole.contains(trace))
        }
      }
      #expect(warmUpCount > 0 || index == 0)
    }
    #expect(joined == whole, "\(url.lastPathComponent)")
    return segments
  }

  @Test(
    "real clips give the same frames at the same times in segments as from start to end",
    .enabled(if: SharedData.isPresent, SharedData.reason),
    arguments: ["johnclaide_jacks.mp4", "ulisses_goblet_squat.mp4"])
  func realClips(name: String) async throws {
    #expect(try await check(SharedData.url("clips/" + name)).count > 1)
  }

  @Test(
    "each container and codec gives the same frames in segments, or is one segment",
    arguments: [
      ("b.mp4", "-c:v libx264 -g 30 -bf 3 -preset ultrafast -x264-params b-pyramid=1", true),
      ("open.mp4", "-c:v libx264 -g 30 -bf 3 -preset ultrafast -x264-params open-gop=1", true),
      ("b.mkv", "-c:v libx264 -g 30 -bf 3 -preset ultrafast", true),
      ("b.mov", "-c:v libx264 -g 25 -bf 2 -preset ultrafast -video_track_timescale 600", true),
      (
        "5.mp4", "-c:v libx265 -preset ultrafast -x265-params keyint=30:open-gop=0:log-level=0",
        true
      ),
      ("9.webm", "-c:v libvpx-vp9 -g 30 -cpu-used 8 -deadline realtime -auto-alt-ref 1", true),
      ("8.webm", "-c:v libvpx -g 30 -cpu-used 8 -deadline realtime", true),
      ("4.mp4", "-c:v mpeg4 -g 30 -bf 2", false),
      ("h.ts", "-c:v libx264 -g 30 -preset ultrafast", false),
      ("x.avi", "-c:v libx264 -g 30 -bf 2 -preset ultrafast", false),
    ])
  func containers(name: String, options: String, isSplit: Bool) async throws {
    let url = try folder.makeMovie(name, frameCount: 120, options)
    let count = try await check(url).count
    #expect((count > 1) == isSplit, "\(name): \(count)")
  }

  @Test("an edit list, late starts and varying rates leave the frames where they are")
  func edits() async throws {
    let long = try folder.makeMovie(
      "long.mp4", frameCount: 180, "-c:v libx264 -g 30 -bf 3 -preset ultrafast")
    // Copied from the middle of a group: an edit list hides its first frames.
    let cut = try folder.make("cut.mp4", "-ss", "1.5", "-i", long.path, "-c", "copy")
    #expect(try await check(cut).count > 2)
    let late = try folder.make("late.mkv", "-itsoffset", "2.5", "-i", long.path, "-c", "copy")
    #expect(try await check(late).count > 2)
    let varying = try folder.make(
      "varying.mp4", "-i", long.path, "-vf", "select=not(mod(n\\,3))+not(mod(n\\,7))",
      "-fps_mode", "vfr", "-c:v", "libx264", "-g", "20", "-bf", "2", "-preset", "ultrafast")
    #expect(try await check(varying).count > 2)
  }

  @Test(
    "a long file is cut at the first key frame after twenty seconds, and at the one after those")
  func longFile() async throws {
    _ = try folder.makeMovie(
      "part.mp4", frameCount: 330, "-c:v libx264 -g 100 -bf 2 -preset ultrafast")
    let list = folder.url("list.txt")
    try String(repeating: "file 'part.mp4'\n", count: 6).write(
      to: list, atomically: true, encoding: .utf8)
    let long = try folder.make(
      "long.mp4", "-f", "concat", "-safe", "0", "-i", list.path, "-c", "copy")
    let segments = try await check(long, VideoSegmenter())
    #expect(segments.map(\.start) == [0, 22_000_000, 44_000_000])
    #expect(segments.map(\.end) == [22_000_000, 44_000_000, nil])
  }

  @Test(
    "a file of twenty seconds without keyframes to start at has two halves, a shorter one does not"
  )
  func halves() async throws {
    let options = "-c:v libx264 -bf 2 -preset ultrafast -g"
    let sparse = try folder.makeMovie("sparse.mp4", frameCount: 600, "\(options) 999")
    #expect(try await check(sparse, VideoSegmenter()).map(\.start) == [0, 9_983_333])
    let usual = try folder.makeMovie("usual.mkv", frameCount: 660, "\(options) 250")
    let segments = try await check(usual, VideoSegmenter())
    #expect(segments.map(\.start).last.map { abs($0 - 10_983_000) < 1000 } == true)
    #expect(segments[0].end == segments[1].start && segments[1].end == nil)
    let short = try folder.makeMovie("short.mp4", frameCount: 599, "\(options) 30")
    #expect(try await check(short, VideoSegmenter()).count == 1)
  }

  @Test("a segment of a video with few frames a second warms up with as many frames as another")
  func warmUpFrames() async throws {
    let whole = try folder.makeMovie(
      "whole.mp4", frameCount: 720, "-c:v libx264 -g 999 -preset ultrafast")
    let slow = try folder.make(
      "slow.mp4", "-i", whole.path, "-vf", "fps=5", "-c:v", "libx264", "-g", "999")
    let segments = try await check(slow, VideoSegmenter())
    let last = try #require(segments.last)
    #expect(segments.count == 2)
    var count = 0
    for try await frame in try await VideoReader.read(last, ofFileAt: slow)
    where frame.id.range.lowerBound < last.start {
      count += 1
    }
    #expect(count == VideoSegmenter().warmUpFrameCount)
  }

  @Test("a truncated file is one segment, and reports what is missing")
  func damaged() async throws {
    let whole = try folder.makeMovie(
      "whole.mkv", frameCount: 180, "-c:v libx264 -g 30 -bf 2 -preset ultrafast")
    let data = try Data(contentsOf: whole)
    let cut = folder.url("cut.mkv")
    try data.prefix(data.count * 2 / 3).write(to: cut)
    _ = try await check(cut)
    await #expect(throws: VideoError.self) {
      try await VideoSegmenter().segments(of: folder.url("missing.mp4"))
    }
  }
}
