import Foundation
import KinemaCounting
import KinemaPose
import KinemaTestSupport
import Synchronization
import Testing

/// Returns given periods by time.
private struct GivenPeriods: PeriodEstimator {
  let leastMotion: Float = 0.001
  let period: @Sendable (Double) -> Double

  init(period: @escaping @Sendable (Double) -> Double) { self.period = period }

  func periods(of track: MotionTrack, features: MotionFeatures) throws -> [FramePeriod] {
    stride(from: 0, to: track.count, by: LagPlanes.step).map { frame in
      let time = track.time(of: frame)
      return FramePeriod(time: time, period: period(time), periodicity: 1)
    }
  }
}

/// Returns a period that depends on the whole track, with high probability; 0 for rest.
private struct GivenTracks: PeriodEstimator {
  let leastMotion: Float = 0.001
  let period: @Sendable (MotionTrack) -> Double
  var finalPass: (any PeriodEstimator)? { TempoAverage(self) }

  init(period: @escaping @Sendable (MotionTrack) -> Double) { self.period = period }

  func periods(of track: MotionTrack, features: MotionFeatures) throws -> [FramePeriod] {
    let period = period(track)
    var probabilities = [Float](repeating: 0, count: 1 + LagPlanes.lagCount)
    let lag = LagPlanes.lags.firstIndex { $0 * 1.045 > period } ?? LagPlanes.lagCount - 1
    probabilities[period > 0 ? 1 + lag : 0] = 0.9
    probabilities[period > 0 ? 0 : 1] = 0.1
    return stride(from: 0, to: track.count, by: LagPlanes.step).map {
      FramePeriod(time: track.time(of: $0), probabilities: probabilities)
    }
  }
}

/// Counts its windows.
private final class CountedWindows: PeriodEstimator {
  let leastMotion: Float = 0.001
  let count = Mutex(0)
  var finalPass: (any PeriodEstimator)? { self }

  func periods(of track: MotionTrack, features: MotionFeatures) throws -> [FramePeriod] {
    count.withLock { $0 += 1 }
    return try GivenPeriods { _ in 1 }.periods(of: track, features: features)
  }
}

@Suite("Counting live and at the end, by given periods")
struct CountingPassesTests {
  private func count(
    _ parts: [(move: Mover.Move, period: Double, cycles: Double)],
    period: @escaping @Sendable (Double) -> Double
  ) throws -> Int {
    var mover = Mover()
    var counter = RepetitionCounter(estimator: GivenPeriods(period: period))
    for frame in mover.sequence(parts).frames {
      try counter.add(frame.poses.first, at: frame.time)
    }
    return try counter.finish().count
  }

  @Test("standing still before and after a movement counts nothing, whatever its periods")
  func ends() throws {
    let count = try count([(.standing, 1, 4), (.jacks, 0.6, 15), (.standing, 1, 4)]) { _ in 0.6 }
    #expect(abs(count - 15) <= 1)
  }

  @Test("what returns must be more than sway, however confident the network; quick sway is smaller")
  func sway() throws {
    var mover = Mover()
    var counts: [Int] = []
    for (depth, period) in [(Float(0.02), 1.5), (0.3, 1.5), (0.02, 0.5)] {
      var counter = RepetitionCounter(estimator: GivenPeriods { _ in period })
      for index in 0..<450 {
        let time = Double(index) / 30
        try counter.add(mover.pose(.squats, phase: time / period, depth: depth), at: time)
      }
      counts.append(try counter.finish().count)
    }
    #expect(counts == [0, 10, 30])
  }

  @Test("of only two, one must be like the other: one long movement counts no halves")
  func halves() throws {
    #expect(try count([(.squats, 2, 2)]) { _ in 2 } == 2)
    #expect(try count([(.squats, 4, 1)]) { _ in 2 } == 0)
  }

