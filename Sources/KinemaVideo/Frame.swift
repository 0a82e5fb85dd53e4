/// One frame: rows of four-byte pixels (red, green, blue, one unused), the first row at the top.
///
/// Copies share pixels until one is changed.
public struct Frame: Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  private var buffer: PixelBuffer

  /// Creates a black frame with at least one pixel.
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
