import KinemaStreams

/// Tells the time of frames, and where one clip ends and another begins.
struct ClipClock {
  /// When a frame is shown.
  enum Moment: Sendable {
    /// One thirtieth of a second after the frame before.
    case next
    /// At a time in seconds, of a source with a name.
    case at(seconds: Double, source: String)

    /// When the frame of an identifier begins.
    static func time(of id: TemporalSegmentIdentifier) -> Moment {
      .at(seconds: id.rangeInSeconds.lowerBound, source: id.source)
    }
  }

  private static let assumedStep = 1.0 / 30

  /// The time of the last frame in seconds.
  private(set) var time = 0.0
  private var source: String?

  /// Moves on to a frame.
  ///
  /// - Returns: Whether it begins a new clip: it is of another source, or earlier than the one before.
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
