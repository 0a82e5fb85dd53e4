import KinemaDepth

/// When a person stands up from a chair and sits down again, from how high the hips are.
package struct ChairTransfers: Sendable {
  /// A way from one posture to the other: between a fifth above the seat and a tenth below standing, in shares of
  /// the hips' way.
  struct Transfer: Sendable {
    let start, end: Double
    /// When the hips are halfway.
    let middle: Double
  }

  private(set) var rises: [Transfer] = []
  private(set) var sits: [Transfer] = []
  /// When the first movement to stand up begins: that of the trunk forwards, or of the hips.
  let start: Double?

  /// The standard error of a moment at which a phase begins or ends, in seconds: see docs/benchmarks.md.
  package static let phaseError = 0.08
  /// Nearer to the seat, hips move slowly, and moments are less certain.
  private static let (seatShare, standShare) = (0.2, 0.1)
  /// The least angle by which the trunk leans forwards to stand up, in degrees.
  private static let leastLean = 8.0
  /// How long before the hips the trunk moves at most, in seconds.
  private static let longestLean = 1.0
  /// How long before the hips leave the seat the lean is greatest at most, in seconds.
  private static let leanLead = 0.3

  /// How much of a stay makes the level from which, or to which, the hips go, in seconds.
  private static let levelSeconds = 1.0

  init(_ course: PersonCourse, _ test: MotionTest) {
    let height = course.hipHeight
    let stays = Self.stays(height, test)
    for (last, next) in zip(stays, stays.dropFirst()) {
      let rises = next.isStanding
      let before = height.part(from: max(last.start, last.end - Self.levelSeconds), to: last.end)
      let after = height.part(from: next.start, to: min(next.end, next.start + Self.levelSeconds))
      // A level is what the hips reach, but for a tenth of the time in which the network errs.
      guard let from = before.quantile(rises ? 0.1 : 0.9),
        let to = after.quantile(rises ? 0.9 : 0.1),
        // Who sits low passes the middle after the level of a seated person, and the other way round.
        let middle = rises
          ? height.lastCrossing(of: (from + to) / 2, rising: true, before: next.start)
          : height.firstCrossing(of: (from + to) / 2, rising: false, after: last.end),
        let start = height.lastCrossing(
          of: from + (rises ? Self.seatShare : Self.standShare) * (to - from), rising: rises,
          before: middle),
        let end = height.firstCrossing(
          of: to - (rises ? Self.standShare : Self.seatShare) * (to - from), rising: rises,
          after: middle)
      else { continue }
      let transfer = Transfer(start: start, end: end, middle: middle)
      if rises { self.rises.append(transfer) } else { sits.append(transfer) }
    }
    start = rises.first.map { Self.leanStart(in: course, before: $0) }
  }

  /// A time in which the person stands, or sits.
  private struct Stay {
    let isStanding: Bool
    let start: Double
    var end: Double
  }

  private static func stays(_ height: Signal, _ test: MotionTest) -> [Stay] {
    var stays: [Stay] = []
    for point in height.points {
      let isStanding = point.value >= test.standing
      guard isStanding || point.value <= test.seated else { continue }
      if stays.last?.isStanding == isStanding {
        stays[stays.count - 1].end = point.time
      } else {
        stays.append(Stay(isStanding: isStanding, start: point.time, end: point.time))
      }
    }
    return stays
  }

  private static func leanStart(in course: PersonCourse, before rise: Transfer) -> Double {
    let lean = course.signal { $0.angle(.trunkForwardLean) }
      .part(from: rise.start - longestLean, to: rise.middle)
    let greatest = lean.part(from: rise.start - leanLead, to: rise.middle).points
    guard let most = greatest.max(by: { $0.value < $1.value }),
      let least = lean.part(from: rise.start - longestLean, to: most.time).quantile(0.1),
      most.value - least >= leastLean,
      let start = lean.lastCrossing(
        of: least + 0.1 * (most.value - least), rising: true, before: most.time)
    else { return rise.start }
    return min(start, rise.start)
  }
}

extension MotionTest {
  func chairStands(in course: PersonCourse) -> Assessment {
    var result = Assessment()
    result.curves = [course.hipHeight.curve("height of the hips", in: .percent, times: 100)]
    let transfers = ChairTransfers(course, self)
    let what = stands == nil ? "stands" : "time"
    let unit: Assessment.Unit = stands == nil ? .count : .seconds
    let reason =
      course.hiddenLegs
      ?? (transfers.start == nil ? "the person never gets up from a chair" : nil)
    guard reason == nil, let start = transfers.start, let time = course.time else {
      result.measurements = [.init(what, in: unit, .unseen(reason ?? ""))]
      return result
    }
    let deadline = seconds.map { start + $0 } ?? .infinity
    // A stand is complete, or more than halfway when the time is over (CDC, STEADI).
    let rises = transfers.rises.filter { min($0.end, $0.middle) <= deadline }
      .prefix(stands ?? .max)
    let end = stands == nil ? deadline : rises.last?.end ?? start
    let sits = transfers.sits.filter { $0.start >= start && $0.end <= end }
    if let stands {
      result.measurements.append(
        .init(
          "time", in: .seconds,
          rises.count == stands
            ? .value(
              Estimate(value: end - start, error: ChairTransfers.phaseError * 2.0.squareRoot()))
            : .unseen("the person stands up \(rises.count.times), not \(stands.times)")))
    } else {
      let isWhole = time.upperBound >= deadline - 0.2
      let seen = min(deadline, time.upperBound) - start
      result.measurements.append(
        .init(
          "stands", in: .count,
          isWhole
            ? .value(Estimate(value: Double(rises.count), error: 0))
            : .unseen(
              "the video ends \(seen.short) s after the start; the person stands up "
                + "\(rises.count.times) in it")))
    }
    result.addMean("mean time to stand up", rises.map { $0.end - $0.start })
    result.addMean("mean time to sit down", sits.map { $0.end - $0.start })
    if rises.count > 1, let slowest = rises.map({ $0.end - $0.start }).max() {
      result.measurements.append(
        .init(
          "slowest time to stand up", in: .seconds, slowest,
          ChairTransfers.phaseError * 2.0.squareRoot()))
    }
    result.phases =
      [.init("start", from: start, to: start)]
      + rises.map { .init("stand up", from: $0.start, to: $0.end) }
      + sits.map { .init("sit down", from: $0.start, to: $0.end) }
    result.phases.sort { $0.start < $1.start }
    result.notes.append(
      "Time starts with the first movement; with --from SECONDS at the word “go”, nothing before it counts."
    )
    result.notes.append("Whether the arms help is not evaluated: watch for it.")
    return result
  }
}

extension Assessment {
  /// Adds the mean of durations that are measured between phases.
  mutating func addMean(_ name: String, _ durations: [Double]) {
    guard !durations.isEmpty else { return }
    let count = Double(durations.count)
    measurements.append(
      Measurement(
        name, in: .seconds, durations.reduce(0, +) / count,
        ChairTransfers.phaseError * (2 / count).squareRoot()))
  }
}

extension Int {
  /// "once", "3 times".
  fileprivate var times: String { self == 1 ? "once" : "\(self) times" }
}

extension Double {
  /// With one decimal at most.
  var short: String {
    let rounded = (self * 10).rounded() / 10
    return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
  }
}
