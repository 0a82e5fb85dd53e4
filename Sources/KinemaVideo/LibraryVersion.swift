import CFFmpeg

extension VideoReader {
  package static var libraryVersion: String { String(cString: av_version_info()) }
}

extension VideoWriter {
  package static var isEncoderAvailable: Bool { avcodec_find_encoder_by_name("libx264") != nil }
}
