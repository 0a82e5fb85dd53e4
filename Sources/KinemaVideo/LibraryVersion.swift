import CFFmpeg

extension VideoReader {
  /// The version of the linked FFmpeg libraries.
  public static var libraryVersion: String { String(cString: av_version_info()) }
}

extension VideoWriter {
  /// Whether the linked FFmpeg has libx264.
  public static var isEncoderAvailable: Bool { avcodec_find_encoder_by_name("libx264") != nil }
}
