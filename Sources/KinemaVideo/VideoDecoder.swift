import CFFmpeg
import Foundation
import KinemaStreams

/// Decodes the video track of a file; for one thread at a time.
final class VideoDecoder: FrameDecoder, @unchecked Sendable {
  struct Limits {
    let side: Int32
    let pixelCount: Int64

    /// Of a stream whose container does not say its size.
    let unknownPixelCount: Int64

    /// 16,384 pixels a side, and the pixels of 8K cinema (8192 × 4320).
    static let video = Limits(side: 16_384, pixelCount: 36 << 20, unknownPixelCount: 1 << 24)
    static let stillPicture = Limits(
      side: 65_535, pixelCount: 1 << 26, unknownPixelCount: 1 << 26)
  }

  /// Reading stops after this number of consecutive failures.
  private static let maximumFailureCount = 1000
  /// Tolerated difference between declared and actual end, in microseconds.
  private static let toleratedMissingTime = 500_000

  let url: URL
  let interruption: InterruptCallback
  let orientation: Orientation
  private let file: MediaFile
  private let limits: Limits
  private let stream: UnsafeMutablePointer<AVStream>
  private let budget = PictureBudget()
  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var packet = av_packet_alloc()
  private var picture = av_frame_alloc()
  private let converter: FrameConverter
  private var clock: PresentationClock
  private var hasReachedEnd = false
  private var frameCount = 0
  private var packetCount = 0
  private var pictureCount = 0
  /// The end of the last packet, in stream ticks.
  private var endOfPackets = Int64.min
  private var hasDecoderComplained = false
  private(set) var damage = DamageReport()
  private let segment: VideoSegment
  /// Whether packets are skipped until the segment's start.
  private var seeksEntry: Bool
  private var isWarmingUp: Bool
  private var hasReachedSegmentEnd = false

  /// Opens the best video track of a file.
  ///
  /// - Parameter interruption: Stops decoding from another thread.
  init(
    opening url: URL, as kind: MediaKind, segment: VideoSegment = .whole,
    interruption: InterruptCallback
  ) throws(VideoError) {
    self.url = url
    self.interruption = interruption
    self.segment = segment
    seeksEntry = segment.entry != nil
    isWarmingUp = segment.start > 0
    limits = kind == .stillPicture ? .stillPicture : .video
    file = try MediaFile(
      opening: url, as: [kind], limits: limits, interruption: interruption)
    stream = try Self.bestVideoStream(of: file, limits: limits)
    orientation = Orientation.ofAVIF(at: url) ?? Orientation(of: stream)
    converter = FrameConverter(pool: PixelBufferPool(capacity: 6), limit: limits.side)
    let rate = av_guess_frame_rate(file.context, stream, nil)
    clock = PresentationClock(
      defaultDuration: rate.num > 0 && rate.den > 0
        ? Int(1_000_000 * Int64(rate.den) / Int64(rate.num)) : 40_000)
    file.context.read(only: stream)
    codec = try Self.openCodec(for: stream, of: url, limits: limits, budget: budget)
    if let entry = segment.entry, !file.seek(to: entry, in: stream) { throw changed }
  }

  deinit {
    avcodec_free_context(&codec)
    av_packet_free(&packet)
    av_frame_free(&picture)
  }

  /// The width and height of upright frames, in square pixels.
  private var frameSize: (width: Int, height: Int) {
    let parameters = stream.pointee.codecpar.pointee
    let (width, height) = shape(of: nil).displaySize(
      width: Int(parameters.width), height: Int(parameters.height), limit: Int(limits.side))
    return orientation.swapsSides ? (height, width) : (width, height)
  }

  /// The shape of the pixels of the track, or of one picture.
  ///
  /// What a still picture says is its resolution in print, which programs that show it ignore.
  private func shape(of picture: UnsafeMutablePointer<AVFrame>?) -> PixelShape {
    file.kind == .stillPicture
      ? .square : PixelShape(of: stream, in: file.context, picture: picture)
  }

  /// The average frame rate; 0 if unknown.
  private var nominalFrameRate: Double {
    let average = stream.pointee.avg_frame_rate
    let rate = average.num > 0 ? average : av_guess_frame_rate(file.context, stream, nil)
    return rate.num > 0 && rate.den > 0 ? Double(rate.num) / Double(rate.den) : 0
  }

  private var duration: Double? {
    let base = stream.pointee.time_base
    if stream.pointee.duration > 0 && base.den > 0 {
      return Double(stream.pointee.duration) * Double(base.num) / Double(base.den)
    }
    let whole = file.context.pointee.duration
    return whole > 0 ? Double(whole) / 1_000_000 : nil
  }

