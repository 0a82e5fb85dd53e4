package import Foundation

/// A frame as a WebSocket message: a header of sixteen bytes, then JPEG.
package struct PictureMessage: Sendable {
  /// The start of every frame.
  private static let signature = Data("KFR1".utf8)
  private static let headerLength = 16
  /// The most scans of a picture: each takes as long as decoding a baseline picture of that size.
  ///
  /// Progressive pictures of cameras and programs have about ten.
  static let maximumScanCount = 32

  /// The sender's number of the frame.
  package var sequence: UInt32
  /// When it was taken: milliseconds of the sender's own clock.
  package var time: Double
  /// The upright frame.
  package var jpeg: Data

  package init(sequence: UInt32, time: Double, jpeg: Data) {
    self.sequence = sequence
    self.time = time
    self.jpeg = jpeg
  }

  /// Reads a message; throws ``ServerError`` if it is not a frame.
  package init(_ data: Data) throws {
    guard data.count > Self.headerLength, data.prefix(4) == Self.signature else {
      throw ServerError(.badRequest, MessageText("notFrame"))
    }
    let bytes = data.dropFirst(4).prefix(12)
    sequence = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    time = Double(bitPattern: bytes.dropFirst(4).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    jpeg = data.dropFirst(Self.headerLength)
    guard time.isFinite else {
      throw ServerError(.badRequest, MessageText("badFrameTime", ["number": sequence]))
    }
    guard Self.scanCount(of: jpeg) <= Self.maximumScanCount else {
      throw ServerError(
        .badRequest,
        MessageText("manyScans", ["number": sequence, "limit": Self.maximumScanCount]))
    }
  }

  /// The number of a JPEG's scans, those of embedded thumbnails excluded (ITU-T T.81, annex B).
  private static func scanCount(of jpeg: Data) -> Int {
    jpeg.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      var (place, count) = (0, 0)
      while place + 3 < bytes.count,
        let start = memchr(base + place, 0xFF, bytes.count - place - 3)
      {
        place = UnsafeRawPointer(start) - base
        switch bytes[place + 1] {
        case 0xFF: place += 1
        // A stuffed byte, restart markers, start of image.
        case 0x00, 0x01, 0xD0...0xD8: place += 2
        case 0xD9: return count
        case let marker:
          if marker == 0xDA { count += 1 }
          place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
        }
      }
      return count
    }
  }

  package var data: Data {
    var data = Self.signature
    data.reserveCapacity(Self.headerLength + jpeg.count)
    withUnsafeBytes(of: sequence.littleEndian) { data.append(contentsOf: $0) }
    withUnsafeBytes(of: time.bitPattern.littleEndian) { data.append(contentsOf: $0) }
    data.append(jpeg)
    return data
  }
}
