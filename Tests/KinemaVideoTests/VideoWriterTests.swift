import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Testing

struct VideoWriterTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func stamped(_ frame: Frame, at range: Range<Int>) -> TemporalFeature<Frame> {
    TemporalFeature(
      id: TemporalSegmentIdentifier(source: "test", range: range, timescale: 1_000_000),
      feature: frame)
  }

  /// Writes sample pictures at the given times, in milliseconds.
  private func write(
    _ name: String, width: Int = 96, height: Int = 64, times: [Int], audioFrom source: URL? = nil
  ) async throws -> URL {
    let url = folder.url(name)
    let writer = try await VideoWriter(
      url: url, size: CGSize(width: width, height: height), audioFrom: source)
    for (index, time) in times.enumerated() {
      let end = index + 1 < times.count ? times[index + 1] : time + 40
      let range = (time * 1000)..<(max(end, time + 1) * 1000)
      try await writer.append(stamped(.sample(index, width: width, height: height), at: range))
    }
    try await writer.finish()
    return url
  }

  @Test("what is written is read again: pictures, times and size")
  func roundTrips() async throws {
    let times = (0..<30).map { $0 * 40 }
    let url = try await write("movie.mp4", times: times)
    let frames = try await VideoReader.read(contentsOf: url)
    #expect(frames.frameSize == CGSize(width: 96, height: 64))
    let all = try await frames.all()
    #expect(all.map(\.id.range.lowerBound) == times.map { $0 * 1000 })
    #expect(all.last?.id.range == 1_160_000..<1_200_000)
    for (index, frame) in all.enumerated() {
      let sample = Frame.sample(index, width: 96, height: 64)
      #expect(frame.feature.peakSignalToNoise(to: sample) > 34)
    }
    #expect(folder.names == ["movie.mp4"])
    let codec = try Command.probe(url, stream: "v", entries: "stream=codec_name,pix_fmt")
    #expect(codec == ["h264,yuv420p"])
    let bytes = try Data(contentsOf: url)
    let index = try #require(bytes.firstRange(of: Data("moov".utf8)))
    let pictures = try #require(bytes.firstRange(of: Data("mdat".utf8)))
    #expect(index.lowerBound < pictures.lowerBound)
  }

  @Test("variable rates, long gaps and repeated times survive")
  func keepsTimes() async throws {
    let url = try await write("movie.mp4", times: [0, 10, 30, 31, 500, 10_000, 10_000, 10_033])
    let starts = try await VideoReader.read(contentsOf: url).all().map(\.id.range.lowerBound)
    let expected = [0, 10_000, 30_000, 31_000, 500_000, 10_000_000, 10_000_011, 10_033_000]
    #expect(zip(starts, expected).allSatisfy { abs($0 - $1) <= 12 })
    #expect(starts.count == expected.count)
  }

  @Test(
    "an odd side is made one pixel shorter", arguments: [(97, 65), (2, 3), (96, 65), (1919, 17)])
  func writesOddSizes(width: Int, height: Int) async throws {
    let url = try await write("odd.mp4", width: width, height: height, times: [0, 40, 80])
    let all = try await VideoReader.read(contentsOf: url).all()
    #expect(all.count == 3)
    #expect(all[0].feature.width == width / 2 * 2)
    #expect(all[0].feature.height == height / 2 * 2)
  }

  @Test("frames of another size are scaled")
  func scalesFrames() async throws {
    let url = folder.url("scaled.mp4")
    let writer = try await VideoWriter(url: url, size: CGSize(width: 96, height: 64))
    try await writer.append(stamped(.sample(3, width: 960, height: 640), at: 0..<40_000))
    try await writer.finish()
    let all = try await VideoReader.read(contentsOf: url).all()
    #expect(all[0].feature.peakSignalToNoise(to: .sample(3, width: 96, height: 64)) > 30)
  }

  @Test(
    "the audio of the source is copied",
    arguments: [
      ("source.mp4", "-c:a aac", "aac"), ("source.mkv", "-c:a libmp3lame", "mp3"),
      ("source.mov", "-c:a pcm_s16le", "aac"), ("source.webm", "-c:a libvorbis", "aac"),
      ("opus.webm", "-c:a libopus", "opus"), ("source.ts", "-c:a aac", "aac"),
      ("source.avi", "-c:a ac3", "ac3"), ("old.avi", "-c:a pcm_u8 -ar 11025 -ac 1", "aac"),
      ("song.wav", "-vn", "aac"),
    ])
  func keepsSound(name: String, options: String, codec: String) async throws {
    let video = name.hasSuffix("webm") ? "-c:v libvpx -cpu-used 8" : "-pix_fmt yuv420p"
    let source = try folder.makeMovie(
      name, frameCount: 60, "-f lavfi -i sine=frequency=440:duration=2 \(video) \(options)")
    let url = try await write("with-sound.mp4", times: (0..<50).map { $0 * 40 }, audioFrom: source)
    let codecs = try Command.probe(url, stream: "a", entries: "stream=codec_name")
    #expect(codecs.first?.prefix { $0 != "," } == codec[...])
    let times = try Command.probe(url, stream: "a", entries: "packet=pts_time")
      .compactMap { Double($0.prefix { $0 != "," }) }
    let (first, last) = (try #require(times.first), try #require(times.last))
    #expect(abs(first) < 0.1)
    #expect((1.85...2.01).contains(last))
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    // It still sounds: the tone is as loud as in the source.
    let level = try loudness(of: url)
    #expect(abs(level - (try loudness(of: source))) < 2)
    // Sound and pictures lie side by side in the file.
    let order = try Command.probe(url, stream: "a", entries: "packet=pos")
      .compactMap { Int($0.prefix { $0 != "," }) }
    let pictures = try Command.probe(url, stream: "v", entries: "packet=pos")
      .compactMap { Int($0.prefix { $0 != "," }) }
    #expect((order.first ?? 0) < (pictures.last ?? 0))
    #expect((pictures.first ?? 0) < (order.last ?? 0))
  }

  /// The mean level of a file's sound in decibels.
  private func loudness(of url: URL) throws -> Double {
    let samples = try Command.run(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", url.path, "-f", "s16le", "-ac", "1", "-"])
    let squares = samples.withUnsafeBytes { bytes in
      bytes.bindMemory(to: Int16.self).reduce(0.0) { $0 + Double($1) * Double($1) }
    }
    return 10 * log10(squares / Double(samples.count / 2))
  }

  @Test("a source without sound gives a video without sound")
  func acceptsSilentSource() async throws {
    let source = try folder.makeMovie("silent.mp4", "-pix_fmt yuv420p")
    let url = try await write("movie.mp4", times: [0, 40, 80], audioFrom: source)
    #expect(try Command.probe(url, stream: "a", entries: "stream=codec_name").isEmpty)
    #expect(try await VideoReader.read(contentsOf: url).all().count == 3)
  }

  @Test("sound ends with the last frame")
  func cutsSound() async throws {
    let source = try folder.make("long.m4a", "-f", "lavfi", "-i", "sine=duration=20")
    let url = try await write("short.mp4", times: (0..<25).map { $0 * 40 }, audioFrom: source)
    let duration = try Command.probe(url, stream: "a", entries: "stream=duration")
    #expect(abs((duration.first.flatMap { Double($0) } ?? 0) - 1) < 0.05)
  }

  @Test("a cancelled or released writer leaves nothing behind")
  func removesTemporaryFile() async throws {
    let url = folder.url("movie.mp4")
    try Data("old".utf8).write(to: url)
    do {
      let writer = try await VideoWriter(url: url, size: CGSize(width: 96, height: 64))
      try await writer.append(stamped(.sample(0, width: 96, height: 64), at: 0..<40_000))
      #expect(folder.names.count == 2)
      writer.cancel()
      #expect(folder.names == ["movie.mp4"])
      let error = await expectAsyncError(VideoError.self) {
        try await writer.append(stamped(.sample(1, width: 96, height: 64), at: 40_000..<80_000))
      }
      #expect(error?.code == .writerClosed)
      await #expect(throws: VideoError.self) { try await writer.finish() }
    }
    do {
      let writer = try await VideoWriter(url: url, size: CGSize(width: 96, height: 64))
      try await writer.append(stamped(.sample(0, width: 96, height: 64), at: 0..<40_000))
    }
    #expect(folder.names == ["movie.mp4"])
    #expect(try Data(contentsOf: url) == Data("old".utf8))
  }

  @Test("a cancelled task cancels the writer")
  func cancelsWithTask() async throws {
    let url = folder.url("movie.mp4")
    let writer = try await VideoWriter(url: url, size: CGSize(width: 96, height: 64))
    let task = Task {
      for index in 0..<100_000 {
        let range = (index * 1000)..<(index * 1000 + 1000)
        try await writer.append(stamped(.sample(index % 30, width: 96, height: 64), at: range))
      }
    }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(folder.names.isEmpty)
  }

  @Test("places that cannot be written give one sentence")
  func refusesBadPlaces() async throws {
    let file = folder.url("file")
    try Data("x".utf8).write(to: file)
    for url in [
      folder.url("missing/movie.mp4"), file.appending(path: "movie.mp4"), folder.url,
      URL(filePath: "/proc/movie.mp4"),
    ] {
      let error = await expectAsyncError(VideoError.self) {
        _ = try await VideoWriter(url: url, size: CGSize(width: 96, height: 64))
      }
      #expect(error?.code == .cannotWrite)
      #expect(error?.message.contains(url.path) == true)
    }
    let error = await expectAsyncError(VideoError.self) {
      _ = try await VideoWriter(url: folder.url("a.mp4"), size: CGSize(width: 1, height: 64))
    }
    #expect(error?.message.contains("1") == true)
    await #expect(throws: VideoError.self) {
      _ = try await VideoWriter(
        url: folder.url("b.mp4"), size: CGSize(width: 96, height: 64),
        audioFrom: folder.url("missing.mp4"))
    }
    #expect(folder.names == ["file"])
  }

  @Test("a writer without frames still finishes or says why")
  func finishesWithoutFrames() async throws {
    let url = folder.url("none.mp4")
    let writer = try await VideoWriter(url: url, size: CGSize(width: 96, height: 64))
    try? await writer.finish()
    #expect(folder.names.allSatisfy { $0 == "none.mp4" })
  }
}
