/// Whether frames come too seldom to follow a movement; gaps between stretches do not count.
struct FrameRateCheck {
  /// The least frames a second: counting bridges a tenth of a second either side of a frame
  /// (``MotionTrack/longestReach``).
  static let least = 5.0
  /// A longer time without a frame is a gap, in seconds.
  private static let gap = 10.0

  private var last: Double?
  private var count = 0
  private var slowCount = 0
  private var slowSeconds = 0.0

  mutating func add(_ time: Double) {
    defer { last = time }
    guard let last, time > last, time - last < Self.gap else { return }
    count += 1
    guard time - last > 1.01 / Self.least else { return }
    slowCount += 1
    slowSeconds += time - last
  }

  /// The frames a second where most are too seldom.
  var lowRate: Double? {
    slowCount > 2 && slowCount * 2 > count ? Double(slowCount) / slowSeconds : nil
  }
}
