/// How fast a movement repeats itself at one moment.
package struct FramePeriod: Hashable, Sendable {
  /// The time in seconds.
  package var time: Double
  /// The time that one repetition takes, in seconds; each side of a movement that changes sides is
  /// one.
  package var period: Double
  /// How sure it is that there is a repetition at all, from 0 to 1: 1 − P(rest).
  package var periodicity: Double

  package init(time: Double, period: Double, periodicity: Double) {
    self.time = time
    self.period = period
    self.periodicity = periodicity
  }
}