  /// The number of frames as declared, or from duration and rate.
  private var estimatedFrameCount: Int? {
    if stream.pointee.nb_frames > 0 { return Int(stream.pointee.nb_frames) }
    guard let duration, nominalFrameRate > 0 else { return nil }
    let estimate = (duration * nominalFrameRate).rounded()
    return estimate < 1e12 ? max(1, Int(estimate)) : nil
  }

  var description: TrackDescription {
    TrackDescription(
      width: frameSize.width, height: frameSize.height, nominalFrameRate: nominalFrameRate,
      duration: duration, frameCount: estimatedFrameCount)
  }

  func next(from time: Int) throws(VideoError) -> TemporalFeature<Frame>? {
    guard let codec, let picture else { throw outOfMemory }
    FFmpegLog.startListening()
    defer {
      if FFmpegLog.stopListening() != nil { hasDecoderComplained = true }
    }
    while !interruption.isCancelled && !hasReachedSegmentEnd {
      guard !budget.isExceeded else { throw Self.tooLarge(stream, of: url, limits) }
      let status = avcodec_receive_frame(codec, picture)
      switch status {
      case 0:
        defer { av_frame_unref(picture) }
        pictureCount += 1
        guard let frame = try accept(picture, from: time) else { continue }
        if isWarmingUp, frame.id.range.lowerBound >= segment.start {
          isWarmingUp = false
          // Errors before the segment's start belong to the segment before.
          damage = DamageReport()
        }
        guard let end = segment.end, frame.id.range.lowerBound >= end else { return frame }
        hasReachedSegmentEnd = true
      case FFmpegError.tryAgain:
        try feed(codec)
      case FFmpegError.endOfFile:
        if frameCount == 0 && segment == .whole { throw .nothingDecoded(at: url, damage) }
        noteWhatIsMissing()
        return nil
      default:
        damage.note(picture: FFmpegError(code: status))
      }
    }
    return nil
  }

  private func accept(
    _ picture: UnsafeMutablePointer<AVFrame>, from time: Int
  ) throws(VideoError) -> TemporalFeature<Frame>? {
    let range = clock.range(
      stamp: microseconds(picture.pointee.best_effort_timestamp).map { $0 - Int(file.startTime) },
      duration: kinema_frame_duration(picture) > 0
        ? microseconds(kinema_frame_duration(picture)) : nil)
    guard range.lowerBound >= segment.first else { return nil }
    // In damaged packets the decoder fills in guesses, which would appear as motion.
    if picture.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
      || picture.pointee.decode_error_flags != 0
    {
      damage.note(picture: nil)
      return nil
    }
    guard range.lowerBound >= time else {
      frameCount += 1
      return nil
    }
    guard max(picture.pointee.width, picture.pointee.height) <= limits.side,
      let frame = converter.frame(
        from: picture,
        orientation: file.kind == .stillPicture
          ? Orientation(ofStillPicture: picture, at: url) : orientation,
        shape: shape(of: picture))
    else {
      damage.note(picture: nil)
      return nil
    }
    frameCount += 1
    return TemporalFeature(
      id: TemporalSegmentIdentifier(
        source: url.absoluteURL.path, range: range, timescale: AsyncFrames.timescale),
      feature: frame)
  }

  /// Adds frames skipped without an error, and an early end, to ``damage``.
  private func noteWhatIsMissing() {
    if hasDecoderComplained { damage.note(packetCount: packetCount, pictureCount: pictureCount) }
    let promised = stream.pointee.duration
    guard promised > 0, endOfPackets != .min else { return }
    let start = stream.pointee.start_time == kinema_AV_NOPTS_VALUE ? 0 : stream.pointee.start_time
    let (missing, overflow) = (start &+ promised).subtractingReportingOverflow(endOfPackets)
    if !overflow, let missing = microseconds(missing), missing > Self.toleratedMissingTime {
      damage.noteEarlyEnd()
    }
  }

