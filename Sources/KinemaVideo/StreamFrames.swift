import Foundation
package import KinemaStreams

/// All frames of a stream that waits for its reader, such as a pipe, until it ends.
///
/// Frames are decoded on a thread, a few ahead of the reader; times start at the first frame and
/// increase. For live sources, see ``LiveVideoReader``.
package struct StreamFrames: AsyncSequence, Sendable {
  package typealias Element = TemporalFeature<Frame>

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
    try await BlockingThread.runInterruptibly { [source] interruption in
      try Self.withoutRetries {
        try source.open(policy: ReconnectPolicy(), interruption: interruption).hasEnd
      }
    }
  }

  /// Opens the source on its own thread; `next()` throws ``VideoError`` if the stream fails.
  package func makeAsyncIterator() -> AsyncFrames.Iterator {
    let interruption = InterruptCallback()
    let reading = FrameReading(interruption: interruption) { [source] push in
      try Self.withoutRetries { try Self.read(source, interruption: interruption, push) }
    }
    return AsyncFrames.Iterator(reading: .success(reading))
  }

  /// Runs `body`, whose permanent failures are thrown as any others.
  private static func withoutRetries<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let failure as PermanentFailure { throw failure.error }
  }

  private static func read(
    _ source: LiveSource, interruption: InterruptCallback, _ push: (TemporalFeature<Frame>) -> Bool
  ) throws {
    var stream = try source.open(policy: policy, interruption: interruption)
    var clock = PresentationClock(defaultDuration: 33_333)
    var first: TimeInterval?
    while let (frame, stamp) = try stream.next() {
      let time = stamp.flatMap { stamp in
        first = first ?? stamp
        return AsyncFrames.ticks(stamp - (first ?? stamp))
      }
      let id = TemporalSegmentIdentifier(
        source: source.name, range: clock.range(stamp: time, duration: nil),
        timescale: AsyncFrames.timescale)
      guard push(TemporalFeature(id: id, feature: frame)) else { return }
    }
  }
}
