import KinemaStreams

/// Tracks the time of frames and detects new clips.
struct ClipClock {
  /// The time of a frame.
  enum Moment: Sendable {
    /// 1/30 s after the last frame.
    case next
    /// A time in seconds, in a source.
    case at(seconds: Double, source: String)

    /// The start of an identifier's range.
    static func time(of id: TemporalSegmentIdentifier) -> Moment {
      .at(seconds: id.rangeInSeconds.lowerBound, source: id.source)
    }
  }

  private static let assumedStep = 1.0 / 30

  /// The time of the last frame in seconds.
  private(set) var time = 0.0
  private var source: String?

  /// Advances to a frame.
  ///
  /// - Returns: Whether it starts a new clip: another source, or an earlier time.
  mutating func advance(to moment: Moment) -> Bool {
    switch moment {
    case .next:
      time += Self.assumedStep
      return false
    case .at(let seconds, let source):
      defer {
        self.source = source
        time = seconds
      }
      return source != self.source || seconds < time
    }
  }
}
