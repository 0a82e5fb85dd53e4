import KinemaCounting
import KinemaPose
import KinemaTestSupport
import Testing

/// The windows of movements, at 15 frames a second.
private enum Windows {
  static func window(
    _ parts: [(move: Mover.Move, period: Double, cycles: Double)], depth: Float = 1,
    isLying: Bool = false
  ) -> MovementWindow {
    var mover = Mover()
    var samples: [MotionSample] = []
    var start = 0.0
    for (move, period, cycles) in parts {
      let end = start + period * cycles
      while Double(samples.count) / MotionTrack.frameRate < end {
        let time = Double(samples.count) / MotionTrack.frameRate
        var pose = mover.pose(move, phase: (time - start) / period, depth: depth)
        if isLying {
          pose.keypoints = pose.keypoints.mapValues {
            JointPoint(
              $0.key, position: SIMD2($0.position.y, 1 - $0.position.x), confidence: $0.confidence)
          }
        }
        samples.append(MotionSample(pose, at: time))
      }
      start = end
    }
    return MovementWindow(MotionTrack(samples))
  }

  /// A window in which nothing moves; the person is visible where the flags say so, one a step.
  static func still(isVisible: [Bool]) -> MovementWindow {
    MovementWindow(
      MotionTrack(
        positions: Array(
          repeating: .zero, count: 2 * isVisible.count * MotionTrack.jointCount),
        isValid: isVisible.flatMap { [$0, $0] }))
  }

  /// A step for each one of a window.
  static func steps(of window: MovementWindow, period: Double, periodicity: Double = 1)
    -> [CountingStep]
  {
    window.isVisible.indices.map {
      CountingStep(
        time: Double($0) * CountingStep.duration, period: period, periodicity: periodicity)
    }
  }
}

@Suite("Filters of counting")
struct StepFilterTests {
  private func applied(
    _ filter: some StepFilter, to window: MovementWindow, period: Double, periodicity: Double = 1
  ) -> [CountingStep] {
    var steps = Windows.steps(of: window, period: period, periodicity: periodicity)
    filter.apply(to: &steps, in: window)
    return steps
  }

  // MARK: - Rhythm

  @Test(
    "periodicity above 0.5 counts, and above 0.3 for quick movements",
    arguments: [(1.0, 0.6, true), (1, 0.4, false), (0.6, 0.4, true), (0.6, 0.2, false)])
  func periodicity(period: Double, periodicity: Double, counts: Bool) {
    let window = Windows.window([(.jacks, 1, 5)])
    let steps = applied(
      RhythmFilter(leastMotion: 0.03), to: window, period: period, periodicity: periodicity)
    #expect(steps.allSatisfy { $0.isActive == counts })
  }

  @Test("a person at rest has no rhythm")
  func stillPerson() {
    let window = Windows.window([(.standing, 1, 5)])
    let steps = applied(RhythmFilter(leastMotion: 0.03), to: window, period: 1)
    #expect(steps.allSatisfy { !$0.isActive })
  }

  // MARK: - Sway

  @Test(
    "what returns must be larger than sway, which is smaller the quicker it is",
    arguments: [(Float(0.02), 1.5, false), (0.3, 1.5, true), (0.02, 0.5, true)])
  func sway(depth: Float, period: Double, counts: Bool) {
    let window = Windows.window([(.squats, period, 10 / period)], depth: depth)
    let steps = applied(SwayFilter(), to: window, period: period)
    #expect(steps.allSatisfy { $0.isActive == counts })
  }

  @Test(
    "small movement of a body that is not upright needs a high periodicity",
    arguments: [
      (Float(0.2), 0.9, true, false), (0.2, 0.96, true, true), (0.6, 0.9, true, true),
      (0.2, 0.9, false, true),
    ])
  func lyingSway(depth: Float, periodicity: Double, isLying: Bool, counts: Bool) {
    let window = Windows.window([(.squats, 1.5, 7)], depth: depth, isLying: isLying)
    let steps = applied(SwayFilter(), to: window, period: 1.5, periodicity: periodicity)
    #expect(steps.allSatisfy { $0.isActive == counts })
  }