  @Test("an occlusion for a moment does not interrupt a movement; a rest does")
  func lost() throws {
    let lost = 4.0..<4.7
    var counts: [Int] = []
    for isSeen in [true, false] {
      var mover = Mover()
      var counter = RepetitionCounter(
        estimator: GivenPeriods { lost.contains($0) ? 0 : 0.5 })
      for frame in mover.sequence([(.jacks, 0.5, 18)]).frames {
        let isThere = isSeen || !lost.contains(frame.time)
        try counter.add(isThere ? frame.poses.first : nil, at: frame.time)
      }
      counts.append(try counter.finish().count)
    }
    #expect(counts[0] < 18)
    #expect(counts[1] == 18)
  }

  @Test("a tempo that changes is followed")
  func tempo() throws {
    let count = try count([(.jacks, 1, 6), (.jacks, 2, 3)]) { $0 < 6 ? 1 : 2 }
    #expect(count == 9)
  }

  @Test("at the end repetitions are recomputed with full context, and the live count stays")
  func finalPass() throws {
    var mover = Mover()
    // Live, a window has no more than 12 seconds.
    var counter = RepetitionCounter(
      estimator: GivenTracks { $0.count > 200 ? 1.2 * Double($0.count - 1) / 299 : 0 })
    for frame in mover.sequence([(.jacks, 1.2, 25)]).frames {
      try counter.add(frame.poses.first, at: frame.time)
    }
    #expect(try counter.finish().count == 25)
    #expect(counter.count == 0)
  }

  @Test("without live counts there is no live pass, and the count comes at the end")
  func onlyAtTheEnd() throws {
    var mover = Mover()
    let frames = mover.sequence([(.jacks, 1, 60)]).frames
    var rules = RepetitionCounter.Rules()
    rules.isLive = false
    let estimator = CountedWindows()
    var counter = RepetitionCounter(rules: rules, estimator: estimator)
    for frame in frames { #expect(try counter.add(frame.poses.first, at: frame.time) == 0) }
    let summary = try counter.finish()
    #expect(summary.count == 60 && counter.count == 60)
    #expect(estimator.count.withLock { $0 } <= 6)
    let live = CountedWindows()
    counter = RepetitionCounter(estimator: live)
    for frame in frames { try counter.add(frame.poses.first, at: frame.time) }
    #expect(try counter.finish() == summary)
  }

  @Test("live, the count is that of the repetitions so far, less those that are not over")
  func liveAndFinal() throws {
    var mover = Mover()
    var counter = RepetitionCounter(estimator: GivenPeriods { $0 < 9 || $0 > 13 ? 1.3 : 0 })
    let frames = mover.sequence([(.jacks, 1.3, 7), (.standing, 1, 4), (.jacks, 1.3, 6)]).frames
    for (index, frame) in frames.enumerated() {
      let count = try counter.add(frame.poses.first, at: frame.time)
      guard index.isMultiple(of: 30) else { continue }
      #expect(counter.summary.count - count <= 1 && count <= counter.summary.count + 1)
    }
    let shown = counter.count
    #expect(abs(try counter.finish().count - shown) <= 1)
  }

  @Test(
    "of several tempos one that is wrong is outvoted, except beyond the shortest and longest lag")
  func tempos() throws {
    let track = MotionTrack(
      positions: Array(repeating: .zero, count: 120 * MotionTrack.jointCount))
    func period(ofTrue period: Double, wrongly: Double) throws -> Double {
      let estimator = TempoAverage(
        GivenTracks { track in
          track.count == 120 ? wrongly : period * Double(track.count - 1) / 119
        })
      return try estimator.periods(of: track)[30].period
    }
    #expect(abs(log2(try period(ofTrue: 1.2, wrongly: 0.6) / 1.2)) < 0.1)
    // Slower, eight seconds are more than any lag.
    #expect(abs(log2(try period(ofTrue: 8, wrongly: 8) / 8)) < 0.1)
    #expect(abs(log2(try period(ofTrue: 0.25, wrongly: 0.25) / 0.25)) < 0.1)
  }
}
