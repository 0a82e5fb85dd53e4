import Foundation
import Glibc
import Kinema
import KinemaErrors
import KinemaServer
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Testing

@Suite("Child processes that decode files", .serialized)
struct MediaChildrenTests {
  private let folder: TemporaryFolder
  private let children = MediaChildren(executable: Tool.executable)

  init() throws { folder = try TemporaryFolder() }

  private func all(_ frames: AsyncFrames) async throws -> [TemporalFeature<Frame>] {
    var all: [TemporalFeature<Frame>] = []
    for try await frame in frames { all.append(frame) }
    return all
  }

  /// The child that waits, when it has given all frames.
  private func idleProcess() async throws -> Int32 {
    try await waitUntil { !children.idleProcesses.isEmpty }
    // The next file has the one that came last.
    return try #require(children.idleProcesses.last)
  }

  @Test(
    "a child gives the frames, times and warnings that this process decodes",
    arguments: [
      ("-c:v libx264 -pix_fmt yuv420p", 0), ("-vf setsar=4/3 -c:v libx264", 0),
      ("-c:v libx264 -pix_fmt yuv420p", 90), ("-c:v mpeg4", 0),
    ])
  func sameFrames(options: String, degrees: Int) async throws {
    let movie = try folder.makeMovie("movie.mp4", size: "98x66", options)
    let url = degrees == 0 ? movie : try folder.turned(movie, by: degrees)
    let own = try await VideoReader.read(contentsOf: url)
    let theirs = try await children.frames(of: url)
    #expect(own.frameSize == theirs.frameSize && own.videoDuration == theirs.videoDuration)
    #expect(own.nominalFrameRate == theirs.nominalFrameRate)
    #expect(own.estimatedFrameCount == theirs.estimatedFrameCount)
    let (expected, found) = (try await all(own), try await all(theirs))
    #expect(expected.count == found.count && !found.isEmpty)
    for (one, other) in zip(expected, found) {
      #expect(one.id == other.id)
      #expect(one.feature.width == other.feature.width)
      let isEqual = one.feature.withUnsafeBytes { bytes in
        other.feature.withUnsafeBytes { bytes.elementsEqual($0) }
      }
      #expect(isEqual)
    }
    #expect(own.warnings == theirs.warnings)
    // One child did it all, and waits.
    _ = try await all(try await children.frames(of: url))
    #expect(try await waitUntil { children.idleProcesses.count == 1 })
  }

  @Test("a child decodes animated WebP and HEIC as this process does")
  func libraries() async throws {
    let animation = try folder.makeMovie("a.webp", "-c:v libwebp_anim")
    let own = try await all(try await VideoReader.read(contentsOf: animation))
    let theirs = try await all(try await children.frames(of: animation))
    #expect(own.map(\.id) == theirs.map(\.id) && own.count == 12)
    let segments = try await children.segments(of: animation, by: VideoSegmenter())
    #expect(segments == [.whole])
    guard HEICLibrary.shared != nil else { return }
    let source = try folder.makeMovie("photo.png", size: "320x192", frameCount: 1)
    var picture = TestHEIC()
    picture.tiles = (columns: 2, rows: 2)
    try picture.write(source, size: (320, 192), to: folder.url("photo.heic"))
    let expected = try Frame(contentsOf: folder.url("photo.heic"))
    #expect(Frame.isStillPicture(at: folder.url("photo.heic"), in: children))
    let found = try Frame(contentsOf: folder.url("photo.heic"), in: children)
    let isEqual = expected.withUnsafeBytes { bytes in
      found.withUnsafeBytes { bytes.elementsEqual($0) }
    }
    #expect(isEqual && found.width == 320)
  }

  @Test("a damaged file has the same frames and warnings, and what is no video the same error")
  func damage() async throws {
    let whole = try folder.makeMovie("whole.ts", frameCount: 60, "-c:v libx264")
    let bytes = try Data(contentsOf: whole)
    var damaged = bytes
    damaged.replaceSubrange(9000..<9600, with: Data(repeating: 0xff, count: 600))
    let url = folder.url("damaged.ts")
    try damaged.write(to: url)
    let (own, theirs) = (
      try await VideoReader.read(contentsOf: url), try await children.frames(of: url)
    )
    let (ours, others) = (try await all(own), try await all(theirs))
    #expect(ours.map(\.id) == others.map(\.id))
    #expect(own.warnings == theirs.warnings)
    try Data("not a video".utf8).write(to: folder.url("text.mp4"))
    try Data().write(to: folder.url("empty.mp4"))
    for name in ["text.mp4", "empty.mp4", "missing.mp4"] {
      let file = folder.url(name)
      let expected = await expectAsyncError(VideoError.self) {
        try await VideoReader.read(contentsOf: file)
      }
      let found = await expectAsyncError(VideoError.self) { try await children.frames(of: file) }
      #expect(found?.code == expected?.code && found?.text == expected?.text)
      #expect(found?.message == expected?.message)
    }
    #expect(try await waitUntil { children.idleProcesses.count == 1 })
  }

