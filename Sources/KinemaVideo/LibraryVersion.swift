import CFFmpeg

extension VideoReader {
  package static var libraryVersion: String { String(cString: av_version_info()) }
}

extension VideoWriter {
  /// FFmpeg's name of the H.264 encoder; `nil` if there is none.
  package static var encoderName: String? {
    VideoEncoder.encoder.map { String(cString: $0.pointee.name) }
  }
}
