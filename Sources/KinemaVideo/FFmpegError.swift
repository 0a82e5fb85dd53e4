import CFFmpeg
import Glibc

/// An FFmpeg error code with FFmpeg's description.
struct FFmpegError: Error, CustomStringConvertible {
  let code: Int32

  static let endOfFile = kinema_AVERROR_EOF
  static let invalidData = kinema_AVERROR_INVALIDDATA
  static let tryAgain = kinema_AVERROR(EAGAIN)
  static let outOfMemory = kinema_AVERROR(ENOMEM)
  static let encoderNotFound = kinema_AVERROR_ENCODER_NOT_FOUND
  static let decoderNotFound = kinema_AVERROR_DECODER_NOT_FOUND
  static let streamNotFound = kinema_AVERROR_STREAM_NOT_FOUND
  static let exit = kinema_AVERROR_EXIT
  /// HTTP 5xx.
  static let serverError = kinema_AVERROR_HTTP_SERVER_ERROR

  /// The code of a system error, such as `ENOSPC`.
  static func system(_ number: Int32) -> Int32 { kinema_AVERROR(number) }

  var description: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AV_ERROR_MAX_STRING_SIZE)) {
      buffer in
      guard let address = buffer.baseAddress,
        av_strerror(code, address, buffer.count) == 0
      else { return "error \(code)" }
      return String(cString: address)
    }
  }
}

/// Throws FFmpeg's negative return values.
@discardableResult
func checked(_ code: Int32) throws(FFmpegError) -> Int32 {
  if code < 0 { throw FFmpegError(code: code) }
  return code
}
