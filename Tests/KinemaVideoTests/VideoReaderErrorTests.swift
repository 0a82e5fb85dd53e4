import Foundation
import Glibc
import KinemaErrors
import KinemaRandom
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Testing

/// Files that are not videos: each gives one sentence that names the file.
struct VideoReaderErrorTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func error(for url: URL) async throws -> VideoError {
    let error = await expectAsyncError(VideoError.self) {
      _ = try await VideoReader.read(contentsOf: url).all()
    }
    let found = try #require(error)
    #expect(found.message.contains(url.path))
    #expect(found.message.hasSuffix("."))
    #expect(!found.message.contains("\n"))
    #expect(found.message.contains(":"))
    #expect(found.text?.values["file"] == url.path)
    return found
  }

  private func write(_ name: String, _ bytes: Data) throws -> URL {
    let url = folder.url(name)
    try bytes.write(to: url)
    return url
  }

  @Test("a missing file, a folder, a device and an empty file have different errors")
  func refusesWhatIsNoFile() async throws {
    #expect(try await error(for: folder.url("missing.mp4")).code == .fileNotFound)
    #expect(try await error(for: folder.url).message.contains("is a folder"))
    #expect(try await error(for: URL(filePath: "/dev/zero")).message.contains("is a device"))
    #expect(try await error(for: write("empty.mp4", Data())).message.contains("is empty"))
  }

  @Test("an address on the network is refused")
  func refusesAddresses() async throws {
    let url = try #require(URL(string: "https://example.org/movie.mp4"))
    let error = await expectAsyncError(VideoError.self) {
      try await VideoReader.read(contentsOf: url)
    }
    #expect(error?.message.contains("https://example.org/movie.mp4") == true)
  }

  @Test("a file that may not be read says so", .enabled(if: getuid() != 0, "root reads everything"))
  func refusesUnreadableFiles() async throws {
    let url = try folder.makeMovie("secret.mp4")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
    #expect(try await error(for: url).message.contains("permissions"))
  }

  @Test(
    "text, JSON and random bytes are not videos",
    arguments: ["notes.txt", "poses.json", "movie.mp4", "movie.mkv", "clip.gif"])
  func refusesOtherFiles(name: String) async throws {
    let text = Data("{\"frames\": [1, 2, 3]}\n".utf8)
    #expect(try await error(for: write(name, text)).code == .unknownFormat)
    var generator = SeededGenerator(seed: 7)
    let noise = Data((0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let code = try await error(for: write("noise-" + name, noise)).code
    #expect([.unknownFormat, .noVideo, .damaged].contains(code))
  }

  @Test(
    "playlists, which would open other files, are refused",
    arguments: [
      ("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nSECRET\n#EXT-X-ENDLIST\n"),
      ("list.mp4", "ffconcat version 1.0\nfile 'SECRET'\n"),
      ("session.sdp", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nm=video 9 RTP/AVP 96\n"),
      ("list.mpd", "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"></MPD>"),
    ])
  func refusesPlaylists(name: String, text: String) async throws {
    let movie = try folder.makeMovie("secret.ts", "-pix_fmt yuv420p")
    let list = text.replacing("SECRET", with: movie.path)
    #expect(try await error(for: write(name, Data(list.utf8))).code == .unknownFormat)
  }

  @Test("audio alone is not a video", arguments: ["song.mp3", "song.wav", "song.m4a", "song.flac"])
  func refusesSound(name: String) async throws {
    let url = try folder.make(name, "-f", "lavfi", "-i", "sine=duration=1")
    let error = try await error(for: url)
    #expect(error.code == .noVideo)
    #expect(error.message.contains("sound"))
  }

  @Test("a still image is not a video", arguments: ["photo.jpg", "photo.png", "photo.bmp"])
  func refusesPictures(name: String) async throws {
    let url = try folder.makeMovie(name, frameCount: 1)
    #expect(try await error(for: url).message.contains("still picture"))
  }

  @Test("a movie without its index is said to be cut off")
  func refusesMovieWithoutIndex() async throws {
    let whole = try Data(contentsOf: folder.makeMovie("whole.mp4", "-pix_fmt yuv420p"))
    let url = try write("cut.mp4", whole.prefix(whole.count / 2))
    let error = try await error(for: url)
    #expect(error.code == .truncated)
    #expect(error.message.contains("cut off"))
  }

  @Test("a movie with an index and no pictures is said to be damaged")
  func refusesMovieWithoutPictures() async throws {
    let movie = try folder.makeMovie("whole.mp4", "-pix_fmt yuv420p -movflags +faststart")
    let whole = try Data(contentsOf: movie)
    let start = try #require(whole.firstRange(of: Data("mdat".utf8)))
    let url = try write("cut.mp4", whole.prefix(start.upperBound + 20))
    #expect([.damaged, .truncated, .noVideo].contains(try await error(for: url).code))
  }

  @Test("a codec without a decoder is named")
  func refusesUnknownCodecs() async throws {
    let movie = try folder.makeMovie("whole.mp4", "-pix_fmt yuv420p")
    var bytes = try Data(contentsOf: movie)
    // An MP4 sample entry of a codec that FFmpeg knows by name only.
    let entry = try #require(bytes.firstRange(of: Data("avc1".utf8), in: 100..<bytes.count))
    bytes.replaceSubrange(entry, with: Data("icod".utf8))
    let error = try await error(for: write("other.mp4", bytes))
    #expect([.unsupportedCodec, .damaged, .noVideo].contains(error.code))
  }

  @Test("giant frames are refused before memory is allocated")
  func refusesGiantPictures() async throws {
    let movie = try folder.makeMovie("small.avi", "-c:v mjpeg")
    var bytes = try Data(contentsOf: movie)
    // The size in the stream's BITMAPINFOHEADER, behind `strf`, its length and its own length.
    let header = try #require(bytes.firstRange(of: Data("strf".utf8)))
    bytes.replaceSubrange(
      (header.upperBound + 8)..<(header.upperBound + 16), with: Data([0, 0, 1, 0, 0, 0, 1, 0]))
    let url = try write("giant.avi", bytes)
    let frames = try? await VideoReader.read(contentsOf: url)
    if let frames {
      // FFmpeg believed the pictures rather than the header.
      #expect(try await frames.all().allSatisfy { $0.feature.width == 96 })
    } else {
      #expect(try await error(for: url).code == .tooLarge)
    }
  }
}
