/// Turns the time stamps of a stream into presentation times that always rise.
///
/// Times are in microseconds from the start of the file, never negative. A frame without a time
/// stamp follows the one before it by that one's duration; a frame that repeats a time or steps back
/// a little is moved one tick behind the one before it; after a step back of more than
/// ``discontinuity`` the clock goes on from where it was, as where recordings have been joined.
struct PresentationClock {
  /// A step back of more microseconds than this is a new beginning, not disorder.
  static let discontinuity = 1_000_000
  /// A step forward of more microseconds than this, a day, is a damaged time stamp.
  static let maximumStep = 86_400_000_000

  private let defaultDuration: Int
  private var offset = 0
  private var last: (time: Int, duration: Int)?

  /// Creates a clock for a stream whose frames last `defaultDuration` where they do not say.
  init(defaultDuration: Int) {
    self.defaultDuration = min(max(1, defaultDuration), Self.maximumStep)
  }

  /// The stretch of time for the next frame in presentation order.
  ///
  /// - Parameters:
  ///   - stamp: Its time stamp in microseconds from the start of the file, where it has one.
  ///   - duration: Its duration in microseconds, where it says.
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

  /// The sum where it stays far from the limits of a number.
  private func sum(_ a: Int, _ b: Int) -> Int? {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow || sum.magnitude > 1 << 60 ? nil : sum
  }
}
