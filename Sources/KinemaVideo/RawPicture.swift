import Foundation
import Synchronization

/// A picture of bytes that another program has put into a file, such as one in shared memory.
package struct RawPicture: Sendable {
  /// The order of the bytes of a pixel.
  package enum Layout: String, CaseIterable, Sendable {
    case bgr, rgb, bgra, rgba, gray

    /// The bytes of a pixel.
    package var byteCount: Int {
      switch self {
      case .bgr, .rgb: 3
      case .bgra, .rgba: 4
      case .gray: 1
      }
    }

    /// Where red, green and blue are in a pixel.
    fileprivate var places: (red: Int, green: Int, blue: Int) {
      switch self {
      case .bgr, .bgra: (2, 1, 0)
      case .rgb, .rgba: (0, 1, 2)
      case .gray: (0, 0, 0)
      }
    }
  }

  /// The longest side and the number of pixels, as of still pictures.
  package static let longestSide = 65_535
  package static let largestPixelCount = 1 << 26

  package let file: String
  package let offset: Int
  package let width: Int
  package let height: Int
  package let layout: Layout

  package var byteCount: Int { width * height * layout.byteCount }

  /// - Parameter offset: Where the first byte of the top row is in the file.
  /// - Throws: ``VideoError`` for a size or a place that there cannot be.
  package init(
    file: String, offset: Int, width: Int, height: Int, layout: Layout
  ) throws(VideoError) {
    let sides = 1...Self.longestSide
    guard sides.contains(width), sides.contains(height), width * height <= Self.largestPixelCount
    else {
      throw VideoError(
        .tooLarge,
        "A frame of \(width) × \(height) pixels is not possible: a side has 1 to "
          + "\(Self.longestSide), and a frame at most \(Self.largestPixelCount).")
    }
    guard offset >= 0, offset <= Int.max / 2 else {
      throw VideoError(
        .unreadableFile, "A frame's offset is the number of bytes before it, not \(offset).")
    }
    (self.file, self.offset, self.width, self.height, self.layout) =
      (file, offset, width, height, layout)
  }
}

/// Reads pictures of bytes; the file stays open from one to the next.
package final class RawPictureReader: Sendable {
  private struct State {
    var file: (path: String, handle: FileHandle)?
    var bytes = PixelBuffer(byteCount: 1)
  }

  private let pool = PixelBufferPool(capacity: 2)
  private let state = Mutex(State())

  package init() {}

  /// The frame that a picture is; blocks.
  ///
  /// - Throws: ``VideoError`` where the file cannot be read or ends before the picture does.
  package func frame(_ picture: RawPicture) throws(VideoError) -> Frame {
    try state.withLock { (state) throws(VideoError) in
      if state.file?.path != picture.file {
        state.file = nil
        state.file = (picture.file, try Self.open(picture.file))
      }
      guard let handle = state.file?.handle else { throw Self.unreadable(picture.file) }
      if state.bytes.bytes.count < picture.byteCount {
        state.bytes = PixelBuffer(byteCount: picture.byteCount)
      }
      let pixels = UnsafeMutableRawBufferPointer(
        rebasing: state.bytes.bytes[..<picture.byteCount])
      try Self.read(picture, from: handle.fileDescriptor, to: pixels)
      let buffer = PixelBuffer(byteCount: picture.width * picture.height * 4, pool: pool)
      Self.convert(UnsafeRawBufferPointer(pixels), picture, to: buffer.bytes)
      return Frame(width: picture.width, height: picture.height, buffer: buffer)
    }
  }

  private static func open(_ path: String) throws(VideoError) -> FileHandle {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw VideoError(.fileNotFound, "\(path), which is to hold frames, is not there.")
    }
    guard status.st_mode & S_IFMT == S_IFREG, let handle = FileHandle(forReadingAtPath: path) else {
      throw unreadable(path)
    }
    return handle
  }

  private static func unreadable(_ path: String) -> VideoError {
    VideoError(.unreadableFile, "\(path), which is to hold frames, is no file that can be read.")
  }

  /// Reads, and does not map the file: its owner may cut it off meanwhile.
  private static func read(
    _ picture: RawPicture, from descriptor: Int32, to pixels: UnsafeMutableRawBufferPointer
  ) throws(VideoError) {
    var done = 0
    while done < pixels.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: pixels[done...])
      let count = pread(descriptor, rest.baseAddress, rest.count, off_t(picture.offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw VideoError(
          .truncated,
          "\(picture.file) ends before the frame of \(picture.width) × \(picture.height) pixels at "
            + "byte \(picture.offset) does: write the whole frame before it is named.")
      }
      done += count
    }
  }

  private static func convert(
    _ source: UnsafeRawBufferPointer, _ picture: RawPicture,
    to target: UnsafeMutableRawBufferPointer
  ) {
    guard var pixel = source.assumingMemoryBound(to: UInt8.self).baseAddress,
      let target = target.bindMemory(to: UInt32.self).baseAddress
    else { return }
    let step = picture.layout.byteCount
    let (red, green, blue) = picture.layout.places
    for index in 0..<picture.width * picture.height {
      target[index] =
        (UInt32(pixel[red]) | UInt32(pixel[green]) << 8 | UInt32(pixel[blue]) << 16).littleEndian
      pixel += step
    }
  }
}
