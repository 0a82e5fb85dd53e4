import CFFmpeg

/// What FFmpeg may do with foreign bytes.
enum ForeignMedia {
  /// The codecs of pictures that are decoded, by FFmpeg's names; those of screen recorders, games and
  /// others that nobody films with are not.
  private static let codecs: Set<String> = [
    "apng", "av1", "bmp", "cavs", "cfhd", "cinepak", "dirac", "dnxhd", "dvvideo", "ffv1",
    "ffvhuff", "flv1", "gif", "h261", "h263", "h263i", "h263p", "h264", "hap", "hevc", "huffyuv",
    "indeo2", "indeo3", "indeo4", "indeo5", "jpeg2000", "jpegls", "magicyuv", "mjpeg", "mjpegb",
    "mpeg1video", "mpeg2video", "mpeg4", "msmpeg4v1", "msmpeg4v2", "msmpeg4v3", "msrle",
    "msvideo1", "pam", "pbm", "pgm", "pgmyuv", "png", "ppm", "prores", "qoi", "qtrle", "rawvideo",
    "rpza", "rv10", "rv20", "rv30", "rv40", "svq1", "svq3", "theora", "tiff", "utvideo", "v210",
    "v308", "v408", "v410", "vc1", "vp3", "vp6", "vp6f", "vp7", "vp8", "vp9", "webp", "wmv1",
    "wmv2", "wmv3", "wrapped_avframe", "yuv4",
  ]

  /// The decoders of these codecs and of sound, by FFmpeg's names.
  static let decoders: String = {
    var names: [String] = []
    var place: UnsafeMutableRawPointer?
    while let codec = av_codec_iterate(&place) {
      let isSound = codec.pointee.type == AVMEDIA_TYPE_AUDIO
      guard av_codec_is_decoder(codec) != 0, isSound || isDecoded(codec.pointee.id) else {
        continue
      }
      names.append(String(cString: codec.pointee.name))
    }
    return names.joined(separator: ",")
  }()

  /// The largest single piece of memory that FFmpeg takes: a picture of the largest size in four bytes
  /// a pixel.
  private static let largestAllocation =
    Int(VideoDecoder.Limits.stillPicture.pixelCount) * 4 + 1 << 20

  /// Limits FFmpeg's memory, once.
  static let preparation: Void = av_max_alloc(largestAllocation)

  /// The decoder of a codec of pictures; `nil` for one that is not decoded.
  static func decoder(of id: AVCodecID) -> UnsafePointer<AVCodec>? {
    isDecoded(id) ? avcodec_find_decoder(id) : nil
  }

  private static func isDecoded(_ id: AVCodecID) -> Bool {
    avcodec_get_name(id).map { codecs.contains(String(cString: $0)) } ?? false
  }
}
