public import Foundation
public import KinemaStreams
import Synchronization

/// The frames of a video file, upright and in presentation order.
///
/// Frames are decoded on a thread, a few ahead of the reader, once: a second iterator throws.
/// Decoding stops when the iterator is released or its task cancelled. A frame's `id` has the
/// file's path and its time up to the next frame, in ticks of ``timescale`` from the start of the
/// file; times increase.
///
/// `next()` throws ``VideoError`` if no frame can be decoded and `CancellationError`. Damaged
/// frames are skipped; see ``warnings``.
public struct AsyncFrames: TemporalSequence, Sendable {
  /// The values without their stamps.
  public typealias Feature = Frame
  /// The element: a stamped frame.
  public typealias Element = TemporalFeature<Frame>

  package static let timescale = 1_000_000

  /// The file.
  public let url: URL
  /// The width and height of an upright frame in pixels; single frames may differ.
  public let frameSize: CGSize
  /// The average frame rate; 0 if unknown.
  public let nominalFrameRate: Float
  /// Ticks per second of the frames' times.
  public let timescale = AsyncFrames.timescale
  /// The duration in seconds, if known.
  public let videoDuration: Double?
  /// The likely number of frames, for progress.
  public let estimatedFrameCount: Int?
  /// Always `nil`: the number of frames is known after decoding.
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

  /// Problems of the file as sentences; complete after the last frame.
  public var warnings: [String] { source.damage.sentences(about: url) }

  /// Problems of the file; complete after the last frame.
  package var damage: DamageReport { source.damage }

  /// The processor time of reading in seconds, after the last frame.
  package var readingSeconds: Double { source.readingSeconds }

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reading: source.startReading(estimatedFrameCount: estimatedFrameCount))
  }

  /// Reads the frames, one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    let reading: FrameReading

    /// The next frame, or `nil` at the end.
    public mutating func next() async throws -> TemporalFeature<Frame>? { try await reading.next() }
  }
}

/// Holds a decoder until its frames are read.
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
  static let queueCapacity = 3
  /// Largest number of bytes decoded ahead.
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
