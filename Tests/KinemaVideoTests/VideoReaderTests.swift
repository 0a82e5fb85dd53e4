import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Synchronization
import Testing

struct VideoReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(
    "frames of pixels that are not square have the shape in which they are shown",
    arguments: [
      ("wide.mp4", "-vf setsar=4/3 -c:v libx264", 128, 64),
      ("container.mkv", "-c:v libx264 -aspect 2:1", 128, 64),
      ("narrow.mp4", "-vf setsar=3/4 -c:v libx264", 96, 85),
      ("dvd.mpg", "-c:v mpeg2video -aspect 16:9", 114, 64),
      ("rounded.mp4", "-vf setsar=1281/1280 -c:v libx264", 96, 64),
      ("mistaken.mkv", "-vf setsar=50/1 -c:v ffv1", 96, 64),
    ])
  func stretchesPixels(name: String, options: String, width: Int, height: Int) async throws {
    let url = try folder.makeMovie(name, options)
    let frames = try await VideoReader.read(contentsOf: url)
    #expect(frames.frameSize == CGSize(width: width, height: height))
    let stretched = try await frames.all()
    #expect(stretched.count == 12)
    #expect(stretched.allSatisfy { ($0.feature.width, $0.feature.height) == (width, height) })
    // The same picture scaled by another program.
    let scaled = try folder.make(
      "scaled.mkv", "-i", url.path, "-vf", "scale=\(width):\(height),setsar=1", "-c:v", "ffv1")
    let expected = try await VideoReader.read(contentsOf: scaled).all()
    #expect(
      zip(stretched, expected).allSatisfy { $0.feature.peakSignalToNoise(to: $1.feature) > 25 })
  }

  @Test("pixels that are not square are stretched before the picture is turned")
  func stretchesThenTurns() async throws {
    let stored = try folder.makeMovie("stored.mp4", "-vf setsar=4/3 -c:v libx264 -pix_fmt yuv420p")
    let turned = try folder.turned(stored, by: 90)
    let frames = try await VideoReader.read(contentsOf: turned)
    #expect(frames.frameSize == CGSize(width: 64, height: 128))
    let all = try await frames.all()
    #expect(all.allSatisfy { ($0.feature.width, $0.feature.height) == (64, 128) })
  }

  @Test(
    "every common codec and container gives its frames at their times",
    arguments: [
      ("h264.mp4", "-c:v libx264 -pix_fmt yuv420p"),
      ("h264.mov", "-c:v libx264 -pix_fmt yuv420p"),
      ("h264.ts", "-c:v libx264 -pix_fmt yuv420p"),
      ("full-range.mp4", "-c:v libx264 -pix_fmt yuvj420p"),
      ("444.mkv", "-c:v libx264 -pix_fmt yuv444p"),
      ("hevc.mp4", "-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p"),
      ("hevc-10bit.mkv", "-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p10le"),
      ("vp8.webm", "-c:v libvpx"),
      ("vp9.webm", "-c:v libvpx-vp9 -cpu-used 8"),
      ("av1.mkv", "-c:v libaom-av1 -cpu-used 8 -pix_fmt yuv420p"),
      ("mjpeg.avi", "-c:v mjpeg -q:v 2"),
      ("mpeg4.avi", "-c:v mpeg4 -q:v 2"),
      ("mpeg2.mpg", "-c:v mpeg2video -q:v 2"),
      ("animation.gif", ""),
    ])
  func readsCodecs(name: String, options: String) async throws {
    let url = try folder.makeMovie(name, options)
    let frames = try await VideoReader.read(contentsOf: url)
    #expect(frames.frameSize == CGSize(width: 96, height: 64))
    #expect(frames.count == nil)
    #expect(abs(frames.nominalFrameRate - 30) < 4)
    let all = try await frames.all()
    #expect(all.count == 12)
    #expect(frames.warnings.isEmpty)
    // GIF counts hundredths, MPEG-4 in AVI begins a frame late.
    let start = all[0].id.rangeInSeconds.lowerBound
    #expect((0..<0.07).contains(start))
    for (index, frame) in all.enumerated() {
      #expect(frame.id.source == url.path)
      #expect(frame.id.timescale == 1_000_000)
      #expect(abs(frame.id.rangeInSeconds.lowerBound - start - Double(index) / 30) < 0.011)
      #expect(abs(frame.id.rangeInSeconds.upperBound - start - Double(index + 1) / 30) < 0.022)
    }
    // The same pictures as the ffmpeg command's, but for rounding in the conversion of colours.
    let reference = try Command.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", url.path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    let byteCount = 96 * 64 * 3
    #expect(reference.count == 12 * byteCount)
    for (index, frame) in all.enumerated() {
      let expected = reference[(index * byteCount)..<((index + 1) * byteCount)]
      let difference = zip(frame.feature.rgb, expected).reduce(0) {
        $0 + abs(Int($1.0) - Int($1.1))
      }
      #expect(Double(difference) / Double(expected.count) < 3)
    }
  }

  @Test("odd widths and heights keep every pixel", arguments: ["97x65", "33x17", "2x2", "405x301"])
  func readsOddSizes(size: String) async throws {
    let url = try folder.make(
      "odd.mkv", "-f", "lavfi", "-i", "testsrc2=size=400x300:rate=30", "-frames:v", "2", "-vf",
      "scale=\(size.replacing("x", with: ":")),setsar=1", "-c:v", "ffv1", "-pix_fmt", "bgr0")
    let reference = try Command.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", url.path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    let all = try await VideoReader.read(contentsOf: url).all()
    #expect(all.flatMap(\.feature.rgb) == [UInt8](reference))
  }

  @Test("the ends of rows of odd 4:2:0 pictures are converted")
  func readsOddSubsampledSizes() async throws {
    let url = try folder.make(
      "odd.webm", "-f", "lavfi", "-i", "color=red:size=400x300:rate=30", "-frames:v", "2", "-vf",
      "scale=99:67,setsar=1", "-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p")
    let all = try await VideoReader.read(contentsOf: url).all()
    let frame = try #require(all.first).feature
    #expect((frame.width, frame.height) == (99, 67))
    for (x, y) in [(0, 0), (98, 0), (0, 66), (98, 66), (97, 33)] {
      let color = frame.color(x: x, y: y)
      #expect(color[0] > 240 && color[1] < 12 && color[2] < 12)
    }
  }

  @Test("a display matrix turns frames upright", arguments: [0, 90, 180, 270])
  func appliesDisplayMatrix(degrees: Int) async throws {
    try await checkRotation(degrees) { try folder.turned($0, by: (360 - degrees) % 360) }
  }

  @Test("the older rotate tag turns frames upright", arguments: [0, 90, 180, 270])
  func appliesRotateTag(degrees: Int) async throws {
    // In capitals the tag is written as it is, not turned into a matrix.
    try await checkRotation(degrees) {
      try folder.make(
        "turned.mkv", "-i", $0.path, "-c", "copy", "-metadata:s:v", "ROTATE=\(degrees)")
    }
  }

  private func checkRotation(_ degrees: Int, _ turn: (URL) throws -> URL) async throws {
    // Red, green, blue and white corners: the picture lies on its side by `degrees` clockwise.
    let stored = try folder.make(
      "stored.mp4", "-f", "lavfi", "-i", "color=red:size=64x48:rate=30", "-frames:v", "3", "-vf",
      "drawbox=32:0:32:24:lime:fill,drawbox=32:24:32:24:blue:fill,drawbox=0:24:32:24:white:fill",
      "-pix_fmt", "yuv420p")
    let url = try turn(stored)
    let frames = try await VideoReader.read(contentsOf: url)
    let swaps = degrees % 180 == 90
    #expect(
      frames.frameSize == (swaps ? CGSize(width: 48, height: 64) : CGSize(width: 64, height: 48)))
    let frame = try #require(try await frames.all().last).feature
    #expect(frame.width == Int(frames.frameSize.width))
    #expect(frame.height == Int(frames.frameSize.height))
    let corners = [
      (4, 4), (frame.width - 5, 4), (frame.width - 5, frame.height - 5), (4, frame.height - 5),
    ]
    .map { frame.color(x: $0.0, y: $0.1).map { $0 > 128 ? 1 : 0 } }
    let clockwise = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
    let turns = degrees / 90
    let expected = (0..<4).map { (corner: Int) -> [Int] in clockwise[(corner + 4 - turns) % 4] }
    #expect(corners == expected)
  }

  @Test("variable frame rates keep their times")
  func keepsVariableRates() async throws {
    // Twelve frames at growing distances: n²/100 seconds. FFmpeg 7 ends the edit list before the last one, whose
    // duration it does not know.
    let url = try folder.makeMovie(
      "variable.mp4", "-vf", "settb=1/1000,setpts=N*N*10", "-vsync", "passthrough",
      "-enc_time_base", "1/1000", "-pix_fmt", "yuv420p", "-bf", "0", "-use_editlist", "0")
    let all = try await VideoReader.read(contentsOf: url).all()
    #expect(all.map(\.id.range.lowerBound) == (0..<12).map { $0 * $0 * 10_000 })
    #expect(all.allSatisfy { !$0.id.range.isEmpty })
  }

  @Test("repeated and backward time stamps are put in order")
  func ordersTimeStamps() async throws {
    let url = try folder.makeMovie(
      "disorder.mkv", "-c:v", "mjpeg", "-bsf:v", "setts=pts='if(eq(mod(N,4),3),PTS-2*33,PTS)'")
    let all = try await VideoReader.read(contentsOf: url).all()
    #expect(all.count == 12)
    let starts = all.map(\.id.range.lowerBound)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
    #expect(abs((starts.last ?? 0) - 333_000) < 100_000)
  }

  @Test("album art is not a video")
  func ignoresAttachedPictures() async throws {
    let cover = try folder.makeMovie("cover.jpg", frameCount: 1)
    let song = try folder.make(
      "song.m4a", "-f", "lavfi", "-i", "sine=duration=1", "-i", cover.path, "-map", "0", "-map",
      "1", "-c:v", "copy", "-c:a", "aac", "-disposition:v", "attached_pic")
    let error = await expectAsyncError(VideoError.self) {
      try await VideoReader.read(contentsOf: song)
    }
    #expect(error?.code == .noVideo)
  }

  @Test("an event is reported for each frame")
  func reportsEvents() async throws {
    let url = try folder.makeMovie("movie.mp4", "-pix_fmt", "yuv420p")
    let events = Mutex<[Event]>([])
    let frames = try await VideoReader().applied(to: url) { event in
      events.withLock { $0.append(event) }
    }
    _ = try await frames.all()
    let reported = events.withLock { $0 }
    #expect(reported.map(\.itemCount) == Array(1...12))
    #expect(reported.allSatisfy { $0.origin == "VideoReader" && $0.totalItemCount == 12 })
  }
}
