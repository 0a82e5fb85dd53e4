import CFFmpeg
import Foundation

/// Encodes frames as H.264; for one thread at a time.
final class VideoEncoder {
  /// The usual time base of MP4 files.
  static let timeBase = AVRational(num: 1, den: 90_000)

  /// The target of libopenh264, which has no constant quality; about what libx264 uses at `crf` 20.
  private static let bitsPerPixel = 0.1

  private(set) var codec: UnsafeMutablePointer<AVCodecContext>?
  private var picture = av_frame_alloc()
  private var packet = av_packet_alloc()
  private let scaler = PictureScaler()
  private var lastTime = Int64.min
  /// Durations of the frames inside the encoder, by time.
  private var durations: [Int64: Int64] = [:]

  /// FFmpeg's H.264 encoder: libx264, or libopenh264 in an FFmpeg without it; `nil` if there is
  /// neither.
  static var encoder: UnsafePointer<AVCodec>? {
    avcodec_find_encoder_by_name("libx264") ?? avcodec_find_encoder_by_name("libopenh264")
  }

  /// Opens the encoder.
  ///
  /// - Parameters:
  ///   - width: In pixels, even.
  ///   - height: In pixels, even.
  ///   - needsGlobalHeader: Whether the container stores parameters separately.
  init(
    width: Int, height: Int, frameRate: Double?, needsGlobalHeader: Bool
  ) throws(FFmpegError) {
    guard let encoder = Self.encoder else {
      throw FFmpegError(code: FFmpegError.encoderNotFound)
    }
    guard let codec = avcodec_alloc_context3(encoder), let picture, packet != nil else {
      throw FFmpegError(code: FFmpegError.outOfMemory)
    }
    self.codec = codec
    codec.pointee.width = Int32(clamping: width)
    codec.pointee.height = Int32(clamping: height)
    codec.pointee.pix_fmt = AV_PIX_FMT_YUV420P
    codec.pointee.time_base = Self.timeBase
    if let frameRate, frameRate > 0, frameRate < 1000 {
      codec.pointee.framerate = av_d2q(frameRate, 100_000)
    }
    // More threads need more memory.
    codec.pointee.thread_count = Int32(min(4, ProcessInfo.processInfo.activeProcessorCount))
    if needsGlobalHeader { codec.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    if String(cString: encoder.pointee.name) == "libx264" {
      av_opt_set(codec.pointee.priv_data, "preset", "veryfast", 0)
      av_opt_set(codec.pointee.priv_data, "crf", "20", 0)
    } else {
      let pixelRate = Double(width * height) * (frameRate ?? 30)
      codec.pointee.bit_rate = Int64(pixelRate * Self.bitsPerPixel)
      codec.pointee.profile = FF_PROFILE_H264_HIGH
      codec.pointee.gop_size = 250
      if codec.pointee.framerate.num == 0 { codec.pointee.framerate = av_make_q(30, 1) }
    }
    try checked(avcodec_open2(codec, encoder, nil))

    picture.pointee.format = AV_PIX_FMT_YUV420P.rawValue
    picture.pointee.width = codec.pointee.width
    picture.pointee.height = codec.pointee.height
    try checked(av_frame_get_buffer(picture, 0))
  }

  deinit {
    avcodec_free_context(&codec)
    av_frame_free(&picture)
    av_packet_free(&packet)
  }

  /// Encodes a frame, scaled if necessary.
  ///
  /// - Parameter time: Presentation time in ticks; moved after the last frame if not later.
  func encode(
    _ frame: Frame, time: Int64, duration: Int64,
    output: (UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    guard let picture else { return }
    try checked(av_frame_make_writable(picture))
    try scaler.convert(frame, to: picture)
    let time = lastTime == .min ? time : max(time, lastTime + 1)
    lastTime = time
    durations[time] = max(1, duration)
    picture.pointee.pts = time
    try send(picture, output: output)
  }

  func finish(
    output: (UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    try send(nil, output: output)
  }

  private func send(
    _ picture: UnsafeMutablePointer<AVFrame>?,
    output: (UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    guard let codec, let packet else { return }
    try checked(avcodec_send_frame(codec, picture))
    while true {
      let status = avcodec_receive_packet(codec, packet)
      if status == FFmpegError.tryAgain || status == FFmpegError.endOfFile { return }
      try checked(status)
      defer { av_packet_unref(packet) }
      packet.pointee.duration = durations.removeValue(forKey: packet.pointee.pts) ?? 1
      try output(packet)
    }
  }
}
