/// One picture of a video: rows of four-byte pixels (red, green, blue, and one byte that is not
/// used), the first row at the top.
///
/// A copy shares its pixels until one of the copies is changed.
public struct Frame: Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  private var buffer: PixelBuffer

  /// Creates a black picture.
  ///
  /// - Parameters:
  ///   - width: The width in pixels, at least 1.
  ///   - height: The height in pixels, at least 1.
  public init(width: Int, height: Int) {
    precondition(width > 0 && height > 0, "A Frame must have at least one pixel.")
    self.width = width
    self.height = height
    buffer = PixelBuffer(byteCount: width * height * 4)
    buffer.bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  package init(width: Int, height: Int, buffer: PixelBuffer) {
    self.width = width
    self.height = height
    self.buffer = buffer
  }

  /// How many bytes lie between the starts of two rows.
  package var bytesPerRow: Int { width * 4 }

  /// Reads the pixels; the pointer is valid during the call.
  package func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeRawBufferPointer(buffer.bytes))
  }

  /// Changes the pixels; the pointer is valid during the call.
  package mutating func withUnsafeMutableBytes<R, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    if !isKnownUniquelyReferenced(&buffer) {
      buffer = PixelBuffer(copying: buffer)
    }
    return try body(buffer.bytes)
  }
}
