/// Gives live pictures times that always rise, at the pace of the source's own time stamps and never
/// far from the time that has passed on this computer.
///
/// Time stamps are smoother than arrivals, but they jump where a source is opened again or resets its
/// clock, and they drift. Where they jump, the time goes on by what has passed here. All numbers are
/// seconds; the first picture is at 0.
package struct LiveClock {
  /// Time stamps that rise by so much more than has passed are a jump.
  package static let longestJump = 1.0
  /// Pictures that come in a burst may be so far ahead of the time here.
  package static let longestLead = 1.5
  /// A picture that is later than this after its time stamp follows a gap.
  package static let longestLag = 1.0
  /// The time here follows the source's clock by at most so much of each second.
  package static let followedDrift = 0.001
  /// A picture is at least so much after the one before.
  package static let shortestStep = 0.001
  /// A picture is not waited for longer than this.
  package static let longestWait = 5.0

  private struct Picture {
    var stamp: Double?
    var arrival: Double
    var time: Double
  }

  private var last: Picture?
  /// What the clock here showed when the time was 0.
  private var origin = 0.0

  /// Creates a clock that has not begun.
  package init() {}

  /// Forgets the last time stamp: those that follow come from another connection.
  package mutating func beginConnection() {
    last?.stamp = nil
  }

  /// How long a picture must wait, from now, to be shown at the pace of its source.
  package func wait(stamp: Double?, now: Double) -> Double {
    guard let stamp, let last, let previous = last.stamp else { return 0 }
    let step = stamp - previous
    guard step > 0, step <= Self.longestWait else { return 0 }
    return min(max(0, last.time + step - (now - origin)), Self.longestWait)
  }

  /// The time of the next picture.
  ///
  /// - Parameters:
  ///   - stamp: The source's time stamp, where it has one.
  ///   - arrival: What the clock here shows.
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
