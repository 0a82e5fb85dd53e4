import CTurboJPEG
public import Foundation

extension Frame {
  /// The default pixel limit of ``init(jpeg:maximumPixelCount:)``: 2048 × 2048.
  public static let defaultMaximumPixelCount = 4_194_304

  /// Decodes a JPEG image from memory.
  ///
  /// Baseline and progressive images in colour or grey are supported, not CMYK; an Exif orientation
  /// is not applied. The size is checked before decoding and images with more than 500 scans are
  /// refused, to bound memory and time.
  ///
  /// - Throws: ``VideoError`` if the data is not a JPEG, damaged, or above the limit.
  public init(
    jpeg: Data, maximumPixelCount: Int = Frame.defaultMaximumPixelCount
  ) throws(VideoError) {
    // A new handle for each image: a used one retains the last image's tables for one without any.
    let decoder = try JPEGHandle(tjInitDecompress())
    self = try jpeg.withUnsafeBytes { bytes in
      Result { () throws(VideoError) in
        try decoder.decode(bytes, maximumPixelCount: maximumPixelCount)
      }
    }.get()
  }

  /// Encodes the frame as baseline JPEG with 4:2:0 chroma subsampling.
  ///
  /// - Parameter quality: From 1 to 100.
  /// - Throws: ``VideoError`` above 65,500 pixels a side or without memory.
  public func jpegData(quality: Int = 80) throws(VideoError) -> Data {
    precondition((1...100).contains(quality), "A JPEG's quality is from 1 to 100.")
    return try JPEGHandle(tjInitCompress()).encode(self, quality: quality)
  }
}

/// A handle of libjpeg-turbo, freed with the value.
private struct JPEGHandle: ~Copyable {
  private static let maximumSide = 65_500

  private let handle: tjhandle

  init(_ handle: tjhandle?) throws(VideoError) {
    guard let handle else {
      throw VideoError(
        .outOfResources, "There is not enough memory for a JPEG picture: close other programs.")
    }
    self.handle = handle
  }

  deinit { tjDestroy(handle) }

  /// The library's last error message.
  private var reason: String {
    tjGetErrorStr2(handle).map { String(cString: $0) } ?? "unknown error"
  }

  func decode(
    _ bytes: UnsafeRawBufferPointer, maximumPixelCount: Int
  ) throws(VideoError) -> Frame {
    let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    guard let start, bytes.starts(with: [0xFF, 0xD8]) else {
      throw VideoError(.unknownFormat, "The picture is not a JPEG: encode it as one.")
    }
    var (width, height, sampling, colors) = (Int32(0), Int32(0), Int32(0), Int32(0))
    guard
      tjDecompressHeader3(
        handle, start, UInt(bytes.count), &width, &height, &sampling, &colors) == 0,
      width > 0, height > 0
    else {
      throw VideoError(
        .damaged, "The header of the JPEG picture is damaged (\(reason)): encode it again.")
    }
    guard Int64(width) * Int64(height) <= Int64(maximumPixelCount) else {
      throw VideoError(
        .tooLarge,
        "The JPEG picture is \(width) × \(height) pixels, above the limit of "
          + "\(maximumPixelCount) in all: scale it down first.")
    }
    guard colors != TJCS_CMYK.rawValue && colors != TJCS_YCCK.rawValue else {
      throw VideoError(
        .unsupportedCodec,
        "The JPEG picture is in printing colours (CMYK): encode it in RGB or grey.")
    }
    let buffer = PixelBuffer(byteCount: Int(width) * Int(height) * 4)
    // The fourth byte is undefined.
    let status = tjDecompress2(
      handle, start, UInt(bytes.count),
      buffer.bytes.assumingMemoryBound(to: UInt8.self).baseAddress, width, width * 4, height,
      Int32(TJPF_RGBX.rawValue), TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS)
    guard status == 0 else {
      throw VideoError(
        .damaged, "The JPEG picture is cut off or damaged (\(reason)): encode it again.")
    }
    return Frame(width: Int(width), height: Int(height), buffer: buffer)
  }

  func encode(_ frame: Frame, quality: Int) throws(VideoError) -> Data {
    guard max(frame.width, frame.height) <= Self.maximumSide else {
      throw VideoError(
        .tooLarge,
        "A picture of \(frame.width) × \(frame.height) pixels is too large for JPEG, which has at "
          + "most \(Self.maximumSide) a side: scale it down first.")
    }
    var output: UnsafeMutablePointer<UInt8>?
    var byteCount: UInt = 0
    let status = frame.withUnsafeBytes { bytes in
      tjCompress2(
        handle, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(frame.width),
        Int32(frame.bytesPerRow), Int32(frame.height), Int32(TJPF_RGBX.rawValue), &output,
        &byteCount, Int32(TJSAMP_420.rawValue), Int32(quality), 0)
    }
    guard status == 0, let output else {
      tjFree(output)
      throw VideoError(
        .outOfResources, "A picture cannot be encoded as JPEG (\(reason)): free memory first.")
    }
    return Data(
      bytesNoCopy: output, count: Int(byteCount),
      deallocator: .custom { pointer, _ in
        tjFree(pointer.assumingMemoryBound(to: UInt8.self))
      })
  }
}
