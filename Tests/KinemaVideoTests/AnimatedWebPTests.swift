import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Testing

/// Animated WebP, which libwebp decodes.
struct AnimatedWebPTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func animation(_ frameCount: Int = 12, _ options: String = "-pix_fmt bgra -lossless 1")
    throws -> URL
  {
    try folder.makeMovie("a.webp", frameCount: frameCount, "-c:v libwebp_anim \(options)")
  }

  @Test("an animation is a video with its frames at their times")
  func reads() async throws {
    let url = try animation()
    #expect(!Frame.isStillPicture(at: url))
    let frames = try await VideoReader.read(contentsOf: url)
    #expect(frames.frameSize == CGSize(width: 96, height: 64))
    #expect(frames.estimatedFrameCount == 12)
    #expect(abs((frames.videoDuration ?? 0) - 0.4) < 0.003)
    #expect(abs(frames.nominalFrameRate - 30) < 0.3)
    let all = try await frames.all()
    // WebP counts in milliseconds.
    #expect(all.count == 12)
    for (index, frame) in all.enumerated() {
      #expect(abs(frame.id.rangeInSeconds.lowerBound - Double(index) / 30) < 0.0021)
    }
    let movie = try folder.makeMovie("a.mkv", "-c:v ffv1 -pix_fmt bgr0")
    let expected = try await VideoReader.read(contentsOf: movie).all()
    for (frame, other) in zip(all, expected) {
      #expect(frame.feature.peakSignalToNoise(to: other.feature) > 45)
    }
  }

  @Test("it is not split, and read again from a time on")
  func demand() async throws {
    let url = try animation(60)
    #expect(try await VideoSegmenter.short(length: 0.3).segments(of: url) == [.whole])
    var iterator = try await VideoReader.read(ofFileAt: url, isOnDemand: true).makeAsyncIterator()
    let first = try #require(try await iterator.next())
    let later = try #require(try await iterator.next(from: 1_000_000))
    #expect(first.id.range.lowerBound == 0)
    #expect((1_000_000..<1_040_000).contains(later.id.range.lowerBound))
  }

  @Test("frames that are shown for no time are shown for a tenth of a second, as in browsers")
  func durations() async throws {
    let url = try animation(3)
    var bytes = try Data(contentsOf: url)
    var start = bytes.startIndex
    while let range = bytes.range(of: Data("ANMF".utf8), in: start..<bytes.endIndex) {
      // After the chunk's length: place and size, three bytes each, and the milliseconds.
      let duration = range.upperBound + 4 + 12
      bytes.replaceSubrange(duration..<duration + 3, with: [0, 0, 0])
      start = range.upperBound
    }
    try bytes.write(to: url)
    let frames = try await VideoReader.read(contentsOf: url).all()
    #expect(frames.map(\.id.range) == [0..<100_000, 100_000..<200_000, 200_000..<300_000])
  }

  @Test("a file that is cut off, or has too large pictures, is an error with its name")
  func refuses() async throws {
    let url = try animation()
    let whole = try Data(contentsOf: url)
    for count in [24, 60, whole.count / 2] {
      try whole.prefix(count).write(to: url)
      let error = await expectAsyncError(VideoError.self) {
        try await VideoReader.read(contentsOf: url)
      }
      #expect(error?.message.contains(url.path) == true && error?.code == .damaged)
    }
    var large = whole
    // The canvas in VP8X: width and height less one, three bytes each, behind the flags.
    large.replaceSubrange(24..<30, with: [0xFF, 0xFF, 0, 0xFF, 0xFF, 0])
    try large.write(to: url)
    await #expect(throws: VideoError.self) { try await VideoReader.read(contentsOf: url) }
  }

  @Test("a damaged frame ends the animation with a warning, and the frames before it are there")
  func damaged() async throws {
    let url = try animation()
    var bytes = try Data(contentsOf: url)
    var places: [Data.Index] = []
    while let range = bytes.range(
      of: Data("VP8L".utf8), in: (places.last ?? bytes.startIndex)..<bytes.endIndex)
    {
      places.append(range.upperBound)
    }
    try #require(places.count == 12)
    // Behind the chunk's length, and the signature and size of a lossless picture.
    for place in places[6...] {
      bytes.replaceSubrange(place + 9..<place + 33, with: Data(repeating: 0xFF, count: 24))
    }
    try bytes.write(to: url)
    let frames = try await VideoReader.read(contentsOf: url)
    #expect(try await frames.all().count == 6)
    #expect(frames.warnings.contains { $0.contains("cut off or damaged") })
  }

  @Test("an animation is annotated as a video without sound")
  func sound() async throws {
    let source = try animation()
    let writer = try await VideoWriter(
      url: folder.url("out.mp4"), size: CGSize(width: 96, height: 64), audioFrom: source)
    for try await frame in try await VideoReader.read(contentsOf: source) {
      try await writer.append(frame)
    }
    try await writer.finish()
    let codecs = try Command.probe(folder.url("out.mp4"), stream: "a", entries: "stream=codec_name")
    #expect(codecs.isEmpty)
    #expect(try await VideoReader.read(contentsOf: folder.url("out.mp4")).all().count == 12)
  }
}
