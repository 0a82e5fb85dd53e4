package import Foundation

/// A frame as a WebSocket message: a header of sixteen bytes, then JPEG.
package struct PictureMessage: Sendable {
  /// The start of every frame.
  private static let signature = Data("KFR1".utf8)
  private static let headerLength = 16

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
      throw ServerError(
        .badRequest, "A binary message is not a frame: start it with KFR1, number and time.")
    }
    let bytes = data.dropFirst(4).prefix(12)
    sequence = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    time = Double(bitPattern: bytes.dropFirst(4).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    jpeg = data.dropFirst(Self.headerLength)
    guard time.isFinite else {
      throw ServerError(
        .badRequest, "The time of picture \(sequence) is not a number: give milliseconds.")
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
