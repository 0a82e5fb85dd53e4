/// The cheapest way through time that is at each frame either at rest or at one of the periods
/// (Viterbi's algorithm).
struct PeriodPath {
  /// The cost of a frame at rest.
  static let restCost: Float = 0.6
  /// The cost of the square of a bin's change of period.
  static let jumpCost: Float = 0.06
  /// The most that a change of period costs.
  static let longestJumpCost: Float = 3
  /// The cost of starting.
  static let onsetCost: Float = 0.5
  /// The cost of stopping.
  static let offsetCost: Float = 0.3

  /// 0 for rest, else 1 + the lag's index.
  private let states: [Int]

  /// - Parameter costs: `[frames, lags]`.
  init(costs: [Float]) {
    let lagCount = LagPlanes.lagCount
    let count = costs.count / lagCount
    let moves = (0..<lagCount).map { min(Self.jumpCost * Float($0 * $0), Self.longestJumpCost) }
    var totals = [Float](repeating: 0, count: lagCount + 1)
    var next = totals
    var back = [UInt8](repeating: 0, count: count * (lagCount + 1))
    totals[0] = Self.restCost
    for lag in 0..<lagCount { totals[lag + 1] = costs[lag] + Self.onsetCost }
    for frame in stride(from: 1, to: count, by: 1) {
      let (fresh, row) = (totals[0] + Self.onsetCost, frame * (lagCount + 1))
      var cheapest = 0
      for lag in 1..<lagCount where totals[lag + 1] < totals[cheapest + 1] { cheapest = lag }
      // A jump further than where it costs most can only come from the cheapest lag.
      let reach = Self.reach
      for lag in 0..<lagCount {
        var best = totals[cheapest + 1] + moves[abs(lag - cheapest)]
        var origin = cheapest
        for other in max(0, lag - reach)...min(lagCount - 1, lag + reach) {
          let total = totals[other + 1] + moves[abs(lag - other)]
          if total < best { (best, origin) = (total, other) }
        }
        back[row + lag + 1] = fresh < best ? 0 : UInt8(origin + 1)
        next[lag + 1] = min(best, fresh) + costs[frame * lagCount + lag]
      }
      let stopped = totals[cheapest + 1] + Self.offsetCost
      back[row] = totals[0] <= stopped ? 0 : UInt8(cheapest + 1)
      next[0] = min(totals[0], stopped) + Self.restCost
      // The totals stay small for any length.
      let least = next.min() ?? 0
      for state in next.indices { totals[state] = next[state] - least }
    }
    var states = [Int](repeating: 0, count: count)
    if count > 0 {
      var state = totals.indices.min { totals[$0] < totals[$1] } ?? 0
      for frame in stride(from: count - 1, through: 0, by: -1) {
        states[frame] = state
        state = Int(back[frame * (lagCount + 1) + state])
      }
    }
    self.states = states
  }

  /// How many bins a jump may go before it costs the most.
  private static let reach = Int((longestJumpCost / jumpCost).squareRoot().rounded(.up))

  /// The index of the period at a frame among ``LagPlanes/lags``; `nil` at rest.
  func lag(at frame: Int) -> Int? {
    states[frame] > 0 ? states[frame] - 1 : nil
  }
}
