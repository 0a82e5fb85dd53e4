import KinemaPose
import KinemaSynth
import Testing

@Suite("Synthetic falls")
struct FallTrialTests {
  private static let kinds: [FallTrial.Kind] = [
    .fall, .sittingDown, .lyingDown, .crouchingDown, .motion(.squats), .motion(.burpees),
  ]

  /// The mean height of the shoulders above the ankles within some seconds; `nil` without people.
  private func height(_ trial: FallTrial, _ times: ClosedRange<Double>) -> Float? {
    let heights = trial.poses.frames.filter { times.contains($0.time) }.compactMap {
      frame -> Float? in
      guard let points = frame.poses.first?.keypoints, let neck = points[.neck],
        let left = points[.leftAnkle], let right = points[.rightAnkle]
      else { return nil }
      return neck.position.y - (left.position.y + right.position.y) / 2
    }
    return heights.isEmpty ? nil : heights.reduce(0, +) / Float(heights.count)
  }

  @Test("frames are evenly spaced, with one person at most", arguments: kinds)
  func frames(_ kind: FallTrial.Kind) throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      let trial = FallTrial(kind, seed: seed)
      #expect(trial.kind == kind)
      let times = trial.poses.frames.map(\.time)
      let step = try #require(times.dropFirst().first)
      #expect([10, 15, 25, 30].contains { abs(1 / $0 - step) < 1e-9 })
      for (index, time) in times.enumerated() { #expect(abs(time - Double(index) * step) < 1e-6) }
      #expect(trial.poses.frames.allSatisfy { $0.poses.count <= 1 })
      let found = trial.poses.frames.count { !$0.poses.isEmpty }
      #expect(found * 10 > 7 * times.count, "\(found) of \(times.count)")
      #expect((0.4...2.5).contains(trial.aspectRatio))
    }
  }

  @Test("only a fall has an impact, within the sequence, and somebody lies still after it")
  func impacts() throws {
    for kind in Self.kinds {
      for seed in 1...6 as ClosedRange<UInt64> {
        let trial = FallTrial(kind, seed: seed)
        guard kind == .fall else {
          #expect(trial.impact == nil)
          continue
        }
        let impact = try #require(trial.impact)
        let end = try #require(trial.poses.frames.last?.time)
        #expect(impact > 1 && end - impact > 5)
      }
    }
  }

  @Test("before the cameras of rooms, frames are fewer and people are lost more often")
  func rooms() {
    let trials = (1...40 as ClosedRange<UInt64>).map { FallTrial(.fall, .room, seed: $0) }
    func lost(_ trials: [FallTrial]) -> Double {
      let frames = trials.flatMap(\.poses.frames)
      return Double(frames.count { $0.poses.isEmpty }) / Double(frames.count)
    }
    #expect(lost(trials) > 0.03 && lost(trials) < 0.3, "\(lost(trials))")
    #expect(lost(trials) > lost((1...40).map { FallTrial(.fall, seed: $0) }))
    for trial in trials {
      #expect((trial.poses.frames.dropFirst().first?.time ?? 0) >= 0.039)
      #expect((0.4...2.5).contains(trial.aspectRatio))
    }
  }

  @Test("a fall takes some seconds at most after those before it, and six are watched after it")
  func course() throws {
    for seed in 1...60 as ClosedRange<UInt64> {
      let trial = FallTrial(.fall, seed: seed)
      let impact = try #require(trial.impact)
      #expect(impact >= 1 && impact <= 12)
      let times = trial.poses.frames.map(\.time)
      let (step, end) = (times[1], times[times.count - 1])
      #expect(end + 2.01 * step > impact + 5 && end < impact + 14, "seed \(seed): \(end - impact)")
    }
  }

  @Test("the shoulders are fastest on the way down, and hardly move before and after")
  func speeds() throws {
    var fastest = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      let trial = FallTrial(.fall, seed: seed)
      let impact = try #require(trial.impact)
      let places = trial.poses.frames.compactMap { frame in
        frame.poses.first?.keypoints[.neck].map { (frame.time, $0.position) }
      }
      let speeds = zip(places, places.dropFirst()).map { one, next in
        let way = next.1 - one.1
        return (time: next.0, speed: (way * way).sum().squareRoot() / Float(next.0 - one.0))
      }
      func median(_ times: ClosedRange<Double>) -> Float {
        let values = speeds.filter { times.contains($0.time) }.map(\.speed).sorted()
        return values.isEmpty ? 0 : values[values.count / 2]
      }
      let falling = median(impact - 0.35...impact)
      if falling > 2 * median(0...impact - 1.2), falling > 2 * median(impact + 1...impact + 6) {
        fastest += 1
      }
    }
    #expect(fastest >= 15, "\(fastest)")
  }

  @Test("after a fall the shoulders are much lower than before, after squats they are not")
  func heights() throws {
    var (lower, total) = (0, 0)
    for seed in 1...16 as ClosedRange<UInt64> {
      let trial = FallTrial(.fall, seed: seed)
      let impact = try #require(trial.impact)
      guard let before = height(trial, 0...0.9), let after = height(trial, impact + 1...impact + 5)
      else { continue }
      total += 1
      if after < 0.7 * before { lower += 1 }
    }
    // Who falls towards the camera or away from it stays nearly as high in the picture.
    #expect(total > 10 && lower * 10 >= total * 6, "\(lower) of \(total)")
    for seed in 1...4 as ClosedRange<UInt64> {
      let trial = FallTrial(.motion(.standing), seed: seed)
      let end = try #require(trial.poses.frames.last?.time)
      guard let first = height(trial, 0...1), let last = height(trial, end - 1...end) else {
        continue
      }
      #expect(abs(first - last) < 0.25 * abs(first))
    }
  }

  @Test("the same seed gives the same trial, another seed another one")
  func determinism() {
    for kind in Self.kinds {
      #expect(FallTrial(kind, seed: 3).poses == FallTrial(kind, seed: 3).poses)
      #expect(FallTrial(kind, seed: 3).poses != FallTrial(kind, seed: 4).poses)
    }
  }

  @Test("what is mistaken for a fall: every motion of the floor, sitting, lying and crouching down")
  func others() {
    let others = FallTrial.others
    #expect(!others.contains(.fall))
    let motions = others.count { if case .motion = $0 { true } else { false } }
    let (sitting, lying) = (others.count { $0 == .sittingDown }, others.count { $0 == .lyingDown })
    #expect(sitting == lying && sitting == (motions + 3) / 4)
  }
}
