import CFFmpeg

/// Converts decoded images to upright ``Frame``s.
///
/// With swscale as OpenCV's `VideoCapture` does (bicubic flags, ITU-R BT.601 coefficients), because
/// the pose networks' reference pipeline uses OpenCV.
final class FrameConverter {
  private struct Layout: Equatable {
    let width: Int32
    let height: Int32
    let shownWidth: Int
    let shownHeight: Int
    let format: AVPixelFormat
    let isFullRange: Bool
  }

  static let pixelFormat = AV_PIX_FMT_RGB0

  private let pool: PixelBufferPool
  private var layout: Layout?
  private var scaler: OpaquePointer?
  private var scratch: UnsafeMutableRawBufferPointer?

  /// The longest side of a frame.
  private let limit: Int

  init(pool: PixelBufferPool, limit: Int32) {
    self.pool = pool
    self.limit = Int(limit)
  }

  deinit {
    sws_freeContext(scaler)
    scratch?.deallocate()
  }

  /// Converts an image to square pixels; `nil` if swscale cannot.
  ///
  /// - Parameter shape: The shape of the stored pixels, before the orientation is applied.
  func frame(
    from picture: UnsafePointer<AVFrame>, orientation: Orientation, shape: PixelShape
  ) -> Frame? {
    guard picture.pointee.width > 0, picture.pointee.height > 0 else { return nil }
    let (width, height) = shape.displaySize(
      width: Int(picture.pointee.width), height: Int(picture.pointee.height), limit: limit)
    guard let scaler = scaler(for: picture, width: width, height: height) else { return nil }
    let buffer = PixelBuffer(byteCount: width * height * 4, pool: pool)

    // swscale's fast paths write whole groups of pixels and omit the last ones of a row without
    // room for a group; such rows are converted in a larger buffer.
    let group = 16
    if orientation == .upright && width % group == 0 {
      guard
        convert(picture, with: scaler, to: buffer.bytes, width: width, height: height)
      else { return nil }
      return Frame(width: width, height: height, buffer: buffer)
    }
    let rowLength = (width + group - 1) / group * group
    let roomy = scratch(byteCount: rowLength * 4 * height)
    guard convert(picture, with: scaler, to: roomy, width: rowLength, height: height),
      let source = roomy.assumingMemoryBound(to: UInt32.self).baseAddress,
      let target = buffer.bytes.bindMemory(to: UInt32.self).baseAddress
    else { return nil }
    orientation.copy(source, width: width, height: height, rowLength: rowLength, to: target)
    return orientation.swapsSides
      ? Frame(width: height, height: width, buffer: buffer)
      : Frame(width: width, height: height, buffer: buffer)
  }

  private func scratch(byteCount: Int) -> UnsafeMutableRawBufferPointer {
    if let scratch, scratch.count >= byteCount { return scratch }
    scratch?.deallocate()
    let fresh = UnsafeMutableRawBufferPointer.allocate(
      byteCount: byteCount, alignment: PixelBufferPool.alignment)
    scratch = fresh
    return fresh
  }

  private func scaler(
    for picture: UnsafePointer<AVFrame>, width: Int, height: Int
  ) -> OpaquePointer? {
    let format = AVPixelFormat(rawValue: picture.pointee.format)
    let wanted = Layout(
      width: picture.pointee.width, height: picture.pointee.height, shownWidth: width,
      shownHeight: height, format: format,
      isFullRange: picture.pointee.color_range == AVCOL_RANGE_JPEG)
    if wanted == layout { return scaler }
    sws_freeContext(scaler)
    layout = wanted
    scaler = sws_getContext(
      wanted.width, wanted.height, format, Int32(clamping: width), Int32(clamping: height),
      Self.pixelFormat, Int32(SWS_BICUBIC), nil, nil, nil)
    if scaler != nil && wanted.isFullRange {
      // Formats named after JPEG imply their range; for the others it is set.
      sws_setColorspaceDetails(
        scaler, sws_getCoefficients(SWS_CS_DEFAULT), 1, sws_getCoefficients(SWS_CS_DEFAULT), 1, 0,
        1 << 16, 1 << 16)
    }
    return scaler
  }

  /// - Parameters:
  ///   - width: The pixels from a row of the target to the next.
  ///   - height: The rows of the target.
  private func convert(
    _ picture: UnsafePointer<AVFrame>, with scaler: OpaquePointer,
    to target: UnsafeMutableRawBufferPointer, width: Int, height: Int
  ) -> Bool {
    let planes = picture.pointee.data
    let strides = picture.pointee.linesize
    let source: [UnsafePointer<UInt8>?] = [
      UnsafePointer(planes.0), UnsafePointer(planes.1), UnsafePointer(planes.2),
      UnsafePointer(planes.3),
    ]
    let sourceStrides = [strides.0, strides.1, strides.2, strides.3]
    let targets: [UnsafeMutablePointer<UInt8>?] = [
      target.assumingMemoryBound(to: UInt8.self).baseAddress, nil, nil, nil,
    ]
    return sws_scale(
      scaler, source, sourceStrides, 0, picture.pointee.height, targets,
      [Int32(clamping: width * 4), 0, 0, 0]) == height
  }
}
