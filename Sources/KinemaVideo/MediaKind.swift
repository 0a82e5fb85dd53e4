/// FFmpeg's classification of a file, restricted to containers of audio and video: playlists and
/// scripts (HLS, concat, image sequences) make FFmpeg open other files and addresses.
enum MediaKind: String, Codable {
  case video
  case stillPicture
  case sound
  case other

  init(formatName name: String) {
    if Self.videoFormats.contains(name) {
      self = .video
    } else if Self.pictureFormats.contains(name) {
      self = .stillPicture
    } else if Self.soundFormats.contains(name) {
      self = .sound
    } else {
      self = .other
    }
  }

  /// FFmpeg's names of demuxers for video containers and raw streams.
  private static let videoFormats: Set<String> = [
    "apng", "asf", "av1", "avi", "dirac", "dv", "flv", "gif", "gxf", "h261", "h263", "h264",
    "hevc", "ivf", "lxf", "m4v", "matroska,webm", "mjpeg", "mov,mp4,m4a,3gp,3g2,mj2", "mpeg",
    "mpegts", "mpegvideo", "mpjpeg", "mxf", "nut", "obu", "ogg", "rm", "vc1", "vc1test", "wtv",
    "yuv4mpegpipe",
  ]

  private static let pictureFormats: Set<String> = [
    "bmp_pipe", "gif_pipe", "j2k_pipe", "jpeg_pipe", "jpegls_pipe", "pam_pipe", "pbm_pipe",
    "pgm_pipe", "pgmyuv_pipe", "png_pipe", "ppm_pipe", "qoi_pipe", "tiff_pipe", "webp_pipe",
  ]

  private static let soundFormats: Set<String> = [
    "aac", "ac3", "aiff", "amr", "ape", "au", "caf", "dts", "eac3", "flac", "mp3", "tta", "w64",
    "wav", "wv",
  ]
}
