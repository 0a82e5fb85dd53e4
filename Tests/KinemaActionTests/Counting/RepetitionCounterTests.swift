import Foundation
import KinemaAction
import KinemaCounting
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("Counting repetitions by the signal")
struct RepetitionCounterTests {
  private let rules: RepetitionCounter.Rules = {
    var rules = RepetitionCounter.Rules()
    rules.method = .signal
    return rules
  }()

  private func summary(_ sequence: PoseSequence) throws -> RepetitionSummary {
    try RepetitionCounter.repetitions(in: sequence, rules: rules)
  }

  @Test("any tempo from half a second to seven is counted", arguments: [0.5, 0.8, 1.3, 2.2, 4, 7])
  func tempos(period: Double) throws {
    var mover = Mover()
    let summary = try summary(mover.sequence([(.jacks, period, 8)]))
    #expect(abs(summary.count - 8) <= 1)
    let tempo = try #require(summary.tempo)
    let share = tempo * period / 60
    #expect(abs(share - 1) < 0.12)
  }

  @Test("the frame rate does not matter", arguments: [10.0, 15, 23.976, 30, 60])
  func frameRates(frameRate: Double) throws {
    var mover = Mover()
    #expect(try summary(mover.sequence([(.squats, 2, 10)], frameRate: frameRate)).count == 10)
  }

  @Test("a changing tempo and a pause are followed, and the pause has no repetitions")
  func pauses() throws {
    var mover = Mover()
    let summary = try summary(
      mover.sequence([
        (.standing, 1, 3), (.jacks, 1.0, 6), (.jacks, 1.6, 5), (.standing, 1, 6), (.jacks, 1.3, 6),
        (.standing, 1, 2),
      ]))
    #expect(abs(summary.count - 17) <= 1)
    for repetition in summary.repetitions {
      let middle = (repetition.start + repetition.end) / 2
      #expect(!(17.5...22.5).contains(middle))
    }
  }

  @Test("repetitions begin and end at the turning points, one after the other")
  func borders() throws {
    var mover = Mover()
    let summary = try summary(
      mover.sequence([(.standing, 1, 3), (.squats, 2, 8), (.standing, 1, 3)]))
    #expect(summary.count == 8)
    for (index, repetition) in summary.repetitions.enumerated() {
      let start = 3 + 2 * Double(index)
      #expect(abs(repetition.start - start) < 0.35)
      #expect(abs(repetition.end - start - 2) < 0.35)
    }
    #expect(summary.series.map(\.count) == Array(1...8))
  }

  @Test("standing, noise and no person count nothing")
  func stillness() throws {
    var mover = Mover(noise: 0.01)
    #expect(try summary(mover.sequence([(.standing, 1, 60)])).count == 0)
    let nobody = PoseSequence(frames: (0..<900).map { .init(time: Double($0) / 30, poses: []) })
    #expect(try summary(nobody).count == 0)
    #expect(try summary(PoseSequence()).count == 0)
  }

