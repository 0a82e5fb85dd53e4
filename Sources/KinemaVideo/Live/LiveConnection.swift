import CFFmpeg
import Foundation
import Glibc

/// An open camera or stream; for one thread.
final class LiveConnection {
  let context: UnsafeMutablePointer<AVFormatContext>
  private let interruption: InterruptCallback
  private let pipe: PipeInput?

  private static let registration: Void = avdevice_register_all()

  /// Connects and finds the streams.
  ///
  /// - Parameter interruption: Stops waiting; its deadline is the caller's.
  init(
    to input: LiveInput, limits: VideoDecoder.Limits, interruption: InterruptCallback
  ) throws(FFmpegError) {
    FFmpegLog.silence()
    _ = (Self.registration, ForeignMedia.preparation)
    self.interruption = interruption
    pipe =
      if let path = input.pipePath {
        try PipeInput(path: path, interruption: interruption)
      } else {
        nil
      }
    guard let allocated = avformat_alloc_context() else {
      throw FFmpegError(code: FFmpegError.outOfMemory)
    }
    allocated.pointee.interrupt_callback = interruption.callback
    if input.isCamera { allocated.pointee.flags |= AVFMT_FLAG_NONBLOCK }
    if let pipe {
      allocated.pointee.pb = pipe.context
      allocated.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    }
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "codec_whitelist", ForeignMedia.decoders, 0)
    for (key, value) in input.options { av_dict_set(&options, key, value, 0) }
    // A failed opening frees the context.
    var opening: UnsafeMutablePointer<AVFormatContext>? = allocated
    try checked(
      avformat_open_input(
        &opening, input.address, input.formatName.flatMap { av_find_input_format($0) }, &options))
    guard let opening else { throw FFmpegError(code: FFmpegError.invalidData) }
    context = opening
    if input.formatName == nil || input.formatName == "rtsp" {
      try checked(context.findStreams(limits: limits))
    }
  }

  deinit {
    var closing: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&closing)
  }

  /// Selects the video stream to read and discards the others.
  func selectVideoStream() -> UnsafeMutablePointer<AVStream>? {
    let streams = context.streams
    let index = Int(av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0))
    let best =
      streams.indices.contains(index)
      ? streams[index]
      : streams.first { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO }
    context.read(only: best)
    return best
  }

  /// Whether it is a recording, with a known duration.
  var hasEnd: Bool {
    if context.pointee.duration > 0 { return true }
    guard pipe?.isSeekable != false, let source = context.pointee.pb else { return false }
    return avio_size(source) > 0
  }

  /// Whether frames arrive faster than real time: a playlist, or a recording.
  var isPaced: Bool {
    guard let format = context.pointee.iformat else { return false }
    return String(cString: format.pointee.name) == "hls" || hasEnd
  }

  /// Whether time stamps come from the source rather than an assumed rate.
  var hasTimeStamps: Bool {
    guard let format = context.pointee.iformat else { return false }
    let bare: Set<String> = ["mpjpeg", "mjpeg", "h264", "hevc", "m4v", "mpegvideo", "obu"]
    return format.pointee.flags & AVFMT_NOTIMESTAMPS == 0
      && !bare.contains(String(cString: format.pointee.name))
  }
}
