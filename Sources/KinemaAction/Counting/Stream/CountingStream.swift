/// Follows a movement as it comes in: the last 12 seconds are judged again and again; what is older
/// than 8 seconds stays as it is then, newer steps are provisional.
struct CountingStream: Sendable {
  /// The frames of the grid that are judged at a time: 12 seconds.
  static let window = 180
  /// How many frames of the grid come between two judgements, by default.
  static let defaultHop = 8
  /// The frames of the grid that are needed for a first judgement.
  static let leastFrames = 24
  /// The age in frames of the grid at which a step is final: 8 seconds.
  static let horizon = 120

  let estimator: any PeriodEstimator
  let hop: Int
  let countsPairs: Bool

  /// The steps that are final, oldest first.
  private(set) var committed: [CountingStep] = []
  /// The steps behind them that may still change.
  private(set) var provisional: [CountingStep] = []
  private var committedRepetitions = 0.0

  private var samples: [MotionSample] = []
  /// The time of the grid's frame 0.
  private var origin = 0.0
  /// The first frame of the grid that belongs to no final step.
  private var edge = 0
  /// How many frames the grid had at the last judgement.
  private var judged = 0

  /// - Parameters:
  ///   - estimator: What finds the periods.
  ///   - hop: How many frames of the grid come between two judgements; `.max` leaves them to
  ///     ``refresh()``.
  ///   - countsPairs: Whether the two sides of a movement that changes sides are one repetition.
  init(estimator: any PeriodEstimator, hop: Int = defaultHop, countsPairs: Bool = false) {
    self.estimator = estimator
    self.hop = hop
    self.countsPairs = countsPairs
  }

  /// How many repetitions there were until now; a fraction of one where one is under way.
  var repetitions: Double {
    provisional.reduce(committedRepetitions) { $0 + $1.repetitions }
  }

  /// All steps so far.
  var steps: [CountingStep] { committed + provisional }

  /// The time of the last frame; `nil` before the first.
  var lastTime: Double? { samples.last?.time }

  /// Takes the next frame; one that is not later than the one before is left out.
  ///
  /// - Returns: Whether the provisional steps were judged anew.
  mutating func add(_ sample: MotionSample) throws -> Bool {
    if let last = samples.last {
      guard sample.time > last.time else { return false }
      // Nothing is bridged across a gap as long as the window.
      if sample.time - last.time > Double(Self.window) / MotionTrack.frameRate {
        try judge()
        commit(before: .max)
        samples = []
      }
    }
    if samples.isEmpty {
      (origin, edge, judged) = (sample.time, 0, 0)
    }
    samples.append(sample)
    let count = frameCount
    guard count >= Self.leastFrames, count / hop > judged / hop else { return false }
    try refresh()
    return true
  }

  /// Judges anew what is provisional.
  mutating func refresh() throws {
    guard frameCount > judged else { return }
    try judge()
    commit(before: frameCount - Self.horizon)
  }

  /// Ends the stretch: what is provisional is final as it stands.
  mutating func finish() throws {
    if frameCount > judged { try judge() }
    commit(before: .max)
    samples = []
  }

  private var frameCount: Int {
    guard let last = samples.last else { return 0 }
    return Int((last.time - origin) * MotionTrack.frameRate + 1e-6) + 1
  }

  private mutating func judge() throws {
    let count = frameCount
    judged = count
    guard count >= Self.leastFrames else { return }
    // Steps keep their places on the grid from one judgement to the next.
    let first = max(0, count - Self.window) / LagPlanes.step * LagPlanes.step
    let start = origin + Double(first) / MotionTrack.frameRate
    let kept = samples.lastIndex { $0.time <= start } ?? 0
    samples.removeFirst(max(0, kept - 1))
    let track = MotionTrack(samples, startTime: start)
    let steps = try CountingStep.steps(of: track, by: estimator, countsPairs: countsPairs)
    provisional = Array(steps.dropFirst(max(0, edge - first) / LagPlanes.step))
  }

  /// Makes the provisional steps before a frame of the grid final.
  private mutating func commit(before frame: Int) {
    guard frame > edge else { return }
    let isAll = frame == .max
    let wanted = isAll ? provisional.count : (frame - edge + 1) / LagPlanes.step
    let count = min(wanted, provisional.count)
    committedRepetitions = provisional[..<count].reduce(committedRepetitions) {
      $0 + $1.repetitions
    }
    committed += provisional[..<count]
    provisional.removeFirst(count)
    edge += count * LagPlanes.step
  }
}
