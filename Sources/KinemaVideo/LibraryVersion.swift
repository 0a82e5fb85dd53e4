import CFFmpeg

extension VideoReader {
  /// The version of the linked FFmpeg libraries.
  package static var libraryVersion: String { String(cString: av_version_info()) }
}

extension VideoWriter {
  /// Whether the linked FFmpeg has libx264.
  package static var isEncoderAvailable: Bool { avcodec_find_encoder_by_name("libx264") != nil }
}
