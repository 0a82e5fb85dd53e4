public import Foundation
public import KinemaStreams
import Synchronization

/// The frames of a video file, upright and in order of presentation.
///
/// Frames are decoded on a thread of their own, a few ahead of the reader. They can be read once:
/// a second iterator throws. When the iterator is released or its task cancelled, decoding stops.
///
/// A frame's `id` holds the file's path and the stretch of time from the frame's presentation time
/// to that of the frame that is expected next, in ticks of ``timescale``. Times are counted from the
/// start of the file (where its earliest track begins), always rise, and are never negative.
///
/// `next()` throws ``VideoError`` where the file holds no picture that can be decoded and
/// `CancellationError` when the task is cancelled. Damaged pictures are left out; see
/// ``warnings``.
public struct AsyncFrames: TemporalSequence, Sendable {
  /// The values without their stamps.
  public typealias Feature = Frame
  /// The element: a stamped frame.
  public typealias Element = TemporalFeature<Frame>

  static let timescale = 1_000_000

  /// The file.
  public let url: URL
  /// The width and height of an upright frame in pixels.
  ///
  /// Few files change the size of their pictures on the way; a frame has its own size.
  public let frameSize: CGSize
  /// The average number of frames in a second; 0 where the file does not say.
  public let nominalFrameRate: Float
  /// The number of ticks in a second of the frames' times.
  public let timescale = AsyncFrames.timescale
  /// The length of the video in seconds, where the file says.
  public let videoDuration: Double?
  /// How many frames are likely, for showing progress.
  public let estimatedFrameCount: Int?
  /// Always `nil`: how many frames there are is known when they have been decoded.
  public var count: Int? { nil }

  private let source: FrameSource

  init(
    decoder: VideoDecoder, warningHandler: (@Sendable (String) -> Void)?,
    eventHandler: EventHandler?
  ) {
    url = decoder.url
    frameSize = CGSize(width: decoder.frameSize.width, height: decoder.frameSize.height)
    nominalFrameRate = Float(decoder.nominalFrameRate)
    videoDuration = decoder.duration
    estimatedFrameCount = decoder.estimatedFrameCount
    source = FrameSource(
      decoder: decoder, warningHandler: warningHandler, eventHandler: eventHandler)
  }

  /// What was wrong with the file, as sentences; complete once the last frame has been read.
  public var warnings: [String] { source.damage.sentences(about: url) }

  /// What was wrong with the file; complete once the last frame has been read.
  package var damage: DamageReport { source.damage }

  /// The processor time that reading took, in seconds, once the last frame has been read.
  package var readingSeconds: Double { source.readingSeconds }

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reading: source.startReading(estimatedFrameCount: estimatedFrameCount))
  }

  /// Reads the frames, one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    let reading: FrameReading

    /// The next frame, or `nil` at the end.
    public mutating func next() async throws -> TemporalFeature<Frame>? {
      try await reading.next()
    }
  }
}

/// Holds a decoder until somebody reads its frames.
final class FrameSource: Sendable {
  private let decoder: Mutex<VideoDecoder?>
  private let url: URL
  private let found = Mutex((damage: DamageReport(), seconds: 0.0))
  private let warningHandler: (@Sendable (String) -> Void)?
  private let eventHandler: EventHandler?

  init(
    decoder: VideoDecoder, warningHandler: (@Sendable (String) -> Void)?,
    eventHandler: EventHandler?
  ) {
    url = decoder.url
    self.decoder = Mutex(decoder)
    self.warningHandler = warningHandler
    self.eventHandler = eventHandler
  }

  var damage: DamageReport { found.withLock { $0.damage } }
  var readingSeconds: Double { found.withLock { $0.seconds } }

  func startReading(estimatedFrameCount: Int?) -> FrameReading {
    let taken = decoder.withLock { decoder in
      defer { decoder = nil }
      return decoder
    }
    guard let taken else {
      return FrameReading(
        failure: VideoError(
          .alreadyRead,
          "The frames of \(url.path) were already read: open the file again with VideoReader."))
    }
    return FrameReading(
      decoder: taken, estimatedFrameCount: estimatedFrameCount, eventHandler: eventHandler
    ) { damage in
      // The thread does nothing but read.
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      let seconds = Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
      self.found.withLock { $0 = (damage, seconds) }
      damage.sentences(about: self.url).forEach { self.warningHandler?($0) }
    }
  }
}

/// One pass over the frames; decoding stops when it is released.
final class FrameReading: Sendable {
  /// How many frames are decoded ahead.
  static let queueCapacity = 3
  /// Frames are decoded ahead up to so many bytes.
  static let queueByteCount = 64 << 20

  private let queue: FrameQueue<TemporalFeature<Frame>>
  private let interruption: Interruption?
  private let deliveredCount = Atomic(0)
  private let estimatedFrameCount: Int?
  private let eventHandler: EventHandler?

  init(failure: VideoError) {
    queue = FrameQueue(capacity: 1)
    queue.finish(.failure(failure))
    interruption = nil
    estimatedFrameCount = nil
    eventHandler = nil
  }

  init(
    decoder: VideoDecoder, estimatedFrameCount: Int?, eventHandler: EventHandler?,
    onEnd: @escaping @Sendable (DamageReport) -> Void
  ) {
    let frameByteCount = max(1, decoder.frameSize.width * decoder.frameSize.height * 4)
    let queue = FrameQueue<TemporalFeature<Frame>>(
      capacity: min(max(1, Self.queueByteCount / frameByteCount), Self.queueCapacity))
    self.queue = queue
    self.estimatedFrameCount = estimatedFrameCount
    self.eventHandler = eventHandler
    interruption = decoder.interruption
    do {
      try BlockingThread.start {
        let end = Result {
          while let frame = try decoder.next(), queue.push(frame) {}
        }
        onEnd(decoder.interruption.isCancelled ? DamageReport() : decoder.damage)
        queue.finish(end)
      }
    } catch {
      queue.finish(.failure(error))
    }
  }

  deinit {
    interruption?.cancel()
    queue.cancel()
  }

  func next() async throws -> TemporalFeature<Frame>? {
    let frame: TemporalFeature<Frame>?
    do {
      frame = try await queue.pop()
    } catch {
      interruption?.cancel()
      throw error
    }
    if frame != nil, let eventHandler {
      let count = deliveredCount.add(1, ordering: .relaxed).newValue
      eventHandler(
        Event(
          origin: "VideoReader", itemCount: count, totalItemCount: estimatedFrameCount, metrics: [:]
        ))
    }
    return frame
  }
}
