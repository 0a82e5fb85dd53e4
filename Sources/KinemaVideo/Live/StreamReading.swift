import Foundation
import KinemaStreams
import Synchronization

/// A camera, stream or pipe that is read once.
///
/// With patience, what gives no first frame is an error: a source that is not there, refuses, or is
/// silent. Without, it is opened for ever, as by ``LiveVideoReader``.
package final class StreamReading: Sendable {
  /// How long a source may take, in seconds.
  package struct Patience: Sendable {
    /// How long a source that is unavailable is tried again.
    package var retry: Double
    /// How much is read, and the longest time without a frame; `nil` for no limit.
    package var duration: Double?

    /// Creates patience.
    package init(retry: Double = 0, duration: Double? = nil) {
      self.retry = retry
      self.duration = duration
    }
  }

  /// The shortest time that a source has for a frame, in seconds.
  private static let shortestSilence = 2.0
  /// How long a web server is asked again that is overloaded or starting (HTTP 5xx), in seconds.
  private static let serverPatience = 2.0
  /// The first pause between attempts, in seconds; each one doubles.
  private static let firstPause = 0.25
  private static let longestPause = 2.0

  private let source: LiveSource
  private let patience: Patience?
  private let gate: (any PictureGate)?
  private let stopping = LiveStop()
  private let begun = Mutex<BegunStream?>(nil)

  /// Prepares to read; nothing is opened yet.
  ///
  /// - Parameter gate: Chooses the frames that are given; `nil` for all.
  package init(_ source: LiveSource, patience: Patience?, gate: (any PictureGate)? = nil) {
    self.gate = gate
    self.source = source
    self.patience = patience
  }

  /// Ends reading; frames that were read still come.
  package func stop() { stopping.cancel() }

  /// Waits for the first frame.
  ///
  /// - Parameter report: Is given why the source is tried again.
  /// - Returns: Whether the source waits for its reader, so that no frame need be lost: a pipe, or a
  ///   recording on a web server.
  /// - Throws: ``VideoError`` if the source gives no frame; `CancellationError` after ``stop()``.
  package func open(report: (@Sendable (String) -> Void)?) async throws -> Bool {
    guard let patience else { return false }
    return try await BlockingThread.run { [self] in
      let stream = try firstFrame(patience, report: report)
      begun.withLock { $0 = stream }
      return switch source.scheme {
      case .pipe: true
      case .http, .https: stream.hasEnd
      default: false
      }
    }
  }

  /// The newest frame of a live source, and what happens to it, until the end.
  package func events() -> AsyncStream<LiveVideoEvent> {
    stopping.interruption.setLimit(secondsFromNow: patience?.duration)
    return LiveReading(
      name: source.name, policy: ReconnectPolicy(), stop: stopping
    ) { [self] _ in
      if let begun = taken() { return begun }
      return try source.open(
        policy: ReconnectPolicy(), interruption: stopping.interruption, gate: gate)
    }.events
  }

  /// All frames of a source that waits for its reader.
  ///
  /// They are decoded on a thread, a few ahead of the reader; times start at the first frame and
  /// increase. `next()` throws ``VideoError`` if the source fails.
  package func frames() -> AsyncFrames.Iterator {
    stopping.interruption.setLimit(secondsFromNow: longestSilence)
    let reading = FrameReading(interruption: stopping.interruption) { [self] _, push in
      guard var stream = taken() else { return }
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
        // The reader may have been slow.
        stopping.interruption.restartLimit()
      }
    }
    return AsyncFrames.Iterator(reading: .success(reading))
  }

  private var longestSilence: Double? {
    patience?.duration.map { max($0, Self.shortestSilence) }
  }

  private func taken() -> BegunStream? {
    begun.withLock { begun in
      defer { begun = nil }
      return begun
    }
  }

  // MARK: - Opening

  private func firstFrame(
    _ patience: Patience, report: ((String) -> Void)?
  ) throws -> BegunStream {
    let interruption = stopping.interruption
    let start = MonotonicTime.seconds
    let limit = longestSilence.map { max($0, patience.retry) }
    interruption.setLimit(secondsFromNow: limit)
    var pause = Self.firstPause
    var reported: String?
    while true {
      do {
        return try begin()
      } catch let error as VideoError {
        if interruption.isPastLimit, let limit {
          throw VideoError.silence(of: source.name, .seconds(limit))
        }
        guard !interruption.isCancelled else { throw CancellationError() }
        let left = start + seconds(for: error, patience) - MonotonicTime.seconds
        guard left > 0 else { throw error }
        let message = error.text?.adding(["then": "retry"]).sentence ?? error.message
        if message != reported { report?(message) }
        reported = message
        _ = stopping.sleep(seconds: min(pause, left))
        pause = min(pause * 2, Self.longestPause)
      }
    }
  }

  private func seconds(for error: VideoError, _ patience: Patience) -> Double {
    guard error.code == .sourceUnavailable else { return 0 }
    let isOverloaded = (error.cause as? FFmpegError)?.code == FFmpegError.serverError
    return isOverloaded ? max(patience.retry, Self.serverPatience) : patience.retry
  }

  private func begin() throws -> BegunStream {
    var policy = ReconnectPolicy()
    policy.recordingTimeout = .seconds(60)
    if source.scheme == .pipe {
      // A program that writes into a pipe may be slow.
      (policy.readTimeout, policy.openTimeout) = (.seconds(86_400), .seconds(60))
      policy.recordingTimeout = policy.readTimeout
    }
    do {
      var stream = try source.open(
        policy: policy, interruption: stopping.interruption, gate: gate)
      guard let first = try stream.next() else { throw VideoError.noPicture(from: source) }
      return BegunStream(first: first, stream: stream)
    } catch let failure as PermanentFailure {
      throw failure.error
    }
  }
}

/// A stream whose first frame was read; one thread reads the others.
private struct BegunStream: LiveFrameStream, @unchecked Sendable {
  var first: (frame: Frame, stamp: TimeInterval?)?
  var stream: any LiveFrameStream

  var isPaced: Bool { stream.isPaced }
  var hasEnd: Bool { stream.hasEnd }

  mutating func next() throws -> (frame: Frame, stamp: TimeInterval?)? {
    guard let first else { return try stream.next() }
    self.first = nil
    return first
  }
}