  @Test("a single small repetition needs no high periodicity")
  func shortRun() {
    let window = Windows.window([(.squats, 1.5, 1.5)], depth: 0.2, isLying: true)
    let steps = applied(SwayFilter(), to: window, period: 1.5, periodicity: 0.9)
    #expect(steps.allSatisfy { $0.isActive })
  }

  // MARK: - Holes

  /// Runs of 10 steps of one period each, with inactive steps between them.
  private func steps(hole: Int, periods: (Double, Double) = (1, 1)) -> [CountingStep] {
    (0..<(20 + hole)).map {
      CountingStep(
        time: Double($0) * CountingStep.duration, period: $0 < 10 ? periods.0 : periods.1,
        isActive: !(10..<(10 + hole)).contains($0))
    }
  }

  @Test("a hole under 0.6 periods is closed, with the mean period of both sides")
  func holes() {
    let window = Windows.still(isVisible: Array(repeating: true, count: 25))
    var short = steps(hole: 4, periods: (1, 1.44))
    HoleFilter().apply(to: &short, in: window)
    #expect(short.allSatisfy { $0.isActive })
    #expect(abs(short[12].period - 1.2) < 1e-9)
    var long = steps(hole: 5)
    HoleFilter().apply(to: &long, in: window)
    #expect(long == steps(hole: 5))
  }

  @Test("a short occlusion is no rest, unless the tempo changes")
  func occlusion() {
    let window = Windows.still(isVisible: (0..<27).map { !(10..<15).contains($0) })
    var steady = steps(hole: 7)
    HoleFilter().apply(to: &steady, in: window)
    #expect(steady.allSatisfy { $0.isActive })
    var changing = steps(hole: 7, periods: (1, 1.6))
    HoleFilter().apply(to: &changing, in: window)
    #expect(changing == steps(hole: 7, periods: (1, 1.6)))
  }

  // MARK: - Halves

  @Test("one long movement is no two repetitions; two that are alike are")
  func halves() {
    let long = Windows.window([(.squats, 4, 1)])
    #expect(applied(HalvesFilter(), to: long, period: 2).allSatisfy { !$0.isActive })
    let two = Windows.window([(.squats, 2, 2)])
    #expect(applied(HalvesFilter(), to: two, period: 2).allSatisfy { $0.isActive })
  }

  @Test("three repetitions are a rhythm, though each is unlike the next")
  func manyHalves() {
    let window = Windows.window([(.squats, 4, 2)])
    #expect(applied(HalvesFilter(), to: window, period: 2).allSatisfy { $0.isActive })
  }

  // MARK: - Stillness

  @Test("standing still before and after a movement is no part of it, except for a short hold")
  func stillness() throws {
    let window = Windows.window([(.standing, 1, 3), (.jacks, 0.8, 10), (.standing, 1, 3)])
    let runs = applied(StillnessFilter(), to: window, period: 0.8).activeRuns
    let run = try #require(runs.first)
    #expect(runs.count == 1)
    let (start, end) = (
      Double(run.lowerBound) * CountingStep.duration,
      Double(run.upperBound) * CountingStep.duration
    )
    #expect(abs(start - 3) < 0.5)
    #expect(abs(end - 11) < 0.5)
  }

  // MARK: - Sides

  @Test("left and right of an alternating movement become one; others stay")
  func sides() {
    let marching = Windows.window([(.marching, 2.4, 4)])
    #expect(applied(SidesFilter(), to: marching, period: 1.2).allSatisfy { $0.period == 2.4 })
    let jacks = Windows.window([(.jacks, 1.2, 8)])
    #expect(applied(SidesFilter(), to: jacks, period: 1.2).allSatisfy { $0.period == 1.2 })
  }

  // MARK: - Runs

  @Test("a run ends where a step is inactive or missing")
  func runs() {
    var steps = Windows.steps(
      of: Windows.still(isVisible: Array(repeating: true, count: 10)), period: 1)
    steps[3].isActive = false
    steps.remove(at: 7)
    #expect(steps.activeRuns == [0..<3, 4..<7, 7..<9])
  }
}
