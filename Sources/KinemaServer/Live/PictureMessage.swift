package import Foundation

/// A picture as it goes over a WebSocket: sixteen bytes about it, then JPEG.
package struct PictureMessage: Sendable {
  /// What every picture begins with.
  private static let signature = Data("KFR1".utf8)
  private static let headerLength = 16

  /// The sender's number of the picture.
  package var sequence: UInt32
  /// When it was taken: milliseconds of the sender's own clock.
  package var time: Double
  /// The picture, upright.
  package var jpeg: Data

  package init(sequence: UInt32, time: Double, jpeg: Data) {
    self.sequence = sequence
    self.time = time
    self.jpeg = jpeg
  }

  /// Reads a message.
  ///
  /// - Throws: ``ServerError`` where it is no picture.
  package init(_ data: Data) throws {
    guard data.count > Self.headerLength, data.prefix(4) == Self.signature else {
      throw ServerError(
        .badRequest, "A binary message is no picture: begin it with KFR1, number and time.")
    }
    let bytes = data.dropFirst(4).prefix(12)
    sequence = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    time = Double(
      bitPattern: bytes.dropFirst(4).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    jpeg = data.dropFirst(Self.headerLength)
    guard time.isFinite else {
      throw ServerError(
        .badRequest, "The time of picture \(sequence) is not a number: give milliseconds.")
    }
  }

  /// The message.
  package var data: Data {
    var data = Self.signature
    data.reserveCapacity(Self.headerLength + jpeg.count)
    withUnsafeBytes(of: sequence.littleEndian) { data.append(contentsOf: $0) }
    withUnsafeBytes(of: time.bitPattern.littleEndian) { data.append(contentsOf: $0) }
    data.append(jpeg)
    return data
  }
}
