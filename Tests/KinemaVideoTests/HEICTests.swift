import Foundation
import KinemaTestSupport
import KinemaVideo
import Testing

/// Pictures of phones, which libheif decodes.
@Suite(.enabled(if: HEICLibrary.shared != nil, "libheif is not there"))
struct HEICTests {
  private let folder: TemporaryFolder
  private let upright = Frame.sample(7, width: 128, height: 64)

  init() throws { folder = try TemporaryFolder() }

  /// A HEIC picture of a frame.
  private func heic(_ picture: TestHEIC, of frame: Frame? = nil) throws -> URL {
    let frame = frame ?? upright
    try frame.write(to: folder.url("source.png"))
    let url = folder.url("photo.heic")
    try picture.write(
      folder.url("source.png"), size: (frame.width, frame.height), to: url)
    return url
  }

  @Test("a picture is read with eight bits and with ten", arguments: [false, true])
  func reads(tenBits: Bool) throws {
    var picture = TestHEIC()
    picture.hasTenBits = tenBits
    let url = try heic(picture)
    #expect(Frame.isStillPicture(at: url))
    #expect(try Frame(contentsOf: url).peakSignalToNoise(to: upright) > 38)
  }

  @Test("a grid of tiles, as phones write it, is put together and cut to its size")
  func grid() throws {
    let frame = Frame.sample(3, width: 300, height: 170)
    var picture = TestHEIC()
    picture.tiles = (columns: 3, rows: 2)
    let read = try Frame(contentsOf: heic(picture, of: frame))
    #expect((read.width, read.height) == (300, 170))
    #expect(read.peakSignalToNoise(to: frame) > 38)
  }

  @Test(
    "rotation and reflection are applied once", arguments: 0..<4, [false, true])
  func turns(quarterTurns: Int, isMirrored: Bool) throws {
    var picture = TestHEIC()
    (picture.quarterTurns, picture.isMirrored) = (quarterTurns, isMirrored)
    let read = try Frame(contentsOf: heic(picture))
    let (width, height) = (upright.width, upright.height)
    #expect(
      (read.width, read.height) == (quarterTurns % 2 == 0 ? (width, height) : (height, width)))
    // Each corner of the stored picture is where counter-clockwise turns bring it.
    for (x, y) in [(4, 4), (width - 5, 4), (4, height - 5), (width - 5, height - 5)] {
      var (place, size) = ((x: x, y: y), (width: width, height: height))
      for _ in 0..<quarterTurns {
        place = (place.y, size.width - 1 - place.x)
        size = (size.height, size.width)
      }
      if isMirrored { place.x = size.width - 1 - place.x }
      let (found, expected) = (
        read.color(x: place.x, y: place.y), upright.color(x: x, y: y)
      )
      #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 12 }, "\(found) \(expected)")
    }
  }

  @Test("a picture that says it is larger than the limit is refused before it is decoded")
  func refusesLargeOnes() throws {
    var picture = TestHEIC()
    picture.tiles = (columns: 2, rows: 1)
    picture.claimedSize = (width: 20_000, height: 20_000)
    let url = try heic(picture)
    let error = expectError(VideoError.self) { try Frame(contentsOf: url) }
    #expect(error?.code == .tooLarge, "\(error?.message ?? "")")
    #expect(error?.message.contains(url.path) == true)
  }

  @Test("a picture that is cut off is an error with its name, and HEIC is no video")
  func damaged() async throws {
    let url = try heic(TestHEIC())
    let whole = try Data(contentsOf: url)
    for count in [24, 200, whole.count / 2, whole.count - 40] {
      let cut = folder.url("cut \(count).heic")
      try whole.prefix(count).write(to: cut)
      let error = expectError(VideoError.self) { try Frame(contentsOf: cut) }
      #expect(error?.message.contains(cut.path) == true && error?.code == .damaged)
    }
    let error = await expectAsyncError(VideoError.self) {
      try await VideoReader.read(contentsOf: url)
    }
    #expect(error?.code == .noVideo && error?.message.contains("still picture") == true)
  }

  @Test("without libheif in the first folders the system's is taken, if it is there")
  func library() throws {
    let known = try #require(HEICLibrary.shared)
    #expect(known.version.contains("."))
    try Data("no library".utf8).write(to: folder.url("libheif.so.1"))
    // Kinema's own cannot be loaded: what remains is the system's or none.
    #expect(HEICLibrary(in: [folder.url])?.path == nil)
  }
}
