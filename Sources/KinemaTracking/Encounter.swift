import Foundation

/// Two tracks that come near each other, whose ids are settled from before and after.
package struct Encounter: Sendable {
  /// The state of a track before or after.
  package struct State: Sendable {
    package private(set) var motion: TrackMotion
    private var appearance = MeanAppearance()
    fileprivate let rules: TrackingRules

    package init(_ detection: Detection, at time: Double, rules: TrackingRules) {
      self.rules = rules
      motion = TrackMotion(detection, at: time, rules: rules)
      appearance.add(detection.appearance, rules: rules)
    }

    /// Adds a later detection.
    package mutating func add(_ detection: Detection, at time: Double) {
      motion.update(detection, at: time, trust: 1)
      appearance.add(detection.appearance, rules: rules)
    }

    /// The negative log likelihood that another state continues this one.
    fileprivate func cost(of later: State) -> Float {
      let growth = log(later.motion.size / motion.size) / rules.meanSizeSpread
      return motion.cost(of: later.motion) + appearanceCost(of: later)
        + min(growth * growth / 2, rules.limits.size)
    }

    /// That of the clothes and the head, which are taken to be independent.
    private func appearanceCost(of later: State) -> Float {
      guard let mine = appearance.value, let theirs = later.appearance.value else { return 0 }
      let costs = theirs.differences(from: mine).compactMap { $0.map(rules.appearanceCost) }
      return min(costs.reduce(0, +), rules.limits.appearance)
    }
  }

  private let before: (State, State)
  private var rules: TrackingRules { before.0.rules }

  package init(_ first: State, _ second: State) {
    before = (first, second)
  }

  /// Whether each person has the other's track afterwards.
  package func isExchanged(_ first: State, _ second: State) -> Bool {
    let kept = before.0.cost(of: first) + before.1.cost(of: second)
    let exchanged = before.0.cost(of: second) + before.1.cost(of: first)
    return exchanged + rules.exchangeCost < kept
  }

  /// Positions of both tracks in a frame, in pixels; `nil` while a track has no detection.
  package typealias Places = (first: SIMD2<Float>?, second: SIMD2<Float>?, time: Double)

  /// The first frame of the encounter from which each person has the other's track, where that is
  /// so afterwards: the likeliest, if the people move smoothly from their states before to those
  /// after.
  ///
  /// - Parameter after: The states of the same people.
  package func exchange(in frames: [Places], after: (State, State)) -> Int {
    // By how much less likely each frame is before than after the exchange.
    var (sum, best): (Float, (sum: Float, index: Int)) = (0, (0, 0))
    for (index, frame) in frames.enumerated() {
      let ways = (
        before.0.motion.position(at: frame.time, towards: after.0.motion),
        before.1.motion.position(at: frame.time, towards: after.1.motion)
      )
      sum += cost(frame.first, ways.0) + cost(frame.second, ways.1)
      sum -= cost(frame.first, ways.1) + cost(frame.second, ways.0)
      if sum < best.sum { best = (sum, index + 1) }
    }
    return best.index
  }

  /// The negative log likelihood of a position on a way.
  private func cost(_ place: SIMD2<Float>?, _ way: SIMD2<Float>) -> Float {
    guard let place else { return 0 }
    let away = (place - way).length / (rules.sameness * before.0.motion.size)
    return min(away * away / 2, rules.limits.place)
  }
}
