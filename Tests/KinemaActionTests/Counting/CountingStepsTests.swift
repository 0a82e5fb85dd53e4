import Foundation
import KinemaAction
import KinemaPose
import Testing

/// Says what it is told to say.
private struct ToldPeriods: PeriodEstimator {
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

/// Is rather sure of a period that depends on the whole of what it sees; 0 for rest.
private struct ToldTracks: PeriodEstimator {
  let leastMotion: Float = 0.001
  let period: @Sendable (MotionTrack) -> Double
  var hindsight: (any PeriodEstimator)? { TempoAverage(self) }

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

@Suite("What the counter makes of the network's periods")
struct CountingStepsTests {
  private func count(
    _ parts: [(move: Mover.Move, period: Double, cycles: Double)],
    period: @escaping @Sendable (Double) -> Double
  ) throws -> Int {
    var mover = Mover()
    var counter = RepetitionCounter(estimator: ToldPeriods(period: period))
    for frame in mover.sequence(parts).frames {
      try counter.add(frame.poses.first, at: frame.time)
    }
    return try counter.finish().count
  }

  @Test("Standing still before and after a movement counts nothing, though it be called one")
  func ends() throws {
    let count = try count([(.standing, 1, 4), (.jacks, 0.6, 15), (.standing, 1, 4)]) { _ in 0.6 }
    #expect(abs(count - 15) <= 1)
  }

  @Test("What comes back must be more than swaying, however sure the network; quick sways are less")
  func sway() throws {
    var mover = Mover()
    var counts: [Int] = []
    for (depth, period) in [(Float(0.02), 1.5), (0.3, 1.5), (0.02, 0.5)] {
      var counter = RepetitionCounter(estimator: ToldPeriods { _ in period })
      for index in 0..<450 {
        let time = Double(index) / 30
        try counter.add(mover.pose(.squats, phase: time / period, depth: depth), at: time)
      }
      counts.append(try counter.finish().count)
    }
    #expect(counts == [0, 10, 30])
  }

  @Test("Of only two, one must be like the other: one long movement counts no halves")
  func halves() throws {
    #expect(try count([(.squats, 2, 2)]) { _ in 2 } == 2)
    #expect(try count([(.squats, 4, 1)]) { _ in 2 } == 0)
  }

  @Test("Where the person is lost for a moment the movement goes on; where they rest it does not")
  func lost() throws {
    let lost = 4.0..<4.7
    var counts: [Int] = []
    for isSeen in [true, false] {
      var mover = Mover()
      var counter = RepetitionCounter(
        estimator: ToldPeriods { lost.contains($0) ? 0 : 0.5 })
      for frame in mover.sequence([(.jacks, 0.5, 18)]).frames {
        let isThere = isSeen || !lost.contains(frame.time)
        try counter.add(isThere ? frame.poses.first : nil, at: frame.time)
      }
      counts.append(try counter.finish().count)
    }
    #expect(counts[0] < 18)
    #expect(counts[1] == 18)
  }

  @Test("A tempo that changes is followed")
  func tempo() throws {
    let count = try count([(.jacks, 1, 6), (.jacks, 2, 3)]) { $0 < 6 ? 1 : 2 }
    #expect(count == 9)
  }

  @Test("In the end all is judged once more, and the live count stays as it was")
  func hindsight() throws {
    var mover = Mover()
    // Live, no more than 12 seconds are to be seen at a time.
    var counter = RepetitionCounter(
      estimator: ToldTracks { $0.count > 200 ? 1.2 * Double($0.count - 1) / 299 : 0 })
    for frame in mover.sequence([(.jacks, 1.2, 25)]).frames {
      try counter.add(frame.poses.first, at: frame.time)
    }
    #expect(try counter.finish().count == 25)
    #expect(counter.count == 0)
  }

  @Test("At several tempos one wrong word is outvoted, save where they cannot be told")
  func tempos() throws {
    let track = MotionTrack(
      positions: Array(repeating: .zero, count: 120 * MotionTrack.jointCount))
    func period(ofTrue period: Double, wrongly: Double) throws -> Double {
      let estimator = TempoAverage(
        ToldTracks { track in
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