  @Test("each side of a movement that changes sides is one, or a pair of them on request")
  func sides() throws {
    var mover = Mover()
    let sequence = mover.sequence([(.marching, 2.4, 8)])
    #expect(abs(try summary(sequence).count - 16) <= 1)
    var pairs = rules
    pairs.countsPairs = true
    #expect(
      abs(try RepetitionCounter.repetitions(in: sequence, rules: pairs).count - 8) <= 1)
    let jacks = mover.sequence([(.jacks, 1.2, 10)])
    #expect(try RepetitionCounter.repetitions(in: jacks, rules: pairs).count == 10)
  }

  @Test("lost joints and frames are bridged")
  func losses() throws {
    var mover = Mover()
    var sequence = mover.sequence([(.jacks, 1.2, 12)])
    for index in sequence.frames.indices {
      if index % 90 < 8 { sequence.frames[index].poses = [] }
      if index % 7 < 3, !sequence.frames[index].poses.isEmpty {
        sequence.frames[index].poses[0].keypoints[.leftWrist] = nil
        sequence.frames[index].poses[0].keypoints[.rightAnkle]?.confidence = 0.1
      }
    }
    #expect(abs(try summary(sequence).count - 12) <= 1)
  }

  @Test("live, the count never falls and is within one a second after each repetition")
  func live() throws {
    var mover = Mover()
    let sequence = mover.sequence([(.standing, 1, 2), (.squats, 1.8, 12), (.standing, 1, 3)])
    var counter = try RepetitionCounter(rules: rules)
    var counts: [Int] = []
    for frame in sequence.frames {
      counts.append(try counter.add(frame.poses.first, at: frame.time))
    }
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 })
    for repetition in 3...12 {
      let time = 2 + 1.8 * Double(repetition) + 1
      let count = counts[min(Int(time * 30), counts.count - 1)]
      #expect(abs(count - repetition) <= 1)
    }
    #expect(abs(try counter.finish().count - 12) <= 1)
  }

  @Test("times that run backwards, stand still or leap do no harm")
  func times() throws {
    var mover = Mover()
    var counter = try RepetitionCounter(rules: rules)
    let pose = mover.pose(.jacks, phase: 0)
    for time in [0, 0.1, 0.1, 0.05, .nan, .infinity, 1, 1e9, 1e9 + 0.1, 1e15] {
      try counter.add(pose, at: time)
    }
    #expect(try counter.finish().count == 0)
  }

  @Test("a repetition that is much smaller than the others is an attempt")
  func attempts() throws {
    var mover = Mover()
    var sequence = PoseSequence()
    for index in 0..<Int(30 * 20) {
      let time = Double(index) / 30
      let isSmall = (8..<10).contains(time)
      sequence.frames.append(
        .init(
          time: time,
          poses: [mover.pose(.squats, phase: time / 2, depth: isSmall ? 0.45 : 1)]))
    }
    let summary = try summary(sequence)
    #expect(abs(summary.count - 10) <= 1)
    #expect(summary.attemptCount == 1)
    let attempt = try #require(summary.repetitions.first { $0.quality?.isAttempt == true })
    #expect(abs(attempt.start - 8) < 0.7)
    let quality = try #require(summary.repetitions.first?.quality)
    #expect(quality.symmetry > 0.9)
    #expect(quality.movingJoints.count == 3)
    #expect(quality.rangeOfMotion > 0.4)
  }

  @Test("what travels less than another movement is no attempt, and its own joints are measured")
  func movements() throws {
    var mover = Mover()
    let stretches: [(move: Mover.Move, period: Double, cycles: Double)] = [
      (.jacks, 1.2, 8), (.pushUps, 2, 8), (.jacks, 1.2, 6),
    ]
    let summary = try summary(mover.sequence(stretches))
    #expect(abs(summary.count - 22) <= 3)
    #expect(summary.attemptCount == 0)
    let pushUps = summary.repetitions.filter { $0.start > 10.5 && $0.end < 25 }
    #expect(pushUps.count >= 4)
    for repetition in pushUps {
      let quality = try #require(repetition.quality)
      #expect([.leftElbow, .rightElbow].contains(quality.bendingJoint))
      #expect(!quality.movingJoints.contains { [.leftWrist, .rightWrist].contains($0) })
    }
    // A movement that is done again has the number that it had.
    func movements(_ range: ClosedRange<Double>) -> Set<Int?> {
      Set(
        summary.repetitions.filter { range.contains($0.start) && range.contains($0.end) }
          .map(\.movement))
    }
    #expect(movements(0...9).count == 1 && movements(0...9) == movements(26.5...33))
    #expect(movements(0...9).isDisjoint(with: movements(10.5...25)))
  }

  @Test("an attempt is one beside the repetitions of its own movement")
  func attemptsOfMovements() throws {
    var mover = Mover()
    var sequence = PoseSequence()
    for index in 0..<Int(30 * 32) {
      let time = Double(index) / 30
      let isSmall = (8..<10).contains(time)
      let pose =
        time < 20
        ? mover.pose(.pushUps, phase: time / 2, depth: isSmall ? 0.5 : 1)
        : mover.pose(.jacks, phase: (time - 20) / 1.2)
      sequence.frames.append(.init(time: time, poses: [pose]))
    }
    let summary = try summary(sequence)
    let attempts = summary.repetitions.filter { $0.quality?.isAttempt == true }
    #expect(attempts.count == 1)
    #expect(abs((attempts.first?.start ?? 0) - 8) < 0.7)
  }
}

