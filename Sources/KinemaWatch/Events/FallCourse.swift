import Foundation
import KinemaAction
import KinemaFiles

/// Where a person was over the last seconds: what signs of a fall are computed from.
struct FallCourse: Sendable {
  private struct Moment {
    let time: TimeInterval
    let body: BodyReading
    let posture: HumanBodyPosture?
  }

  /// How long readings are kept, in seconds.
  private static let memory = 5.0
  /// The steepest way down is searched between these times ago, in seconds; a fall's takes 0.3 to 0.5 s
  /// (Noury et al., *A proposal for the classification and evaluation of fall detectors*, IRBM 29, 2008),
  /// and what follows shows whether it was one.
  private static let search = 0.6...2.5
  private static let step = 0.1
  /// What counts as before the steepest moment, and as after it.
  private static let before = 0.3...1.6
  private static let after = 0.4
  /// The least way down in half a second that may be part of a fall, in statures.
  private static let leastDrop: Float = 0.05
  /// The least way down, in statures, that ways to the side are compared with.
  private static let leastWay: Float = 0.02
  /// The share of readings that are shorter than the person; perspective makes some too long.
  private static let statureShare = 0.8
  /// How long and how far away a person may have been lost, in seconds and statures, whose course
  /// somebody found there continues.
  ///
  /// In 296 real clips two who fell were found under a new id, after 0.7 and 1 s; after 1.7 to 2.8 s three
  /// were somebody else, or lay down on purpose.
  private static let (longestLoss, farthestLoss): (TimeInterval, Float) = (1.5, 1)

  /// The most readings that count for nothing after a gap, in seconds.
  private static let (glimpseCount, glimpseGap): (Int, TimeInterval) = (2, 0.5)

  private var moments: [Moment] = []

  mutating func add(_ body: BodyReading, _ posture: HumanBodyPosture?, at time: TimeInterval) {
    moments.removeAll { $0.time < time - Self.memory }
    moments.append(Moment(time: time, body: body, posture: posture))
  }

  /// The person's stature; `nil` before the first reading.
  var stature: Float? {
    moments.isEmpty
      ? nil : Self.quantile(moments.map(\.body.stature), Self.statureShare)
  }

  /// Whether somebody who is found at a time may be this person, who was lost.
  func mayContinue(in body: BodyReading, at time: TimeInterval) -> Bool {
    guard let last = moments.last, let stature, time > last.time else { return false }
    return time - last.time <= Self.longestLoss
      && abs(body.hips.x - last.body.hips.x) <= Self.farthestLoss * stature
  }

  // MARK: - Signs

