/// Converts a stream's time stamps to increasing presentation times.
///
/// In microseconds from the start of the file, never negative. A missing time stamp continues from
/// the last frame's duration; a repeated or slightly earlier one moves one tick after the last
/// frame; after a step back of more than ``discontinuity``, as in joined recordings, the clock
/// continues.
struct PresentationClock {
  /// A larger step back, in microseconds, is a new start.
  static let discontinuity = 1_000_000
  /// A larger step forward, in microseconds (a day), is a damaged time stamp.
  static let maximumStep = 86_400_000_000

  private let defaultDuration: Int
  private var offset = 0
  private var last: (time: Int, duration: Int)?

  /// Creates a clock; `defaultDuration` applies to frames without a duration.
  init(defaultDuration: Int) {
    self.defaultDuration = min(max(1, defaultDuration), Self.maximumStep)
  }

  /// The time range of the next frame from its time stamp and duration in microseconds, if it has
  /// them.
  mutating func range(stamp: Int?, duration: Int?) -> Range<Int> {
    let length =
      duration.flatMap { (1...Self.maximumStep).contains($0) ? $0 : nil } ?? defaultDuration
    let previous = last?.time ?? 0
    let expected = last.map { $0.time + $0.duration } ?? 0
    var time = expected
    if let stamp, let stamped = sum(stamp, offset), stamped <= previous + Self.maximumStep {
      time = stamped
      if last != nil && stamped < previous - Self.discontinuity {
        time = expected
        offset = sum(offset, expected - stamped) ?? offset
      }
    }
    let start = last == nil ? max(0, time) : max(time, previous + 1)
    last = (start, length)
    return start..<(start + length)
  }

  /// The sum, unless near overflow.
  private func sum(_ a: Int, _ b: Int) -> Int? {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow || sum.magnitude > 1 << 60 ? nil : sum
  }
}
