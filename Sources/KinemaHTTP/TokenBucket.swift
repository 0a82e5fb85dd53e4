/// A rate limit with a burst: so many a second, and so many at once after a quiet time.
package struct TokenBucket: Sendable {
  package let rate: Double
  /// How many at once at most.
  package let burst: Double
  private var level: Double
  private var time: Double

  /// Starts full; `time` is in seconds of any steady clock, the same as later calls use.
  package init(rate: Double, burst: Double, at time: Double) {
    self.rate = rate
    self.burst = burst
    level = burst
    self.time = time
  }

  /// Whether `amount` may pass now; only what passes is subtracted.
  package mutating func take(_ amount: Double = 1, at now: Double) -> Bool {
    level = min(burst, level + max(0, now - time) * rate)
    time = now
    guard level >= amount else { return false }
    level -= amount
    return true
  }

  /// Whether the whole burst may pass again.
  func isFull(at now: Double) -> Bool { level + (now - time) * rate >= burst }
}