  /// The signs of a fall at a time; `nil` while too little is known, and while nobody goes down.
  func signs(at now: TimeInterval) -> FallSigns? {
    let recent = withoutGlimpse(Array(moments.drop { $0.time < now - Self.memory }))
    guard let first = recent.first, let last = recent.last, recent.count >= 4 else { return nil }
    let times = recent.map(\.time)
    func line(_ height: (BodyReading) -> Float) -> Line {
      Line(times: times, heights: recent.map { height($0.body) })
    }
    let (trunk, hips, head) = (line(\.trunk.y), line(\.hips.y), line(\.head.y))
    let earliest = max(first.time, now - Self.search.upperBound)
    let latest = min(last.time, now - Self.search.lowerBound)
    var (steepest, way) = (latest, -Float.infinity)
    for time in stride(from: latest, to: earliest - 1e-6, by: -Self.step) {
      let drop = trunk.drop(around: time, over: 0.5)
      if drop > way { (steepest, way) = (time, drop) }
    }
    guard latest > earliest else { return nil }
    var before = recent.filter { Self.before.contains(steepest - $0.time) }
    if before.count < 3 { before = recent.filter { $0.time <= steepest + 0.1 } }
    // Who comes from near the camera has been larger.
    let stature = Self.quantile(before.map(\.body.stature), Self.statureShare)
    guard stature > 0, way >= Self.leastDrop * stature else { return nil }

    func fastest(_ line: Line, over seconds: Double) -> Float {
      let drops = stride(from: -0.4, through: 0.41, by: Self.step).map {
        line.drop(around: steepest + $0, over: seconds)
      }
      return (drops.max() ?? 0) / Float(seconds) / stature
    }
    var after = recent.filter { $0.time >= steepest + Self.after }
    let isLost = after.isEmpty
    if isLost { after = recent.filter { $0.time >= last.time - 0.15 } }

    func middle(_ part: [Moment], _ value: (BodyReading) -> Float) -> Float {
      Self.quantile(part.map { value($0.body) }, 0.5)
    }
    func share(_ part: [Moment], _ value: (HumanBodyPosture) -> Double) -> Float {
      let known = part.compactMap { $0.posture.map(value) }
      return known.isEmpty ? -1 : Float(known.reduce(0, +) / Double(known.count))
    }
    func drop(_ height: (BodyReading) -> Float) -> Float {
      (Self.quantile(before.map { height($0.body) }, 0.8) - middle(after, height)) / stature
    }
    let floor = Self.quantile(before.map(\.body.lowest.y), 0.2)
    func above(_ height: (BodyReading) -> Float) -> Float {
      (middle(after, height) - floor) / stature
    }
    let interval = Self.quantile(zip(times.dropFirst(), times).map { Float($0 - $1) }, 0.5)
    func share(_ count: Int, of seconds: Double) -> Float {
      min(1, Float(count) * interval / Float(max(seconds, 0.1)))
    }
    let near =
      times.filter { $0 >= steepest - 0.6 && $0 <= steepest + 1 } + [min(now, steepest + 1)]
    let newest = recent.filter { $0.time >= now - 1 }
    let shape = middle(after, \.extent.y) / max(middle(after, \.extent.x), 1e-3)
    return FallSigns(
      time: steepest + 0.25, now: now,
      [
        .speed: fastest(trunk, over: 0.25), .steadySpeed: fastest(trunk, over: 0.5),
        .slowSpeed: fastest(trunk, over: 1), .hipSpeed: fastest(hips, over: 0.5),
        .headSpeed: fastest(head, over: 0.25),
        .shoulderDrop: drop(\.shoulders.y), .hipDrop: drop(\.hips.y),
        .floorDrop: (floor - middle(after, \.lowest.y)) / stature,
        .shoulderHeight: above(\.shoulders.y), .hipHeight: above(\.hips.y),
        .tiltBefore: middle(before) { Float($0.tiltDegrees) },
        .tilt: middle(after) { Float($0.tiltDegrees) },
        .extentBefore: middle(before, \.extent.y) / stature,
        .extent: middle(after, \.extent.y) / stature, .width: middle(after, \.extent.x) / stature,
        .shape: log(max(shape, 1e-3)),
        .aside: abs(middle(after, \.trunk.x) - middle(before, \.trunk.x)) / stature,
        .slant: abs(line(\.trunk.x).drop(around: steepest, over: 1))
          / max(trunk.drop(around: steepest, over: 1), Self.leastWay * stature),
        .unrest: Self.spread(newest.map(\.body.trunk)) / stature,
        .rise: ((after.map(\.body.shoulders.y).max() ?? 0) - middle(after, \.shoulders.y))
          / stature,
        .seenAfter: isLost
          ? 0 : share(times.count { $0 >= steepest + 0.25 }, of: now - steepest - 0.25),
        .gap: zip(near.dropFirst(), near).map { Float($0 - $1) }.max() ?? 1,
        .since: Float(now - steepest), .lost: Float(now - last.time),
        .lyingBefore: share(before, \.lyingProbability),
        .seatedBefore: share(before, \.seatedProbability),
        .uprightBefore: share(before, \.uprightProbability),
        .lying: share(after, \.lyingProbability), .seated: share(after, \.seatedProbability),
        .upright: share(after, \.uprightProbability),
        .lyingNow: share([last], \.lyingProbability),
        .uprightNow: share([last], \.uprightProbability),
      ])
  }

  /// The readings without those at the end that are too few after a gap: who is found again for a moment
  /// may be somebody else.
  private func withoutGlimpse(_ recent: [Moment]) -> [Moment] {
    let newest = recent.indices.dropFirst().suffix(Self.glimpseCount)
    let found = newest.last { recent[$0].time - recent[$0 - 1].time > Self.glimpseGap }
    return found.map { Array(recent[..<$0]) } ?? recent
  }

  /// The value below which a share of the values lies; there is at least one value.
  private static func quantile(_ values: [Float], _ share: Double) -> Float {
    values.sorted()[Int(saturating: (Double(values.count - 1) * share).rounded())]
  }

  /// The deviations of places to the sides and up, added up; −0.05 of less than three.
  private static func spread(_ places: [SIMD2<Float>]) -> Float {
    guard places.count > 2 else { return -0.05 }
    let middle = places.reduce(SIMD2(), +) / Float(places.count)
    let squares = places.reduce(SIMD2()) { $0 + ($1 - middle) * ($1 - middle) }
    let deviations = (squares / Float(places.count)).squareRoot()
    return deviations.sum()
  }

  /// A height, or a place to the side, over time, straight between readings and level before and after them.
  private struct Line {
    let times: [TimeInterval]
    let heights: [Float]

    func drop(around time: TimeInterval, over seconds: Double) -> Float {
      height(at: time - seconds / 2) - height(at: time + seconds / 2)
    }

    private func height(at time: TimeInterval) -> Float {
      guard let next = times.firstIndex(where: { $0 >= time }) else { return heights.last ?? 0 }
      guard next > 0 else { return heights[0] }
      let share = Float((time - times[next - 1]) / (times[next] - times[next - 1]))
      return heights[next - 1] + share * (heights[next] - heights[next - 1])
    }
  }
}