  /// Passes the next packet, or the end of packets, to the decoder.
  private func feed(_ codec: UnsafeMutablePointer<AVCodecContext>) throws(VideoError) {
    guard let packet else { throw outOfMemory }
    var failureCount = 0
    while !hasReachedEnd && !interruption.isCancelled {
      let status = av_read_frame(file.context, packet)
      // The next time all of it may be read: what was found so far is not what the file has.
      if status < 0, let failure = file.readingFailure {
        throw VideoError(
          .unreadableFile,
          "\(url.path) could not be read to its end (\(failure)): check the disk or the network, and try "
            + "again.",
          cause: failure)
      }
      if status == FFmpegError.endOfFile {
        hasReachedEnd = true
      } else if status < 0 {
        damage.note(reading: FFmpegError(code: status))
        failureCount += 1
        if status != FFmpegError.invalidData && status != FFmpegError.tryAgain
          || failureCount >= Self.maximumFailureCount
        {
          hasReachedEnd = true
        }
      } else {
        defer { av_packet_unref(packet) }
        guard packet.pointee.stream_index == stream.pointee.index else { continue }
        if seeksEntry, let entry = segment.entry {
          guard entry.isShown(by: packet) else {
            guard packet.pointee.dts < entry.decoding else { throw changed }
            continue
          }
          seeksEntry = false
        }
        packetCount += 1
        if packet.pointee.pts != kinema_AV_NOPTS_VALUE {
          endOfPackets = max(endOfPackets, packet.pointee.pts &+ packet.pointee.duration)
        }
        let cleaned = PNGChunks.clean(packet, of: stream)
        let sent = cleaned < 0 ? cleaned : avcodec_send_packet(codec, packet)
        if sent < 0 { damage.note(picture: FFmpegError(code: sent)) }
        return
      }
    }
    _ = avcodec_send_packet(codec, nil)
  }

  private func microseconds(_ time: Int64) -> Int? {
    guard time != kinema_AV_NOPTS_VALUE else { return nil }
    let ticks = av_rescale_q(
      time, stream.pointee.time_base, AVRational(num: 1, den: Int32(AsyncFrames.timescale)))
    // Far beyond any video; prevents overflow of sums.
    return abs(Double(ticks)) < 1e17 ? Int(ticks) : nil
  }

  private var outOfMemory: VideoError {
    VideoError(.outOfResources, MessageText("noMemory"))
  }

  private var changed: VideoError {
    VideoError(.damaged, MessageText("changedFile", ["file": url.path]))
  }
}

// MARK: - Opening

extension VideoDecoder {
  static func bestVideoStream(
    of file: MediaFile, limits: Limits
  ) throws(VideoError) -> UnsafeMutablePointer<AVStream> {
    let path = file.url.path
    func isVideo(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
      stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        && stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }
    let streams = file.context.streams
    guard let first = streams.first(where: isVideo) else {
      if streams.contains(where: { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }) {
        throw VideoError(.noVideo, MessageText("onlySound", ["file": path]))
      }
      throw VideoError(.noVideo, MessageText("noVideoTrack", ["file": path]))
    }
    let index = av_find_best_stream(file.context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
    let best = streams.indices.contains(Int(index)) ? streams[Int(index)] : first
    let stream = isVideo(best) ? best : first
    let parameters = stream.pointee.codecpar.pointee
    if max(parameters.width, parameters.height) > limits.side
      || Int64(parameters.width) * Int64(parameters.height) > limits.pixelCount
    {
      throw tooLarge(stream, of: file.url, limits)
    }
    if parameters.width <= 0 || parameters.height <= 0 {
      throw .nothingDecoded(at: file.url)
    }
    return stream
  }

  private static func tooLarge(
    _ stream: UnsafePointer<AVStream>, of url: URL, _ limits: Limits
  ) -> VideoError {
    let parameters = stream.pointee.codecpar.pointee
    return .tooLarge(
      url, width: Int(parameters.width), height: Int(parameters.height), limits)
  }

  private static func openCodec(
    for stream: UnsafeMutablePointer<AVStream>, of url: URL, limits: Limits, budget: PictureBudget
  ) throws(VideoError) -> UnsafeMutablePointer<AVCodecContext> {
    let id = stream.pointee.codecpar.pointee.codec_id
    guard let decoder = ForeignMedia.decoder(of: id) else {
      let name = avcodec_get_name(id).map { String(cString: $0) } ?? "an unknown codec"
      throw VideoError(
        .unsupportedCodec,
        MessageText("noDecoder", ["file": url.path, "codec": name]))
    }
    do throws(FFmpegError) {
      return try StreamCodec.open(
        decoder, for: stream, maximumPixelCount: limits.pixelCount, budget: budget)
    } catch {
      throw VideoError(
        .damaged,
        MessageText("damagedVideo", ["file": url.path, "reason": error]), cause: error)
    }
  }
}

extension Orientation {
  /// The orientation of a track: its display matrix, or the older `rotate` tag.
  init(of stream: UnsafeMutablePointer<AVStream>) {
    if let matrix = kinema_display_matrix(stream) {
      self.init(displayMatrix: matrix)
      return
    }
    guard let entry = av_dict_get(stream.pointee.metadata, "rotate", nil, 0),
      let degrees = Double(String(cString: entry.pointee.value))
    else {
      self = .upright
      return
    }
    self.init(clockwiseDegrees: degrees)
  }
}
