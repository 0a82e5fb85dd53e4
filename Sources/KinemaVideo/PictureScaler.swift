import CFFmpeg

/// Converts ``Frame``s to images for FFmpeg's encoders.
final class PictureScaler {
  private var scaler: OpaquePointer?

  deinit { sws_freeContext(scaler) }

  /// Fills `picture` in its size and format; a frame that is one pixel larger is cropped, others
  /// scaled.
  func convert(
    _ frame: Frame, to picture: UnsafeMutablePointer<AVFrame>
  ) throws(FFmpegError) {
    let width = frame.width - Int(picture.pointee.width) == 1 ? frame.width - 1 : frame.width
    let height = frame.height - Int(picture.pointee.height) == 1 ? frame.height - 1 : frame.height
    scaler = sws_getCachedContext(
      scaler, Int32(clamping: width), Int32(clamping: height), FrameConverter.pixelFormat,
      picture.pointee.width, picture.pointee.height, AVPixelFormat(picture.pointee.format),
      Int32(SWS_BICUBIC), nil, nil, nil)
    guard let scaler else { throw FFmpegError(code: FFmpegError.outOfMemory) }
    let planes = picture.pointee.data
    let strides = picture.pointee.linesize
    let converted = frame.withUnsafeBytes { bytes in
      let source: [UnsafePointer<UInt8>?] = [
        bytes.assumingMemoryBound(to: UInt8.self).baseAddress, nil, nil, nil,
      ]
      return sws_scale(
        scaler, source, [Int32(frame.bytesPerRow), 0, 0, 0], 0, Int32(height),
        [planes.0, planes.1, planes.2, planes.3], [strides.0, strides.1, strides.2, strides.3])
    }
    try checked(converted)
  }
}
