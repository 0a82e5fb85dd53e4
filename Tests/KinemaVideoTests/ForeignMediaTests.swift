import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Testing

// Tests in processes of their own.
#if compiler(>=6.2)
  /// Small files that unpack to a lot; memory is that of a process of its own.
  struct ForeignMediaTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    /// The largest memory of this process so far, in megabytes.
    private static var peak: Int {
      let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
      return
        (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? .max)
        / 1024
    }

    /// A picture with chunks that unpack to 300 MB each, and films of it, by ffmpeg, which copies.
    private static let bomb = """
      import struct, subprocess, sys, zlib
      folder, chunk = sys.argv[1], lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
      z = zlib.compress(b"A" * 300_000_000, 9)
      text = chunk(b"zTXt", b"x\\0\\0" + z) + chunk(b"iCCP", b"x\\0\\0" + z)
      pixels = zlib.compress(b"\\0" * 25 * 8)
      head = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0))
      open(folder + "/a.png", "wb").write(head + text + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
      for name in "a.mkv", "a.mov":
          subprocess.run(["ffmpeg", "-v", "error", "-f", "png_pipe", "-i", folder + "/a.png", "-c", "copy", folder + "/" + name], check=True)
      """

    @Test("texts and profiles in pictures are not unpacked")
    func metadata() async throws {
      try Command.run("python3", ["-c", Self.bomb, folder.url.path])
      await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
        let folder = URL(filePath: path)
        let picture = try Frame(contentsOf: folder.appending(path: "a.png"))
        if picture.width != 8 { exit(2) }
        for (index, name) in ["a.mkv", "a.mov"].enumerated() {
          let frames = try await VideoReader.read(contentsOf: folder.appending(path: name))
          var count = 0
          for try await frame in frames where frame.feature.width == 8 { count += 1 }
          if count != 1 { exit(Int32(10 + index)) }
        }
        exit(Self.peak < 250 ? 0 : 3)
      }
    }

    @Test("films of huge pictures are refused without much memory")
    func hugePictures() async throws {
      for name in ["huge.mp4", "huge.ts", "huge.h264"] {
        let url = try folder.make(
          name, "-f", "lavfi", "-i", "color=size=8192x8192:rate=25", "-frames:v", "3", "-c:v",
          "libx264", "-preset", "ultrafast")
        await #expect(processExitsWith: .success) { [path = url.path as String] in
          do {
            let frames = try await VideoReader.read(contentsOf: URL(filePath: path))
            for try await _ in frames {}
            exit(2)
          } catch let error as VideoError {
            exit(error.message.contains(path) && Self.peak < 400 ? 0 : 3)
          }
        }
      }
    }

    @Test("the pictures that a film lets its decoder hold are limited")
    func heldPictures() async throws {
      let url = try folder.make(
        "held.mp4", "-f", "lavfi", "-i", "color=size=7680x4320:rate=25", "-frames:v", "20", "-c:v",
        "libx264", "-preset", "ultrafast", "-x264-params", "ref=16:bframes=3:level=62")
      await #expect(processExitsWith: .success) { [path = url.path as String] in
        do {
          let frames = try await VideoReader.read(contentsOf: URL(filePath: path))
          for try await _ in frames {}
        } catch let error as VideoError {
          if error.code != .tooLarge { exit(2) }
        }
        exit(Self.peak < 1300 ? 0 : 3)
      }
    }

    @Test("codecs of screens and games are not decoded")
    func codecs() async throws {
      let url = try folder.makeMovie("screen.avi", "-c:v zmbv")
      let error = await expectAsyncError(VideoError.self) {
        try await VideoReader.read(contentsOf: url)
      }
      #expect(error?.code == .unsupportedCodec && error?.message.contains("zmbv") == true)
    }
  }
#endif
