import Foundation

/// Moves the cuts between repetitions to the movement's turning points.
///
/// All cuts are chosen together, by dynamic programming: a cut costs little where the body has its
/// starting posture and hardly moves, and where neighbouring cuts are one period apart.
enum TurningPoints {
  /// How far a cut may be moved, as a share of a repetition.
  static let longestShift = 1.0
  /// The shares of the first repetition, before and after its beginning, in which the stillest
  /// posture is the starting one.
  static let startShares = (before: 0.6, after: 0.25)
  /// The shares of a period between which the duration of a repetition may lie.
  static let durationShares = 0.4...2.2
  /// The cost of the square of the logarithm of that share.
  static let durationCost: Float = 0.6
  /// The cost of moving, at the movement's mean speed.
  static let speedCost: Float = 0.25
  /// The share of the furthest squared distance from the start that a repetition reaches.
  static let leastDeparture: Float = 0.06
  /// The share of the furthest squared distance within which the body is where it started.
  static let restShare: Float = 0.02
  /// The cost of a repetition that does not reach ``leastDeparture``.
  static let stayingCost: Float = 2

  /// Moves cuts.
  ///
  /// - Parameters:
  ///   - cuts: The times in seconds at which repetitions begin and end, by the phase alone.
  ///   - path: The movement.
  ///   - earliest: Nothing begins before this time in seconds.
  ///   - start: When the body has its starting posture, in seconds; `nil` to find that about the first
  ///     cut.
  static func aligned(
    _ cuts: [Double], to path: PosturePath, earliest: Double = -.infinity, start: Double? = nil
  ) -> [Double] {
    let track = path.track
    let durations = zip(cuts, cuts.dropFirst()).map { $1 - $0 }
    guard track.count > 2, let first = durations.first, let last = durations.last,
      durations.allSatisfy({ $0 > 0 })
    else { return cuts }
    func frame(_ time: Double) -> Int {
      let frame = ((time - track.startTime) * MotionTrack.frameRate).rounded()
      return Int(min(max(frame, 0), Double(track.count - 1)))
    }
    // Where the movement comes from: the stillest posture about its start.
    let (low, high) =
      start.map { (frame($0), frame($0)) }
      ?? (frame(cuts[0] - startShares.before * first), frame(cuts[0] + startShares.after * first))
    guard let rest = (low...high).min(by: { path.speeds[$0] < path.speeds[$1] }) else {
      return cuts
    }
    let meanSpeed = path.speeds.reduce(0, +) / Float(path.speeds.count) + 1e-6
    let distances = (0..<track.count).map { path.distance($0, rest) }
    let furthest = (distances.max() ?? 0) + 1e-6
    let costs = distances.indices.map {
      distances[$0] / furthest + speedCost * path.speeds[$0] / meanSpeed
    }
    let ranges = cuts.indices.map { index in
      let before = index > 0 ? durations[index - 1] : first
      let after = index < durations.count ? durations[index] : last
      let low = frame(max(earliest, cuts[index] - longestShift * before))
      return low...max(low, frame(cuts[index] + longestShift * after))
    }
    var away: [Int] = []
    for (frame, distance) in distances.enumerated() {
      away.append(distance > leastDeparture * furthest ? frame : away.last ?? -1)
    }
    guard let frames = cheapest(costs, away: away, ranges: ranges, durations: durations) else {
      return cuts
    }
    let active = trimmed(frames, isAtRest: { distances[$0] < restShare * furthest })
    let times = active.map { track.time(of: $0) }
    // If hardly anything of the first repetition is left, there was none, and one more follows.
    let shortest = durationShares.lowerBound * (durations.min() ?? 0)
    guard times.count > 2, times[1] - times[0] < shortest, earliest < times[1] else { return times }
    let later = aligned(cuts, to: path, earliest: times[1])
    return later[0] < times[1] ? times : later
  }

  /// Leaves out what is still before the first and after the last repetition.
  private static func trimmed(_ frames: [Int], isAtRest: (Int) -> Bool) -> [Int] {
    var frames = frames
    let last = frames.count - 1
    guard last > 0 else { return frames }
    while frames[0] + 1 < frames[1] - 1, isAtRest(frames[0]), isAtRest(frames[0] + 1) {
      frames[0] += 1
    }
    while frames[last] - 1 > frames[last - 1] + 1, isAtRest(frames[last]),
      isAtRest(frames[last] - 1)
    {
      frames[last] -= 1
    }
    return frames
  }

  /// The cheapest choice of a frame for each cut; `nil` if the durations allow none.
  ///
  /// `away` is for each frame the last one until then that is far from the start.
  private static func cheapest(
    _ costs: [Float], away: [Int], ranges: [ClosedRange<Int>], durations: [Double]
  ) -> [Int]? {
    var totals = ranges[0].map { costs[$0] }
    var origins: [[Int]] = []
    for index in 1..<ranges.count {
      let period = Float(durations[index - 1] * MotionTrack.frameRate)
      let (from, to) = (ranges[index - 1], ranges[index])
      var next = [Float](repeating: .infinity, count: to.count)
      var origin = [Int](repeating: 0, count: to.count)
      for (offset, frame) in to.enumerated() {
        let earliest = frame - Int(Float(durationShares.upperBound) * period)
        let latest = frame - max(Int((Float(durationShares.lowerBound) * period).rounded(.up)), 1)
        let (low, high) = (max(from.lowerBound, earliest), min(from.upperBound, latest))
        guard low <= high else { continue }
        for before in low...high {
          let logarithm = logf(Float(frame - before) / period)
          let staying = away[frame] > before ? 0 : stayingCost
          let total =
            totals[before - from.lowerBound] + durationCost * logarithm * logarithm + staying
          if total < next[offset] { (next[offset], origin[offset]) = (total, before) }
        }
        next[offset] += costs[frame]
      }
      origins.append(origin)
      totals = next
    }
    guard let best = totals.indices.min(by: { totals[$0] < totals[$1] }), totals[best].isFinite,
      let last = ranges.last
    else { return nil }
    var frames = [last.lowerBound + best]
    for index in stride(from: ranges.count - 1, to: 0, by: -1) {
      frames.append(origins[index - 1][frames[frames.count - 1] - ranges[index].lowerBound])
    }
    return frames.reversed()
  }
}
