/// What is reported of a receiver that fails: the first failure, and that it receives again; in between
/// nothing, and of one that fails again and again less and less.
package struct OutageReport {
  /// The least time between two reports of failures: it doubles from the first to the longest, and is
  /// the first one again where a receiver has not failed for the longest.
  private static let pauses = (first: Duration.seconds(60), longest: Duration.seconds(3600))

  private var isReported = false
  private var pause = Self.pauses.first
  private var next: ContinuousClock.Instant?

  package init() {}

  /// A failure; whether it is reported.
  package mutating func failed(at now: ContinuousClock.Instant = .now) -> Bool {
    if isReported { return false }
    if let next {
      guard now >= next else { return false }
      let isNew = now - next > Self.pauses.longest
      pause = isNew ? Self.pauses.first : min(pause * 2, Self.pauses.longest)
    }
    next = now + pause
    isReported = true
    return true
  }

  /// The receiver has received something; whether that is reported.
  package mutating func received() -> Bool {
    defer { isReported = false }
    return isReported
  }
}
