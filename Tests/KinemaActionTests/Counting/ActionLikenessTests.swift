import Foundation
import KinemaAction
import KinemaCounting
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("How like the examples a repetition is")
struct ActionLikenessTests {
  /// A window of two seconds that ends at a time.
  private func window(
    until end: Double, _ probabilities: [String: Double], isConfident: Bool = true
  ) -> ActionPrediction {
    let top = probabilities.max { $0.value < $1.value }
    return ActionPrediction(
      timeRange: (end - 2)..<end, status: isConfident ? .action : .lowConfidence,
      topLabel: top?.key, confidence: top?.value ?? 0, probabilities: probabilities, personID: 1)
  }

  /// Counts jacks of 1.2 seconds beside windows that end every third of a second.
  private func count(
    cycles: Double, rules: RepetitionCounter.Rules, from first: Double = 2,
    _ probabilities: (Double) -> [String: Double]?
  ) throws -> (counter: RepetitionCounter, summary: RepetitionSummary) {
    var mover = Mover()
    var counter = try RepetitionCounter(rules: rules)
    var next = first
    for frame in mover.sequence([(.jacks, 1.2, cycles)]).frames {
      var predictions: [ActionPrediction] = []
      if frame.time >= next {
        let reported = probabilities(next)
        predictions = [window(until: next, reported ?? [:], isConfident: reported != nil)]
        next += 1.0 / 3
      }
      try counter.add(frame.poses.first, at: frame.time, predictions: predictions)
    }
    let live = counter
    return (live, try counter.finish())
  }

  private let rules: RepetitionCounter.Rules = {
    var rules = RepetitionCounter.Rules()
    rules.method = .signal
    return rules
  }()

  @Test("it is the mean probability of the action over the windows, by how far they overlap")
  func overlap() throws {
    let (counter, summary) = try count(cycles: 20, rules: rules) { end in
      ["jacks": end < 12 ? 0.95 : 0.65, "other": end < 12 ? 0.05 : 0.35]
    }
    #expect(abs(summary.count - 20) <= 1)
    for repetition in summary.repetitions {
      let confidence = try #require(repetition.confidence)
      switch repetition {
      case _ where repetition.end < 10: #expect(abs(confidence - 0.95) < 1e-9)
      case _ where repetition.start > 12: #expect(abs(confidence - 0.65) < 1e-9)
      default: #expect((0.65...0.95).contains(confidence))
      }
    }
    #expect(abs((counter.confidence ?? 0) - 0.65) < 1e-9)
  }

  @Test("a part of the action is the action; another likely label makes it less like")
  func parts() throws {
    var rules = rules
    rules.wholes = ["push_ups": "burpees"]
    let (_, summary) = try count(cycles: 10, rules: rules) { _ in
      ["burpees": 0.6, "push_ups": 0.3, "squats": 0.1]
    }
    #expect(summary.counts["burpees"] ?? 0 >= 9)
    for repetition in summary.repetitions {
      #expect(abs((repetition.confidence ?? 0) - 0.9) < 1e-9)
    }
  }

  @Test("without a classifier there is none")
  func none() throws {
    var mover = Mover()
    let sequence = mover.sequence([(.jacks, 1.2, 8)])
    let summary = try RepetitionCounter.repetitions(in: sequence, rules: rules)
    #expect(summary.count > 0)
    #expect(summary.repetitions.allSatisfy { $0.confidence == nil })
  }

  @Test("a brief label with low confidence counts nothing, a lasting one counts")
  func glimpses() throws {
    let (counter, summary) = try count(cycles: 12, rules: rules) { end in
      (6..<6.3).contains(end) ? ["jacks": 0.65] : nil
    }
    #expect(counter.count == 0)
    #expect(summary.count == 0)
    let (steady, _) = try count(cycles: 12, rules: rules) { end in
      (6..<8).contains(end) ? ["jacks": 0.65] : nil
    }
    #expect(steady.count > 0)
  }

  @Test("a count rises only while the classifier reports its action")
  func gate() throws {
    var mover = Mover()
    var counter = try RepetitionCounter(rules: rules)
    var last = 0
    for frame in mover.sequence([(.jacks, 1.2, 20)]).frames {
      let phase = Int(frame.time / 2) % 4
      let label: String? = phase == 1 ? "other" : phase == 3 ? nil : "jacks"
      let count = try counter.add(frame.poses.first, at: frame.time, action: label, confidence: 0.9)
      #expect(count == last || count > last && label == "jacks")
      last = count
    }
    #expect(last > 3)
  }

  @Test("an action shorter than the classifier's window counts when it ends")
  func short() throws {
    var mover = Mover()
    var counter = try RepetitionCounter(rules: rules)
    for frame in mover.sequence([(.standing, 1, 0.4), (.squats, 1.2, 1), (.standing, 1, 0.3)])
      .frames
    {
      #expect(try counter.add(frame.poses.first, at: frame.time, predictions: []) == 0)
    }
    let window = ActionPrediction(
      timeRange: 0..<1.9, status: .action, topLabel: "squats", confidence: 0.7,
      probabilities: ["squats": 0.7, "other": 0.3], personID: 1)
    let summary = try counter.finish(predictions: [window])
    #expect(Set(summary.counts.keys) == ["squats"])
    #expect(abs((summary.repetitions.first?.confidence ?? 0) - 0.7) < 1e-9)
  }
}
