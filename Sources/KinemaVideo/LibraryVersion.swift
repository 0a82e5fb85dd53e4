import CFFmpeg

extension VideoReader {
  /// The version of the FFmpeg libraries that are linked, as their project numbers them.
  public static var libraryVersion: String { String(cString: av_version_info()) }
}

extension VideoWriter {
  /// Whether the FFmpeg that is linked can encode H.264 with libx264.
  public static var isEncoderAvailable: Bool { avcodec_find_encoder_by_name("libx264") != nil }
}