@Suite("Counting beside a classifier")
struct ActionCountingTests {
  private let rules: RepetitionCounter.Rules = {
    var rules = RepetitionCounter.Rules()
    rules.method = .signal
    return rules
  }()

  @Test("counts are separate for each action")
  func actions() throws {
    var mover = Mover()
    let sequence = mover.sequence([
      (.jacks, 1.2, 10), (.standing, 1, 4), (.squats, 2, 6), (.standing, 1, 3),
    ])
    var counter = try RepetitionCounter(rules: rules)
    for frame in sequence.frames {
      let label: String? =
        switch frame.time {
        case ..<2: nil
        case ..<13: "jumping_jacks"
        case ..<17: "other"
        case ..<29: "squats"
        default: "other"
        }
      try counter.add(frame.poses.first, at: frame.time, action: label, confidence: 0.9)
    }
    let live = counter.counts
    let counts = try counter.finish().counts
    for counts in [live, counts] {
      #expect(Set(counts.keys) == ["jumping_jacks", "squats"])
      let (jacks, squats) = (counts["jumping_jacks"] ?? 0, counts["squats"] ?? 0)
      #expect(abs(jacks - 10) <= 1)
      #expect(abs(squats - 6) <= 1)
    }
  }

  @Test("other actions and low confidence count nothing")
  func other() throws {
    for label in ["Other", nil] {
      var mover = Mover()
      var counter = try RepetitionCounter(rules: rules)
      for frame in mover.sequence([(.jacks, 1.2, 15)]).frames {
        #expect(try counter.add(frame.poses.first, at: frame.time, action: label) == 0)
      }
      #expect(try counter.finish().count == 0)
    }
  }

  @Test("the first repetition of an action counts when it ends, though it is the only one")
  func first() throws {
    var mover = Mover()
    let sequence = mover.sequence([(.standing, 1, 3), (.squats, 2.4, 1), (.standing, 1, 3)])
    var counter = try RepetitionCounter(rules: rules)
    var counts: [Int] = []
    for frame in sequence.frames {
      let label = (4...6.4).contains(frame.time) ? "squats" : "other"
      counts.append(try counter.add(frame.poses.first, at: frame.time, action: label))
    }
    #expect(counts[138] == 0)
    #expect(counts[192] == 1)
    let summary = try counter.finish()
    #expect(summary.count == 1)
    let end = summary.repetitions.first?.end ?? 0
    #expect(abs(end - 5.4) < 0.6)
  }
}

@Suite("Counting on real poses", .enabled(if: SharedData.isPresent, SharedData.reason))
struct RealRepetitionTests {
  @Test("the signal counts unseen fitness clips as well as its prototype, and better")
  func fitnessClips() throws {
    let table = try String(
      contentsOf: SharedData.url("counting/countix_fitness.csv"), encoding: .utf8)
    var rules = RepetitionCounter.Rules()
    rules.method = .signal
    var (error, within, total) = (0.0, 0, 0)
    for line in table.split(whereSeparator: \.isNewline).dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard let truth = Double(cells[2]), let frames = Int(cells[3]), frames > 0 else { continue }
      let sequence = try PoseSequence(
        contentsOf: SharedData.url("counting/poses/\(cells[0])"))
      let count = Double(try RepetitionCounter.repetitions(in: sequence, rules: rules).count)
      error += abs(count - truth) / truth
      within += abs(count - truth) <= 1 ? 1 : 0
      total += 1
    }
    #expect(total == 148)
    #expect(error / Double(total) < 0.21)
    #expect(Double(within) / Double(total) > 0.72)
  }
}
