import CFFmpeg
import Foundation
import KinemaFiles

/// An MP4 file being written: a video track and the audio of another file; for one thread at a
/// time.
final class MovieFile: @unchecked Sendable {
  private let target: URL
  private let temporary: WholeFile
  private let encoder: VideoEncoder
  private let audio: AudioTrack?
  private var context: UnsafeMutablePointer<AVFormatContext>?
  /// The end of the last frame, in microseconds.
  private var videoEnd: Int64 = 0

  init(
    at target: URL, temporary: WholeFile, width: Int, height: Int, frameRate: Double?,
    audioFrom source: URL?, interruption: InterruptCallback
  ) throws(VideoError) {
    FFmpegLog.silence()
    self.target = target
    self.temporary = temporary
    audio = try source.flatMap { url throws(VideoError) in
      try AudioTrack(of: url, interruption: interruption)
    }
    do {
      encoder = try VideoEncoder(
        width: width, height: height, frameRate: frameRate, needsGlobalHeader: true)
    } catch {
      throw VideoError(
        .unsupportedCodec,
        "\(target.path) cannot be encoded as H.264 at \(width) × \(height) "
          + "pixels (\(error)): check that FFmpeg has libx264 or libopenh264, and the size.",
        cause: error)
    }
    do {
      try begin()
    } catch {
      throw Self.writingError(target, error)
    }
  }

  deinit {
    guard let context else { return }
    avio_closep(&context.pointee.pb)
    avformat_free_context(context)
  }

  func append(_ frame: Frame, range: Range<Int>, timescale: Int) throws(VideoError) {
    let source = AVRational(num: 1, den: Int32(clamping: max(1, timescale)))
    let time = av_rescale_q(Int64(range.lowerBound), source, VideoEncoder.timeBase)
    let end = av_rescale_q(Int64(range.upperBound), source, VideoEncoder.timeBase)
    videoEnd = max(videoEnd, av_rescale_q(Int64(range.upperBound), source, .microseconds))
    do {
      try encoder.encode(frame, time: time, duration: end - time, output: writeVideo)
    } catch {
      throw Self.writingError(target, error)
    }
  }

  /// Writes the rest and moves the file to its place.
  func finish() throws(VideoError) {
    do {
      try encoder.finish(output: writeVideo)
      try audio?.write(until: videoEnd, output: writeAudio)
      try checked(av_write_trailer(context))
      if let context {
        try checked(avio_closep(&context.pointee.pb))
      }
    } catch {
      throw Self.writingError(target, error)
    }
    try VideoError.writing(temporary.putInPlace)
  }

  private func begin() throws(FFmpegError) {
    let address = "file:" + temporary.path
    try checked(avformat_alloc_output_context2(&context, nil, "mp4", address))
    guard let context else { throw FFmpegError(code: FFmpegError.outOfMemory) }
    guard let video = avformat_new_stream(context, nil), let codec = encoder.codec else {
      throw FFmpegError(code: FFmpegError.outOfMemory)
    }
    try checked(avcodec_parameters_from_context(video.pointee.codecpar, codec))
    video.pointee.time_base = VideoEncoder.timeBase
    video.pointee.avg_frame_rate = codec.pointee.framerate
    if let audio {
      guard let sound = avformat_new_stream(context, nil) else {
        throw FFmpegError(code: FFmpegError.outOfMemory)
      }
      try audio.writeParameters(to: sound.pointee.codecpar)
      sound.pointee.time_base = audio.timeBase
    }
    try checked(avio_open2(&context.pointee.pb, address, AVIO_FLAG_WRITE, nil, nil))
    var options: OpaquePointer?
    // The index at the start lets players begin before they have the whole file.
    av_dict_set(&options, "movflags", "+faststart", 0)
    defer { av_dict_free(&options) }
    try checked(avformat_write_header(context, &options))
  }

  private func writeVideo(_ packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
    let time = av_rescale_q(packet.pointee.dts, VideoEncoder.timeBase, .microseconds)
    try audio?.write(until: min(time, videoEnd), output: writeAudio)
    try write(packet, stream: 0, timeBase: VideoEncoder.timeBase)
  }

  private func writeAudio(_ packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
    guard let audio else { return }
    try write(packet, stream: 1, timeBase: audio.timeBase)
  }

  private func write(
    _ packet: UnsafeMutablePointer<AVPacket>, stream index: Int, timeBase: AVRational
  ) throws(FFmpegError) {
    guard let context, let stream = context.pointee.streams[index] else { return }
    packet.pointee.stream_index = Int32(index)
    packet.pointee.pos = -1
    av_packet_rescale_ts(packet, timeBase, stream.pointee.time_base)
    try checked(av_interleaved_write_frame(context, packet))
  }

  private static func writingError(_ target: URL, _ error: FFmpegError) -> VideoError {
    // FFmpeg negates system error numbers.
    let systemNumbers = Int32(1)..<200
    if systemNumbers.contains(-error.code) {
      let failure = WholeFile.Failure(target, number: -error.code)
      return VideoError(.cannotWrite, failure.message, text: failure.text, cause: error)
    }
    return VideoError(
      .cannotWrite,
      "\(target.path) cannot be written (\(error)): try another size or write "
        + "without sound.", cause: error)
  }
}
