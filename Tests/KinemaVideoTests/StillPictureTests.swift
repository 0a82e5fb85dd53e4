import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Testing

struct StillPictureTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(
    "common picture formats are read",
    arguments: ["photo.jpg", "photo.png", "photo.webp", "photo.bmp", "photo.tiff", "photo.ppm"])
  func readsFormats(name: String) throws {
    let url = try folder.makeMovie(name, frameCount: 1, "-vf scale=97:65")
    #expect(Frame.isStillPicture(at: url))
    let frame = try Frame(contentsOf: url)
    #expect((frame.width, frame.height) == (97, 65))
    let reference = try Command.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", url.path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    let difference = zip(frame.rgb, reference).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(difference) / Double(reference.count) < 3)
  }

  @Test("Netpbm pictures whose header is on one line are read; a text that begins like one is none")
  func portableMaps() throws {
    let (width, height) = (6, 4)
    let colors = (0..<(3 * width * height)).map { UInt8($0) }
    for (header, bytes, name) in [
      ("P6 6 4 255\n", colors, "color.ppm"),
      ("P5\t6 4 255\n", Array(colors.prefix(24)), "gray.pgm"),
      ("P3 6 4 255\n", Array(colors.map { "\($0) " }.joined().utf8), "text.ppm"),
    ] {
      let url = folder.url(name)
      try Data(Array(header.utf8) + bytes).write(to: url)
      #expect(Frame.isStillPicture(at: url))
      let frame = try Frame(contentsOf: url)
      #expect((frame.width, frame.height) == (width, height))
      let first = name == "gray.pgm" ? [0, 0, 0, 1, 1, 1] : [0, 1, 2, 3, 4, 5]
      #expect(zip(frame.rgb, first).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(name)")
    }
    let letter = folder.url("letter.txt")
    try Data("P6 is the name of a road, and this is a letter about it.".utf8).write(to: letter)
    #expect(throws: VideoError.self) { try Frame(contentsOf: letter) }
  }

  @Test("a picture is known by its content, not by its name")
  func isKnownByContent() throws {
    let picture = try folder.makeMovie("photo.png", frameCount: 1)
    let movie = try folder.makeMovie("movie.mp4", "-pix_fmt yuv420p")
    let disguisedPicture = folder.url("photo.mp4")
    let disguisedMovie = folder.url("movie.png")
    try FileManager.default.copyItem(at: picture, to: disguisedPicture)
    try FileManager.default.copyItem(at: movie, to: disguisedMovie)
    #expect(Frame.isStillPicture(at: disguisedPicture))
    #expect(!Frame.isStillPicture(at: disguisedMovie))
    #expect(!Frame.isStillPicture(at: folder.url("missing.png")))
    #expect(!Frame.isStillPicture(at: folder.url))
    #expect(try Frame(contentsOf: disguisedPicture).width == 96)
  }

  @Test("all eight Exif orientations are applied", arguments: 1...8, ["jpg", "png", "tiff"])
  func appliesOrientation(value: Int, format: String) throws {
    // Upright: red, green / white, blue corners.
    var upright = Frame(width: 48, height: 32)
    upright.withUnsafeMutableBytes { bytes in
      for y in 0..<32 {
        for x in 0..<48 {
          let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [255, 255, 255], [0, 0, 255]]
          let color = colors[(y < 16 ? 0 : 2) + (x < 24 ? 0 : 1)]
          for channel in 0..<3 { bytes[(y * 48 + x) * 4 + channel] = color[channel] }
        }
      }
    }
    // ffmpeg filters that make the stored picture which the orientation turns upright again.
    let filters = [
      "null", "hflip", "hflip,vflip", "vflip", "transpose=cclock_flip", "transpose=cclock",
      "transpose=clock_flip", "transpose=clock",
    ]
    let original = folder.url("upright.png")
    try upright.write(to: original)
    let stored = try folder.make(
      "stored.\(format)", "-i", original.path, "-vf", filters[value - 1], "-q:v", "2")
    let url = folder.url("tagged.\(format)")
    try tagged(Data(contentsOf: stored), format: format, orientation: UInt8(value)).write(to: url)
    let frame = try Frame(contentsOf: url)
    #expect((frame.width, frame.height) == (48, 32))
    #expect(frame.peakSignalToNoise(to: upright) > 25)
  }

  @Test(
    "rotation and mirroring of AVIF pictures are applied",
    .enabled(if: SharedData.isPresent, SharedData.reason),
    arguments: [
      ("irot", 0, "transpose=cclock"), ("irot", 1, "transpose=cclock,transpose=cclock"),
      ("irot", 2, "transpose=clock"), ("irot", 3, "null"), ("imir", 0, "transpose=cclock,vflip"),
      ("imir", 1, "transpose=cclock,hflip"),
    ])
  func turnsAVIF(property: String, value: UInt8, filter: String) async throws {
    // The file is turned to the left, and says so by its property.
    var bytes = try Data(contentsOf: SharedData.url("cases/orientation6.avif"))
    let place = try #require(bytes.range(of: Data("irot".utf8)))
    bytes.replaceSubrange(place, with: Data(property.utf8))
    bytes[place.upperBound] = value
    let url = folder.url("a.avif")
    try bytes.write(to: url)
    let upright = SharedData.url("cases/upright.jpg").path
    let expected = try Frame(
      contentsOf: folder.make("expected.png", "-i", upright, "-vf", filter))
    let frames = try await VideoReader.read(contentsOf: url).all()
    #expect(frames.count == 1)
    let frame = try #require(frames.first?.feature)
    #expect((frame.width, frame.height) == (expected.width, expected.height))
    #expect(frame.peakSignalToNoise(to: expected) > 25)
  }

  /// Puts an Exif block with an orientation into a picture.
  private func tagged(_ picture: Data, format: String, orientation: UInt8) -> Data {
    let exif: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0,
      0, 0,
    ]
    var bytes = picture
    if format == "tiff" {
      // A copy of the directory with the tag, at the end. ffmpeg writes little-endian files.
      func number(at place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      let directory = number(at: 4, 4)
      var entries = (0..<number(at: directory, 2)).map { index in
        Array(bytes[directory + 2 + index * 12..<directory + 14 + index * 12])
      }
      entries.append([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0])
      entries.sort { ($0[1], $0[0]) < ($1[1], $1[0]) }
      let place = UInt32(bytes.count)
      bytes.replaceSubrange(4..<8, with: withUnsafeBytes(of: place.littleEndian) { Array($0) })
      bytes += [UInt8(entries.count), 0] + entries.joined() + [0, 0, 0, 0]
    } else if format == "jpg" {
      let block = Array("Exif".utf8) + [0, 0] + exif
      bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(block.count + 2)] + block, at: 2)
    } else {
      // Behind the signature and the header chunk; FFmpeg does not check sums of chunks it skips.
      let chunk = [0, 0, 0, UInt8(exif.count)] + Array("eXIf".utf8) + exif + [0, 0, 0, 0]
      bytes.insert(contentsOf: chunk, at: 33)
    }
    return bytes
  }

  @Test(
    "pictures are written and read again",
    arguments: [("a.png", 99.0), ("a.jpg", 38), ("a.JPEG", 38)])
  func roundTrips(name: String, likeness: Double) throws {
    let frame = Frame.sample(5, width: 101, height: 67)
    let url = folder.url(name)
    try frame.write(to: url)
    #expect(try Frame(contentsOf: url).peakSignalToNoise(to: frame) > min(likeness, 60))
    #expect(folder.names == [name])
  }

  @Test("a file that is not a still image gives one sentence")
  func refusesOtherFiles() throws {
    let movie = try folder.makeMovie("movie.mp4", "-pix_fmt yuv420p")
    let text = folder.url("notes.png")
    try Data("hello".utf8).write(to: text)
    let picture = try folder.makeMovie("photo.png", frameCount: 1)
    let cut = folder.url("cut.png")
    try Data(contentsOf: picture).prefix(60).write(to: cut)
    for url in [movie, text, cut, folder.url("missing.png"), folder.url] {
      let error = expectError(VideoError.self) { try Frame(contentsOf: url) }
      #expect(error?.message.contains(url.path) == true)
      #expect(error?.message.hasSuffix(".") == true)
    }
  }

  @Test("a picture is not written under a name that says something else")
  func refusesUnknownExtensions() throws {
    let frame = Frame.sample(0, width: 8, height: 8)
    let error = expectError(VideoError.self) { try frame.write(to: folder.url("a.xyz")) }
    #expect(error?.code == .unsupportedCodec)
    #expect(throws: VideoError.self) { try frame.write(to: folder.url("missing/a.png")) }
    #expect(folder.names.isEmpty)
  }
}
