/// Assigns increasing times to live frames, from the source's time stamps and the local clock.
///
/// Time stamps are smoother than arrivals, but jump when a source is reopened or resets its clock,
/// and drift. After a jump, local time applies. In seconds; the first frame is at 0.
package struct LiveClock {
  /// A larger increase of time stamps than of local time is a jump.
  static let longestJump = 1.0
  /// Largest lead of a burst of frames over local time.
  package static let longestLead = 1.5
  /// A larger delay after the time stamp follows a gap.
  static let longestLag = 1.0
  /// Largest correction towards the source's clock, per second.
  static let followedDrift = 0.001
  /// Shortest time between frames.
  package static let shortestStep = 0.001
  /// Longest wait for a frame.
  package static let longestWait = 5.0

  private struct Picture {
    var stamp: Double?
    var arrival: Double
    var time: Double
  }

  private var last: Picture?
  /// The local clock at time 0.
  private var origin = 0.0

  package init() {}

  /// Drops the last time stamp, for a new connection.
  package mutating func beginConnection() { last?.stamp = nil }

  /// How long to wait until a frame is due at its source's pace.
  package func wait(stamp: Double?, now: Double) -> Double {
    guard let stamp, let last, let previous = last.stamp else { return 0 }
    let step = stamp - previous
    guard step > 0, step <= Self.longestWait else { return 0 }
    return min(max(0, last.time + step - (now - origin)), Self.longestWait)
  }

  /// The time of the next frame, from its time stamp (if any) and arrival on the local clock.
  package mutating func time(stamp: Double?, arrival: Double) -> Double {
    let stamp = stamp.flatMap { $0.isFinite ? $0 : nil }
    guard let last else {
      origin = arrival
      self.last = Picture(stamp: stamp, arrival: arrival, time: 0)
      return 0
    }
    let passed = max(0, arrival - last.arrival)
    let here = arrival - origin
    var time = here
    if let stamp, let previous = last.stamp {
      let step = stamp - previous
      let stamped = last.time + step
      if step > 0, step <= passed + Self.longestJump, stamped >= here - Self.longestLag {
        time = min(stamped, here + Self.longestLead)
      }
    }
    time = max(time, last.time + Self.shortestStep)
    let drift = Self.followedDrift * passed
    origin -= min(max(time - here, -drift), drift)
    self.last = Picture(stamp: stamp, arrival: arrival, time: time)
    return time
  }
}
