import CFFmpeg
import Foundation

/// Reads the packets of a video track without decoding; for one thread at a time.
final class PacketReader {
  /// Number of packets after a seek within which the keyframe must be.
  private static let maximumSeekDistance = 2000
  /// FFmpeg's names of the containers that can be split.
  private static let formats: Set<String> = ["mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm"]

  private let file: MediaFile
  private let stream: UnsafeMutablePointer<AVStream>
  private let interruption: InterruptCallback
  private var packet = av_packet_alloc()

  init(opening url: URL, interruption: InterruptCallback) throws(VideoError) {
    self.interruption = interruption
    let limits = VideoDecoder.Limits.video
    file = try MediaFile(
      opening: url, as: [.video], limits: limits, interruption: interruption)
    stream = try VideoDecoder.bestVideoStream(of: file, limits: limits)
    file.context.read(only: stream)
  }

  deinit { av_packet_free(&packet) }

  /// Whether pictures are so large that one decoder holds enough of them.
  var isLarge: Bool {
    let parameters = stream.pointee.codecpar.pointee
    return Int64(parameters.width) * Int64(parameters.height)
      > VideoDecoder.Limits.video.unknownPixelCount
  }

  /// All packets; `nil` if the file cannot be split or is damaged.
  func table() -> PacketTable? {
    guard let format = file.context.pointee.iformat,
      Self.formats.contains(String(cString: format.pointee.name)),
      let rule = EntryRule(stream.pointee.codecpar)
    else { return nil }
    var packets: [PacketTable.Packet] = []
    while true {
      let status = next()
      if status == FFmpegError.endOfFile { break }
      guard status == 0, let packet, packet.pointee.flags & AV_PKT_FLAG_CORRUPT == 0,
        let presentation = known(packet.pointee.pts)
      else { return nil }
      defer { av_packet_unref(packet) }
      // Packets outside the edit list are decoded, not shown.
      guard packet.pointee.flags & AV_PKT_FLAG_DISCARD == 0 else { continue }
      let time = av_rescale_q(
        presentation, stream.pointee.time_base,
        AVRational(num: 1, den: Int32(AsyncFrames.timescale)))
      guard time.magnitude < 1 << 56 else { return nil }
      packets.append(
        PacketTable.Packet(
          presentation: presentation, decoding: known(packet.pointee.dts) ?? presentation,
          time: Int(time - file.startTime),
          isEntry: packet.pointee.flags & AV_PKT_FLAG_KEY != 0 && rule.resetsDecoder(packet)))
    }
    return PacketTable(packets)
  }

  /// Whether decoding can start at a keyframe.
  func canEnter(_ entry: VideoSegment.Entry) -> Bool {
    guard file.seek(to: entry, in: stream) else { return false }
    for _ in 0..<Self.maximumSeekDistance {
      guard next() == 0, let packet else { return false }
      defer { av_packet_unref(packet) }
      if entry.isShown(by: packet) { return true }
      guard packet.pointee.dts < entry.decoding else { return false }
    }
    return false
  }

  /// Reads the next packet of the track; 0 or FFmpeg's error.
  private func next() -> Int32 {
    while true {
      guard !interruption.isCancelled else { return FFmpegError.exit }
      let status = av_read_frame(file.context, packet)
      guard status == 0, let packet else { return status }
      if packet.pointee.stream_index == stream.pointee.index { return 0 }
      av_packet_unref(packet)
    }
  }

  private func known(_ time: Int64) -> Int64? { time == kinema_AV_NOPTS_VALUE ? nil : time }
}

extension MediaFile {
  func seek(to entry: VideoSegment.Entry, in stream: UnsafeMutablePointer<AVStream>) -> Bool {
    av_seek_frame(context, stream.pointee.index, entry.decoding, AVSEEK_FLAG_BACKWARD) >= 0
  }
}

extension VideoSegment.Entry {
  func isShown(by packet: UnsafePointer<AVPacket>) -> Bool {
    packet.pointee.pts == presentation && packet.pointee.flags & AV_PKT_FLAG_KEY != 0
  }
}
