import CFFmpeg
import Foundation
import Glibc
import KinemaFiles

/// Decodes frames of a camera or stream as they arrive, on one thread.
///
/// Damaged frames are skipped; the size may change.
final class LiveStreamDecoder: LiveFrameStream {
  private static let limits = VideoDecoder.Limits.video
  /// The connection is closed after this number of consecutive read failures.
  private static let maximumFailureCount = 500
  /// A packet that was waited for so long, in seconds, is the newest.
  private static let shortestWait = 0.002
  /// So much earlier than a picture that can be wanted is reading taken up again, and less than so much is
  /// not worth a rest; in seconds.
  private static let restMargin = 0.02
  private static let shortestRest = 0.03
  private static let longestRest = 0.2

  let isPaced: Bool
  let hasEnd: Bool
  private let input: LiveInput
  private let policy: ReconnectPolicy
  private let interruption: InterruptCallback
  private let gate: (any PictureGate)?
  /// The time of the last picture on the gate's clock, for those without a time stamp.
  private var gateTime = 0.0
  /// Whether all that has arrived was read.
  private var isAtEdge = false
  private let connection: LiveConnection
  private let stream: UnsafeMutablePointer<AVStream>
  private let orientation: Orientation
  private let hasTimeStamps: Bool
  private let converter = FrameConverter(
    pool: PixelBufferPool(capacity: 6), limit: LiveStreamDecoder.limits.side)
  private let budget = PictureBudget()
  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var picture: UnsafeMutablePointer<AVFrame>?

  /// Opens a source within the policy's time; the interruption stops waiting from another thread.
  ///
  /// - Parameter gate: Chooses the frames that are given; `nil` for all.
  init(
    opening input: LiveInput, policy: ReconnectPolicy, interruption: InterruptCallback,
    gate: (any PictureGate)? = nil
  ) throws(VideoError) {
    self.input = input
    self.policy = policy
    self.interruption = interruption
    self.gate = gate
    interruption.setDeadline(secondsFromNow: policy.openTimeout.seconds)
    do throws(FFmpegError) {
      connection = try LiveConnection(
        to: input, limits: Self.limits, interruption: interruption)
      guard let stream = connection.selectVideoStream() else {
        throw FFmpegError(code: FFmpegError.streamNotFound)
      }
      // What was interrupted may have found streams, but nothing more is read of it.
      guard !interruption.isPastDeadline else { throw FFmpegError(code: FFmpegError.exit) }
      self.stream = stream
      orientation = Orientation(of: stream)
      hasTimeStamps = connection.hasTimeStamps
      isPaced = input.isPaced || connection.isPaced
      hasEnd = connection.hasEnd
      guard let decoder = ForeignMedia.decoder(of: stream.pointee.codecpar.pointee.codec_id) else {
        throw FFmpegError(code: FFmpegError.decoderNotFound)
      }
      codec = try StreamCodec.open(
        decoder, for: stream, maximumPixelCount: Self.limits.pixelCount, budget: budget)
    } catch {
      throw input.openingError(error, isPastDeadline: interruption.isPastDeadline, policy: policy)
    }
    packet = av_packet_alloc()
    picture = av_frame_alloc()
  }

  deinit {
    avcodec_free_context(&codec)
    av_packet_free(&packet)
    av_frame_free(&picture)
  }

  func next() throws -> (frame: Frame, stamp: TimeInterval?)? {
    guard let codec, let picture, packet != nil else {
      throw VideoError(.outOfResources, MessageText("noMemory"))
    }
    let start = ThreadTime.seconds
    defer { gate?.addReading(seconds: ThreadTime.seconds - start) }
    let timeout = hasEnd ? policy.recordingTimeout ?? policy.readTimeout : policy.readTimeout
    interruption.setDeadline(secondsFromNow: timeout.seconds)
    while !interruption.isCancelled {
      guard !interruption.isPastDeadline else { throw VideoError.silence(of: input.name, timeout) }
      let status = avcodec_receive_frame(codec, picture)
      switch status {
      case 0:
        defer { av_frame_unref(picture) }
        guard isWanted(picture) else {
          if isIntact(picture) { interruption.pictureCame() }
          interruption.setDeadline(secondsFromNow: timeout.seconds)
          continue
        }
        if let frame = frame(from: picture) { return (frame, stamp(of: picture)) }
      case FFmpegError.endOfFile:
        return nil
      case FFmpegError.tryAgain:
        try feed(codec)
      default:
        // Damage; the next packets may be intact.
        try feed(codec)
      }
    }
    return nil
  }

  private func frame(from picture: UnsafeMutablePointer<AVFrame>) -> Frame? {
    guard isIntact(picture), max(picture.pointee.width, picture.pointee.height) <= Self.limits.side
    else { return nil }
    return converter.frame(
      from: picture, orientation: orientation(of: picture),
      shape: PixelShape(of: stream, in: connection.context, picture: picture))
  }

