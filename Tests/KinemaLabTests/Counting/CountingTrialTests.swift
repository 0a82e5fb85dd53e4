import Foundation
import KinemaLab
import KinemaPose
import KinemaSynth
import Testing

@Suite("Trials of counting")
struct CountingTrialTests {
  private static let counted = [
    "squats", "jumping_jacks", "lunges", "push_ups", "mountain_climbers",
  ]

  @Test("a trial depends on motion and seed alone")
  func determinism() throws {
    let motion = try #require(Motion.named("squats"))
    let (one, again) = (CountingTrial(of: motion, seed: 5), CountingTrial(of: motion, seed: 5))
    #expect(one.poses.frames.map(\.poses) == again.poses.frames.map(\.poses))
    #expect(one.repetitions == again.repetitions && one.aspectRatio == again.aspectRatio)
    #expect(CountingTrial(of: motion, seed: 6).repetitions != one.repetitions)
  }

  @Test(
    "three repetitions or more follow each other within the video, after a rest and before one",
    arguments: counted, [1, 2, 3] as [UInt64])
  func repetitions(_ name: String, _ seed: UInt64) throws {
    let trial = CountingTrial(of: try #require(Motion.named(name)), seed: seed)
    let frames = trial.poses.frames
    let (first, last) = try (#require(trial.repetitions.first), #require(trial.repetitions.last))
    #expect((3...16).contains(trial.repetitions.count))
    #expect(first.start >= 0.29)
    #expect(try #require(frames.last).time > last.end)
    for (one, next) in zip(trial.repetitions, trial.repetitions.dropFirst()) {
      #expect(next.start >= one.end - 1e-9)
    }
    // A cycle has up to two repetitions, whose shares of it vary by a tenth.
    #expect(trial.repetitions.allSatisfy { (0.2...10).contains($0.end - $0.start) })
  }

  @Test("frames are evenly spaced, poses in the picture's unit square or near it")
  func frames() throws {
    let trial = CountingTrial(of: try #require(Motion.named("squats")), seed: 2)
    let times = trial.poses.frames.map(\.time)
    let step = try #require(times.count > 1 ? times[1] - times[0] : nil)
    #expect([24, 25, 30].contains { abs(1 / $0 - step) < 1e-6 })
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - step) < 1e-6 })
    let points = trial.poses.frames.flatMap(\.poses).flatMap(\.keypoints.values)
    #expect(points.count > 18 * times.count / 2)
    #expect(
      points.allSatisfy {
        (-1...2).contains($0.position.x) && (-1...2).contains($0.position.y)
          && (0...1).contains($0.confidence)
      })
  }

  @Test("what is not counted has no repetitions and lasts as long as asked for")
  func idle() {
    for (seed, motion) in Motion.idle.prefix(6).enumerated() {
      let trial = CountingTrial(of: motion, seconds: 8, seed: UInt64(seed))
      #expect(trial.repetitions.isEmpty)
      #expect(abs((trial.poses.frames.last?.time ?? 0) - 8) < 0.1, "\(motion.name)")
    }
  }

  @Test("the benchmark takes each counted motion in turn, and minutes of each idle one")
  func benchmark() {
    let benchmark = RepetitionBenchmark()
    let motions = (0..<4).map { benchmark.trial($0).motion }
    #expect(motions == Array(Motion.counted.prefix(4)))
    #expect(benchmark.idleTrial(0).motion == RepetitionBenchmark.idleMotions[0])
    #expect(benchmark.trial(1).repetitions != benchmark.trial(1 + Motion.counted.count).repetitions)
  }

  @Test("a frame that is stretched fills the unit square, and stays as it is when stretched again")
  func squares() {
    var positions = (0..<(3 * 18)).map { index -> SIMD2<Float> in
      let (x, y) = (Float(index * 7 % 18), Float(index * 5 % 18))
      return SIMD2(x * 0.03 - 4, y * 0.2 + Float(index / 18))
    }
    // All joints in one place.
    for index in 36..<54 { positions[index] = SIMD2(0.3, 0.3) }
    RepetitionView.fillSquare(&positions)
    for frame in 0..<2 {
      let own = positions[(frame * 18)..<(frame * 18 + 18)]
      for axis in 0...1 {
        let values = own.map { $0[axis] }
        let (low, high) = (values.min() ?? 1, values.max() ?? 0)
        #expect(abs(low) < 1e-6 && abs(high - 1) < 1e-6)
      }
    }
    #expect(positions[36...].allSatisfy { $0 == .zero })
    let before = positions
    RepetitionView.fillSquare(&positions)
    for (one, other) in zip(positions, before) {
      let way: SIMD2<Float> = one - other
      #expect(abs(way.x) < 1e-5 && abs(way.y) < 1e-5)
    }
  }

  @Test("the periods of a take are each repetition's own time, and between repetitions 0")
  func takes() {
    let repetitions = SyntheticRepetitions(seed: 3)
    var scored = 0
    for take in (0..<40).map(repetitions.take) {
      // Runs of frames of one period: a whole one lasts as long as it says.
      var runs: [(period: Float, frames: Int)] = []
      for period in take.periods {
        if runs.last?.period == period {
          runs[runs.count - 1].frames += 1
        } else {
          runs.append((period, 1))
        }
      }
      for run in runs.dropFirst().dropLast() where run.period > 0 {
        let seconds = Double(run.frames) / take.frameRate
        // Two of the same length in a row are one run.
        let count = max((seconds / Double(run.period)).rounded(), 1)
        #expect(abs(seconds - count * Double(run.period)) < 1.01 / take.frameRate)
        scored += 1
      }
      if take.count == 0 { #expect(take.periods.allSatisfy { $0 <= 0 }) }
      if let count = take.count { #expect(count == 0 || count >= RepetitionTake.leastCount) }
    }
    #expect(scored > 50)
  }
}
