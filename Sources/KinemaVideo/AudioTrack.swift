import CFFmpeg
import Foundation

/// The audio of a file as packets for MP4: copied if MP4 supports the codec, else encoded as AAC.
final class AudioTrack {
  /// Codecs that MP4 supports.
  private static let copied: Set<UInt32> = [
    AV_CODEC_ID_AAC.rawValue, AV_CODEC_ID_MP3.rawValue, AV_CODEC_ID_AC3.rawValue,
    AV_CODEC_ID_EAC3.rawValue, AV_CODEC_ID_ALAC.rawValue, AV_CODEC_ID_OPUS.rawValue,
  ]

  let timeBase: AVRational
  private let file: MediaFile
  private let stream: UnsafeMutablePointer<AVStream>
  private let transcoder: AudioTranscoder?
  /// The packet that waits until the video reaches its time.
  private var packet = av_packet_alloc()
  private var failureCount = 0
  private var hasReachedEnd = false
  private var lastDecodeTime = Int64.min

  /// Opens the best audio track of a file, if any.
  init?(of url: URL, interruption: InterruptCallback) throws(VideoError) {
    // Animations have none.
    guard LibraryFormat(contentsOf: url) == nil else { return nil }
    file = try MediaFile(
      opening: url, as: [.video, .sound], limits: .video,
      interruption: interruption)
    let streams = file.context.streams
    let index = av_find_best_stream(file.context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
    guard streams.indices.contains(Int(index)) else { return nil }
    let stream = streams[Int(index)]
    self.stream = stream
    file.context.read(only: stream)
    if Self.copied.contains(stream.pointee.codecpar.pointee.codec_id.rawValue) {
      transcoder = nil
      timeBase = stream.pointee.time_base
    } else {
      // Audio that cannot be decoded is left out.
      guard let transcoder = try? AudioTranscoder(stream: stream) else { return nil }
      self.transcoder = transcoder
      timeBase = transcoder.timeBase
    }
  }

  deinit { av_packet_free(&packet) }

  func writeParameters(
    to parameters: UnsafeMutablePointer<AVCodecParameters>
  ) throws(FFmpegError) {
    if let transcoder {
      try checked(avcodec_parameters_from_context(parameters, transcoder.encoder))
    } else {
      try checked(avcodec_parameters_copy(parameters, stream.pointee.codecpar))
      parameters.pointee.codec_tag = 0
    }
  }

  /// Passes packets up to a time in microseconds from the start of the file.
  func write(
    until end: Int64, output: (UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    guard let packet else { return }
    while !hasReachedEnd {
      if packet.pointee.data == nil && packet.pointee.side_data_elems == 0 {
        guard try readPacket(into: packet) else {
          hasReachedEnd = true
          return
        }
      }
      let time = av_rescale_q(packet.pointee.pts, timeBase, .microseconds)
      if time >= end { return }
      try output(packet)
      av_packet_unref(packet)
    }
  }

  /// Reads the next packet, with times from the start of the file.
  private func readPacket(into packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Bool {
    while true {
      if let transcoder {
        if try transcoder.receive(into: packet) { return true }
        if transcoder.isFinished { return false }
      }
      let status = av_read_frame(file.context, packet)
      if status < 0 {
        failureCount += 1
        if status == FFmpegError.invalidData && failureCount < 1000 { continue }
        guard let transcoder, !transcoder.isFinishing else { return false }
        try transcoder.finish()
        continue
      }
      guard packet.pointee.stream_index == stream.pointee.index else {
        av_packet_unref(packet)
        continue
      }
      shift(packet)
      if let transcoder {
        transcoder.send(packet)
        av_packet_unref(packet)
      } else if hasUsableTimes(packet) {
        return true
      } else {
        av_packet_unref(packet)
      }
    }
  }

  private func shift(_ packet: UnsafeMutablePointer<AVPacket>) {
    let base = stream.pointee.time_base
    let start = av_rescale_q(file.startTime, .microseconds, base)
    if packet.pointee.pts != kinema_AV_NOPTS_VALUE { packet.pointee.pts -= start }
    if packet.pointee.dts != kinema_AV_NOPTS_VALUE { packet.pointee.dts -= start }
  }

  /// Whether the packet has a time and is in order; others would end the file.
  private func hasUsableTimes(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    if packet.pointee.dts == kinema_AV_NOPTS_VALUE { packet.pointee.dts = packet.pointee.pts }
    if packet.pointee.pts == kinema_AV_NOPTS_VALUE { packet.pointee.pts = packet.pointee.dts }
    guard packet.pointee.dts != kinema_AV_NOPTS_VALUE, packet.pointee.dts > lastDecodeTime,
      packet.pointee.pts >= packet.pointee.dts, packet.pointee.size > 0
    else { return false }
    lastDecodeTime = packet.pointee.dts
    return true
  }
}