  private func isIntact(_ picture: UnsafePointer<AVFrame>) -> Bool {
    picture.pointee.flags & AV_FRAME_FLAG_CORRUPT == 0 && picture.pointee.decode_error_flags == 0
  }

  private func orientation(of picture: UnsafePointer<AVFrame>) -> Orientation {
    Orientation(ofPicture: picture) ?? orientation
  }

  private func stamp(of picture: UnsafePointer<AVFrame>) -> TimeInterval? {
    seconds(picture.pointee.best_effort_timestamp)
  }

  /// A time stamp of the source in seconds, if it has any.
  private func seconds(_ stamp: Int64) -> TimeInterval? {
    let base = stream.pointee.time_base
    guard hasTimeStamps, stamp != kinema_AV_NOPTS_VALUE, base.den > 0 else { return nil }
    return TimeInterval(stamp) * TimeInterval(base.num) / TimeInterval(base.den)
  }

  // MARK: - Choosing

  private func isWanted(_ picture: UnsafePointer<AVFrame>) -> Bool {
    guard let gate else { return true }
    gateTime = hasTimeStamps ? stamp(of: picture) ?? gateTime : MonotonicTime.seconds
    return gate.wants(at: gateTime) {
      LumaGrid(of: picture)?.turned(by: orientation(of: picture))
    }
  }

  /// Whether a packet is left undecoded: its picture is not wanted, and no other one needs it.
  ///
  /// Of a codec with pictures that need others, the decoder drops those that none needs, and may leave
  /// out the deblocking filter, which takes a third to a half of the time of H.264 in a room where little
  /// moves. Until the next keyframe, joints are then up to a hundredth of the picture's height away
  /// from where they are with the filter.
  private func isSkipped(
    _ packet: UnsafePointer<AVPacket>, by codec: UnsafeMutablePointer<AVCodecContext>
  ) -> Bool {
    guard let gate else { return false }
    let properties = codec.pointee.codec_descriptor?.pointee.props ?? 0
    guard properties & AV_CODEC_PROP_INTRA_ONLY == 0 else {
      let time = hasTimeStamps ? seconds(packet.pointee.pts) : MonotonicTime.seconds
      guard let time, !gate.mayWant(at: time) else { return false }
      gateTime = time
      interruption.pictureCame()
      return true
    }
    codec.pointee.skip_frame = gate.wantsFewPictures ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
    codec.pointee.skip_loop_filter = gate.mayBeRough ? AVDISCARD_ALL : AVDISCARD_DEFAULT
    return false
  }

  /// Waits while no picture can be wanted: to decode several that have come meanwhile costs half as much
  /// as to decode each when it comes.
  ///
  /// Pictures that are wanted are as late as without: of what comes before them nothing is left when they
  /// arrive. A reader that is behind does not rest.
  private func rest() {
    guard isAtEdge, input.keepsUnread, !isPaced, hasTimeStamps, let gate else { return }
    let seconds = min(gate.nextTime - gateTime, Self.longestRest) - Self.restMargin
    guard seconds > Self.shortestRest else { return }
    isAtEdge = false
    // Bounded above, whatever the times of the stream are.
    usleep(UInt32(clamping: Int(saturating: seconds * 1_000_000)))
  }

  /// Passes the next packet, or the end of packets, to the decoder.
  private func feed(_ codec: UnsafeMutablePointer<AVCodecContext>) throws(VideoError) {
    var failureCount = 0
    while !interruption.isCancelled && !interruption.isPastDeadline {
      rest()
      let start = MonotonicTime.seconds
      let status = av_read_frame(connection.context, packet)
      isAtEdge = MonotonicTime.seconds - start >= Self.shortestWait
      switch status {
      case FFmpegError.endOfFile:
        _ = avcodec_send_packet(codec, nil)
        return
      case FFmpegError.tryAgain:
        usleep(2000)
      case ..<0:
        failureCount += 1
        guard status == FFmpegError.invalidData, failureCount < Self.maximumFailureCount else {
          if status == FFmpegError.exit { return }
          throw VideoError.stop(of: input.name, FFmpegError(code: status))
        }
      default:
        defer { av_packet_unref(packet) }
        guard packet?.pointee.stream_index == stream.pointee.index else { continue }
        if let packet, isSkipped(packet, by: codec) { continue }
        // A packet that the decoder refuses is damaged; the next ones may be intact.
        if let packet, PNGChunks.clean(packet, of: stream) >= 0 {
          _ = avcodec_send_packet(codec, packet)
        }
        return
      }
    }
  }
}

extension Orientation {
  /// The orientation in a frame's own display matrix, as cameras write it into H.264.
  init?(ofPicture picture: UnsafePointer<AVFrame>) {
    guard let data = av_frame_get_side_data(picture, AV_FRAME_DATA_DISPLAYMATRIX),
      data.pointee.size >= 9 * MemoryLayout<Int32>.size, let bytes = data.pointee.data
    else { return nil }
    let matrix = UnsafeRawPointer(bytes).assumingMemoryBound(to: Int32.self)
    self.init(displayMatrix: matrix)
  }
}
