/// Follows a movement as it comes in: what came last is judged again and again; what is older than a
/// while stays as it is then, newer steps are provisional.
struct CountingStream: Sendable {
  /// When is judged, and how much at a time, in frames of the grid.
  struct Pace: Sendable {
    /// How many are judged at a time.
    var window: Int
    /// How many come between two judgements; `.max` leaves them to ``CountingStream/refresh()``.
    var hop: Int
    /// The age at which a step is final.
    var horizon: Int
    /// How many are needed for a first judgement before the end.
    var least = CountingStream.leastFrames

    /// While it goes on: twice a second the last 12 seconds; final are the steps older than 8.
    static let live = Pace(window: 180, hop: 8, horizon: 120)
    /// When it is over: each moment with at least 5 of 20 seconds on either side, where there are.
    static let hindsight = Pace(window: 300, hop: 150, horizon: 75, least: 300)
  }

  /// The frames of the grid under which nothing is judged.
  static let leastFrames = 24

  let estimator: any PeriodEstimator
  let pace: Pace
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
  ///   - pace: When is judged, and how much at a time.
  ///   - countsPairs: Whether the two sides of a movement that changes sides are one repetition.
  init(estimator: any PeriodEstimator, pace: Pace = .live, countsPairs: Bool = false) {
    self.estimator = estimator
    self.pace = pace
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
      if sample.time - last.time > Double(pace.window) / MotionTrack.frameRate {
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
    guard count >= pace.least, count / pace.hop > judged / pace.hop else { return false }
    try refresh()
    return true
  }

  /// Judges anew what is provisional.
  mutating func refresh() throws {
    guard frameCount > judged else { return }
    try judge()
    commit(before: frameCount - pace.horizon)
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
    let first = max(0, count - pace.window) / LagPlanes.step * LagPlanes.step
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
