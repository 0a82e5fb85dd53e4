public import Foundation
import KinemaFiles
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

  /// A time in ticks; `nil` far beyond any video, where sums of ticks would overflow.
  package static func ticks(_ seconds: TimeInterval) -> Int? {
    let ticks = seconds * Double(timescale)
    return abs(ticks) < 1e17 ? Int(rounding: ticks) : nil
  }

  /// The file.
  public let url: URL
  /// The width and height of an upright frame in square pixels; single frames may differ.
  public let frameSize: CGSize
  /// The average frame rate; 0 if unknown.
  public let nominalFrameRate: Float
  /// The duration in seconds, if known.
  public let videoDuration: Double?
  /// The likely number of frames, for progress.
  public let estimatedFrameCount: Int?
  /// Always `nil`: the number of frames is known after decoding.
  public var count: Int? { nil }

  private let source: FrameSource
  private let eventHandler: EventHandler?

  init(decoder: any FrameDecoder, isOnDemand: Bool = false, eventHandler: EventHandler?) {
    url = decoder.url
    let description = decoder.description
    frameSize = CGSize(width: description.width, height: description.height)
    nominalFrameRate = Float(description.nominalFrameRate)
    videoDuration = description.duration
    estimatedFrameCount = description.frameCount
    source = FrameSource(decoder, isOnDemand: isOnDemand)
    self.eventHandler = eventHandler
  }

  /// Problems of the file as sentences; complete after the last frame.
  public var warnings: [String] { damage.sentences(about: url) }

  /// Problems of the file; complete after the last frame.
  package var damage: DamageReport { source.found.withLock { $0.damage } }

  /// The processor time of reading in seconds, after the last frame.
  package var readingSeconds: Double { source.found.withLock { $0.seconds } }

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      reading: Result { () throws(VideoError) in try source.startReading() },
      estimatedFrameCount: estimatedFrameCount, eventHandler: eventHandler)
  }

  /// Reads the frames, one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    let reading: Result<FrameReading, VideoError>
    let estimatedFrameCount: Int?
    let eventHandler: EventHandler?
    private var deliveredCount = 0

    init(
      reading: Result<FrameReading, VideoError>, estimatedFrameCount: Int? = nil,
      eventHandler: EventHandler? = nil
    ) {
      self.reading = reading
      self.estimatedFrameCount = estimatedFrameCount
      self.eventHandler = eventHandler
    }

    /// The next frame, or `nil` at the end.
    public mutating func next() async throws -> TemporalFeature<Frame>? {
      try await next(from: .min)
    }

    /// The next frame that is not before a time in ticks, or `nil` at the end.
    ///
    /// The pictures of frames before it are not converted where frames are read on demand; else they come.
    package mutating func next(from time: Int) async throws -> TemporalFeature<Frame>? {
      guard let frame = try await reading.get().next(from: time) else { return nil }
      deliveredCount += 1
      eventHandler?(
        Event(
          origin: "VideoReader", itemCount: deliveredCount, totalItemCount: estimatedFrameCount,
          metrics: [:]))
      return frame
    }
  }
}

/// Holds a decoder until its frames are read.
private final class FrameSource: Sendable {
  /// Largest number of bytes decoded ahead.
  private static let queueByteCount = 64 << 20

  let found = Mutex((damage: DamageReport(), seconds: 0.0))
  private let decoder: Mutex<(any FrameDecoder)?>
  private let url: URL
  private let isOnDemand: Bool

  init(_ decoder: any FrameDecoder, isOnDemand: Bool) {
    url = decoder.url
    self.isOnDemand = isOnDemand
    self.decoder = Mutex(decoder)
  }

  func startReading() throws(VideoError) -> FrameReading {
    let taken = decoder.withLock { decoder in
      defer { decoder = nil }
      return decoder
    }
    guard let taken else {
      throw VideoError(
        .alreadyRead,
        "The frames of \(url.path) were already read: open the file again with VideoReader.")
    }
    let frameByteCount = max(1, taken.description.width * taken.description.height * 4)
    return FrameReading(
      capacity: max(1, Self.queueByteCount / frameByteCount),
      demand: isOnDemand ? FrameDemand() : nil, interruption: taken.interruption
    ) { nextTime, push in
      let end = Result {
        while let time = nextTime(), let frame = try taken.next(from: time), push(frame) {}
      }
      // The thread does nothing but read.
      let seconds = ThreadTime.seconds
      let damage = taken.interruption.isCancelled ? DamageReport() : taken.damage
      self.found.withLock { $0 = (damage, seconds) }
      try end.get()
    }
  }
}
