/// Runs steps 1 and 2 of counting over a movement as it comes in, one window after the other.
///
/// Windows overlap: a step is provisional until it is older than the pace's horizon, then final.
struct CountingStream: Sendable {
  /// When windows are evaluated, in frames of the grid.
  struct Pace: Sendable {
    /// The length of a window.
    var window: Int
    /// From one window to the next; `.max` leaves it to ``CountingStream/refresh()``.
    var hop: Int
    /// The age at which a step is final.
    var horizon: Int
    /// The frames needed for a first window before the end.
    var least = CountingStream.leastFrames

    /// Twice a second the last 12 seconds; steps older than 8 are final.
    static let live = Pace(window: 180, hop: 8, horizon: 120)
    /// Every 10 seconds the last 20: each step has 5 seconds on either side, where there are.
    static let file = Pace(window: 300, hop: 150, horizon: 75, least: 300)
  }

  /// The frames under which a window is not evaluated.
  static let leastFrames = 24

  let finder: StepFinder
  let pace: Pace

  /// The final steps, oldest first.
  private(set) var committed: [CountingStep] = []
  /// The steps after them, which may still change.
  private(set) var provisional: [CountingStep] = []
  private var committedRepetitions = 0.0

  private var samples: [MotionSample] = []
  /// The time of the grid's frame 0.
  private var origin = 0.0
  /// The first frame of the grid that belongs to no final step.
  private var edge = 0
  /// The number of frames at the last evaluation.
  private var evaluatedCount = 0

  init(_ finder: StepFinder, pace: Pace) {
    self.finder = finder
    self.pace = pace
  }

  /// The repetitions so far, with the fraction of the one under way.
  var repetitions: Double {
    provisional.reduce(committedRepetitions) { $0 + $1.repetitions }
  }

  /// All steps so far.
  var steps: [CountingStep] { committed + provisional }

  /// The time of the last frame; `nil` before the first.
  private(set) var lastTime: Double?

  /// Adds the next frame; one that is not later than the one before is left out.
  ///
  /// - Returns: Whether the provisional steps are new.
  mutating func add(_ sample: MotionSample) throws -> Bool {
    if let lastTime {
      guard sample.time > lastTime else { return false }
      // Nothing is bridged across a gap as long as the window.
      if sample.time - lastTime > Double(pace.window) / MotionTrack.frameRate { try finish() }
    }
    if samples.isEmpty { (origin, edge, evaluatedCount) = (sample.time, 0, 0) }
    lastTime = sample.time
    samples.append(sample)
    let count = frameCount
    guard count >= pace.least, count / pace.hop > evaluatedCount / pace.hop else { return false }
    try refresh()
    return true
  }

  /// Evaluates the last window again.
  mutating func refresh() throws {
    guard frameCount > evaluatedCount else { return }
    try evaluate()
    commit(before: frameCount - pace.horizon)
  }

  /// Evaluates what is left; all steps are final then.
  mutating func finish() throws {
    if frameCount > evaluatedCount { try evaluate() }
    commit(before: .max)
    samples = []
  }

  private var frameCount: Int {
    guard let last = samples.last else { return 0 }
    return Int((last.time - origin) * MotionTrack.frameRate + 1e-6) + 1
  }

  private mutating func evaluate() throws {
    let count = frameCount
    evaluatedCount = count
    guard count >= Self.leastFrames else { return }
    // Steps keep their places on the grid from one window to the next.
    let first = max(0, count - pace.window) / LagPlanes.step * LagPlanes.step
    let start = origin + Double(first) / MotionTrack.frameRate
    let oldest = samples.lastIndex { $0.time <= start } ?? 0
    samples.removeFirst(max(0, oldest - 1))
    let steps = try finder.steps(of: MotionTrack(samples, startTime: start))
    provisional = Array(steps.dropFirst(max(0, edge - first) / LagPlanes.step))
  }

  /// Makes the provisional steps before a frame of the grid final.
  private mutating func commit(before frame: Int) {
    guard frame > edge else { return }
    let wanted = frame == .max ? provisional.count : (frame - edge + 1) / LagPlanes.step
    let count = min(wanted, provisional.count)
    committedRepetitions = provisional[..<count].reduce(committedRepetitions) {
      $0 + $1.repetitions
    }
    committed += provisional[..<count]
    provisional.removeFirst(count)
    edge += count * LagPlanes.step
  }
}
