import Foundation
package import KinemaStreams

/// All frames of a stream that waits for its reader, such as a pipe, until it ends.
///
/// Frames are decoded on a thread, a few ahead of the reader; times start at the first frame and
/// increase. For live sources, see ``LiveVideoReader``.
package struct StreamFrames: AsyncSequence, Sendable {
  /// The element: a stamped frame.
  package typealias Element = TemporalFeature<Frame>

  private static let queueCapacity = 3
  /// A program that writes to a pipe may be slow.
  private static let policy = {
    var policy = ReconnectPolicy()
    (policy.readTimeout, policy.openTimeout) = (.seconds(86_400), .seconds(60))
    return policy
  }()

  private let source: LiveSource

  /// Prepares to read a source; each iterator opens it.
  package init(_ source: LiveSource) { self.source = source }

  /// Whether the source is a recording, such as a file on a web server; opens and closes it; throws
  /// ``VideoError`` if it cannot be opened.
  package func isRecording() async throws -> Bool {
    let interruption = Interruption()
    return try await withTaskCancellationHandler {
      try await BlockingThread.run { [source] in
        do {
          return try source.open(policy: ReconnectPolicy(), interruption: interruption).hasEnd
        } catch let failure as PermanentFailure {
          throw failure.error
        }
      }
    } onCancel: {
      interruption.cancel()
    }
  }

  /// Opens the source on its own thread.
  package func makeAsyncIterator() -> Iterator {
    Iterator(reading: StreamReading(source, policy: Self.policy, capacity: Self.queueCapacity))
  }

  /// Reads the frames, one at a time.
  package struct Iterator: AsyncIteratorProtocol {
    let reading: StreamReading

    /// The next frame, or `nil` at the end; throws ``VideoError`` if the stream fails;
    /// `CancellationError`.
    package mutating func next() async throws -> TemporalFeature<Frame>? {
      try await reading.next()
    }
  }
}

/// One pass over a stream; reading stops when it is released.
final class StreamReading: Sendable {
  private let queue: FrameQueue<TemporalFeature<Frame>>
  private let interruption = Interruption()

  init(_ source: LiveSource, policy: ReconnectPolicy, capacity: Int) {
    let queue = FrameQueue<TemporalFeature<Frame>>(capacity: capacity)
    self.queue = queue
    do {
      try BlockingThread.start { [interruption] in
        queue.finish(
          Result {
            try Self.read(source, policy: policy, interruption: interruption, into: queue)
          }.mapError { ($0 as? PermanentFailure)?.error ?? $0 })
      }
    } catch {
      queue.finish(.failure(error))
    }
  }

  deinit {
    interruption.cancel()
    queue.cancel()
  }

  func next() async throws -> TemporalFeature<Frame>? {
    do {
      return try await queue.pop()
    } catch {
      interruption.cancel()
      throw error
    }
  }

  private static func read(
    _ source: LiveSource, policy: ReconnectPolicy, interruption: Interruption,
    into queue: FrameQueue<TemporalFeature<Frame>>
  ) throws {
    var stream = try source.open(policy: policy, interruption: interruption)
    var clock = PresentationClock(defaultDuration: 33_333)
    var first: TimeInterval?
    while let (frame, stamp) = try stream.next() {
      let time = stamp.map { stamp in
        first = first ?? stamp
        return Int(((stamp - (first ?? stamp)) * Double(AsyncFrames.timescale)).rounded())
      }
      let id = TemporalSegmentIdentifier(
        source: source.name, range: clock.range(stamp: time, duration: nil),
        timescale: AsyncFrames.timescale)
      guard queue.push(TemporalFeature(id: id, feature: frame)) else { return }
    }
  }
}