  @Test("a child whose file is left after its header, or between two frames, takes the next file")
  func leftFiles() async throws {
    let url = try folder.makeMovie("movie.mp4", "-c:v libx264 -pix_fmt yuv420p")
    let expected = try await all(try await VideoReader.read(contentsOf: url))
    let process = try await { () async throws in
      _ = try await all(try await children.frames(of: url))
      return try await idleProcess()
    }()
    for count in [0, 1, 5, 0] {
      var frames: AsyncFrames? = try await children.frames(of: url, isOnDemand: true)
      #expect(frames?.estimatedFrameCount == expected.count)
      if count > 0 {
        var iterator = frames?.makeAsyncIterator()
        for frame in expected.prefix(count) { #expect(try await iterator?.next()?.id == frame.id) }
        iterator = nil
      }
      frames = nil
      #expect(try await idleProcess() == process)
    }
    let found = try await all(try await children.frames(of: url))
    #expect(found.map(\.id) == expected.map(\.id))
    #expect(try await idleProcess() == process)
  }

  @Test("a child finds the segments that this process finds")
  func segments() async throws {
    let url = try folder.makeMovie(
      "long.mp4", frameCount: 30 * 45, "-c:v libx264 -preset ultrafast -g 30")
    let expected = try await VideoSegmenter().segments(of: url)
    #expect(expected.count > 1)
    #expect(try await children.segments(of: url, by: VideoSegmenter()) == expected)
  }

  @Test("a child checks models, and says of each what this process says")
  func models() async throws {
    var damaged = try Data(contentsOf: BuiltInModel.exercise.url)
    damaged.removeLast(damaged.count / 2)
    let files = [
      ("good", try Data(contentsOf: BuiltInModel.exercise.url)), ("damaged", damaged),
      ("text", Data("{}".utf8)), ("counter", try Data(contentsOf: BuiltInModel.repetitions.url)),
    ]
    for (name, data) in files {
      try data.write(to: folder.url(name))
      let expected = Result { try ActionClassifier(Array(data), name: "\(name).mlmodel") }
      let found = Result {
        try children.check(folder.url(name), by: ModelCheck.name, as: "\(name).mlmodel")
      }
      #expect(error(of: expected)?.message == error(of: found)?.message)
      #expect((error(of: found) == nil) == (name == "good"))
    }
    #expect(throws: VideoError.self) {
      try children.check(folder.url("good"), by: "nothing", as: "good")
    }
    #expect(children.idleProcesses.count == 1)
  }

  private func error(of result: Result<some Any, any Error>) -> (any Reported)? {
    guard case .failure(let error) = result else { return nil }
    return error as? any Reported
  }

  @Test("a child has no privileges, no files to write and a limit of memory")
  func sandbox() async throws {
    let url = try folder.makeMovie("movie.mp4", "-c:v libx264")
    _ = try await all(try await children.frames(of: url))
    let id = try await idleProcess()
    let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"))
    let limits = try String(contentsOfFile: "/proc/\(id)/limits", encoding: .utf8)
    let rows = limits.split(separator: "\n").map { $0.split(separator: " ") }
    func limit(_ name: String) -> Substring? {
      rows.first { $0.joined(separator: " ").hasPrefix(name) }?.dropFirst(
        name.split(separator: " ").count
      ).first
    }
    #expect(limit("Max file size") == "0" && limit("Max core file size") == "0")
    #expect(limit("Max data size") == "\(2 << 30)")
    #expect(limit("Max cpu time").flatMap { Int($0) }.map { $0 <= 7300 } == true)
  }

  @Test(
    "a child that is killed fails its file with a sentence, and the next file has another child")
  func killed() async throws {
    let url = try folder.makeMovie("movie.mp4", frameCount: 300, "-c:v libx264")
    for count in [0, 1, 40] {
      _ = try await all(try await children.frames(of: url))
      let id = try await idleProcess()
      let frames = try await children.frames(of: url)
      var iterator = frames.makeAsyncIterator()
      for _ in 0..<count { _ = try await iterator.next() }
      kill(id, SIGKILL)
      let error = await expectAsyncError(VideoError.self) {
        while try await iterator.next() != nil {}
      }
      #expect(error?.text?.name == "decoderDied")
      #expect(error?.message.contains("movie.mp4") == true)
      #expect(try await all(try await children.frames(of: url)).count == 300)
      #expect(!children.idleProcesses.contains(id))
    }
  }

  @Test("a child that dies while it waits fails no file")
  func killedIdle() async throws {
    let url = try folder.makeMovie("movie.mp4", "-c:v libx264")
    for _ in 0..<20 {
      _ = try await all(try await children.frames(of: url))
      kill(try await idleProcess(), SIGKILL)
    }
    #expect(try await all(try await children.frames(of: url)).count == 12)
  }

  @Test("reading that is broken off ends the child, and leaves no process behind")
  func cancelled() async throws {
    let url = try folder.makeMovie("movie.mp4", frameCount: 300, "-c:v libx264")
    _ = try await all(try await children.frames(of: url))
    let id = try await idleProcess()
    do {
      var iterator = try await children.frames(of: url).makeAsyncIterator()
      _ = try await iterator.next()
    }
    #expect(try await waitUntil { kill(id, 0) != 0 })
    #expect(children.idleProcesses.isEmpty)
  }
}
