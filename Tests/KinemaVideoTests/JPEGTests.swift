import Foundation
import KinemaRandom
import KinemaTestSupport
import KinemaVideo
import Testing

struct JPEGTests {
  private let sample = Frame.sample(3, width: 160, height: 120)

  @Test(
    "a picture comes back much as it was, whatever its size",
    arguments: [(160, 120), (161, 121), (1, 1), (15, 7)])
  func roundTrips(width: Int, height: Int) throws {
    let frame = Frame.sample(3, width: width, height: height)
    let back = try Frame(jpeg: frame.jpegData(quality: 90))
    #expect((back.width, back.height) == (width, height))
    #expect(back.peakSignalToNoise(to: frame) > 32)
  }

  @Test("a higher quality takes more bytes and is more like the picture")
  func quality() throws {
    let files = try [20, 80, 95].map { try sample.jpegData(quality: $0) }
    #expect(files.map(\.count) == files.map(\.count).sorted())
    let likeness = try files.map { try Frame(jpeg: $0).peakSignalToNoise(to: sample) }
    #expect(likeness == likeness.sorted())
    #expect(likeness[1] > 34)
  }

  @Test("a JPEG of another program is decoded as that program decodes it")
  func readsOthers() throws {
    let folder = try TemporaryFolder()
    let url = try folder.makeMovie("photo.jpg", frameCount: 1, "-q:v 2 -pix_fmt yuvj444p")
    let frame = try Frame(jpeg: Data(contentsOf: url))
    let reference = try Frame(contentsOf: url)
    #expect(frame.peakSignalToNoise(to: reference) > 35)
  }

  @Test("grey pictures are read")
  func readsGrey() throws {
    // Eight by eight pixels of one component, whose Huffman tables know one code each: "nothing".
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0]
    bytes += Array(repeating: 1, count: 64)
    bytes += [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    for table: UInt8 in [0x00, 0x10] {
      bytes += [0xFF, 0xC4, 0, 20, table, 1] + Array(repeating: 0, count: 15) + [0]
    }
    bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F, 0xFF, 0xD9]
    let frame = try Frame(jpeg: Data(bytes))
    #expect((frame.width, frame.height) == (8, 8))
    #expect(frame.color(x: 4, y: 3) == [128, 128, 128])
  }

  @Test("every picture that is cut off is refused with one sentence")
  func refusesCutPictures() throws {
    let whole = try sample.jpegData()
    for count in stride(from: 0, to: whole.count - 2, by: 7) {
      let error = expectError(VideoError.self) { try Frame(jpeg: whole.prefix(count)) }
      #expect(error?.message.hasSuffix(".") == true)
      #expect(error?.message.contains("\n") == false)
    }
  }

  @Test("what is not a JPEG is refused")
  func refusesOthers() throws {
    for data in [Data(), Data("hello".utf8), Data([0x89, 0x50, 0x4E, 0x47]), Data([0xFF, 0xD8])] {
      #expect(throws: VideoError.self) { try Frame(jpeg: data) }
    }
  }

  @Test("too many pixels are refused before they are decoded")
  func refusesGiants() throws {
    let jpeg = try sample.jpegData()
    #expect(try Frame(jpeg: jpeg, maximumPixelCount: 160 * 120).width == 160)
    let error = expectError(VideoError.self) {
      try Frame(jpeg: jpeg, maximumPixelCount: 160 * 120 - 1)
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains("160 × 120") == true)
    // The height and width in the frame header, behind its marker, length and precision.
    var giant = jpeg
    let header = try #require(giant.firstRange(of: Data([0xFF, 0xC0])))
    giant.replaceSubrange(
      (header.upperBound + 3)..<(header.upperBound + 7), with: Data([0xFF, 0x00, 0xFF, 0x00]))
    #expect(throws: VideoError.self) { try Frame(jpeg: giant) }
  }

  @Test("pictures in printing colours are refused by name")
  func refusesPrintingColors() throws {
    // A frame header of four components, as Adobe's programs write it.
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xEE, 0, 14]
    bytes += Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
    bytes += [0xFF, 0xC0, 0, 20, 8, 0, 8, 0, 8, 4]
    for component in 1...4 { bytes += [UInt8(component), 0x11, 0] }
    bytes += [0xFF, 0xDA, 0, 14, 4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0, 0, 0xFF, 0xD9]
    let error = expectError(VideoError.self) { try Frame(jpeg: Data(bytes)) }
    #expect(error?.code == .unsupportedCodec)
    #expect(error?.message.contains("CMYK") == true)
  }

  @Test("changed bytes give a picture or an error, never a crash", arguments: [UInt64(1), 2])
  func survivesChanges(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let whole = try Frame.sample(9, width: 48, height: 40).jpegData(quality: 60)
    var refusedCount = 0
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.remove(at: index)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
        case 2: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        default: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      do {
        let frame = try Frame(jpeg: bytes)
        #expect(frame.width * frame.height <= Frame.defaultMaximumPixelCount)
      } catch {
        refusedCount += 1
        #expect(error.message.hasSuffix("."))
      }
    }
    #expect(refusedCount > 500)
  }
}
