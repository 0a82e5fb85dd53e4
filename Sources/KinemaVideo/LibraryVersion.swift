import CFFmpeg
import CWebP

extension VideoReader {
  package static var libraryVersion: String { String(cString: av_version_info()) }

  /// libwebp's version, such as `1.2.4`.
  package static var webPVersion: String {
    let version = WebPGetDemuxVersion()
    return "\(version >> 16 & 0xFF).\(version >> 8 & 0xFF).\(version & 0xFF)"
  }
}

extension VideoWriter {
  /// FFmpeg's name of the H.264 encoder; `nil` if there is none.
  package static var encoderName: String? {
    VideoEncoder.encoder.map { String(cString: $0.pointee.name) }
  }
}
