import KinemaAction
import Testing

/// Windows of two seconds, a third of a second apart.
///
/// Each is given by its most probable label and that label's probability; the rest is shared among
/// the others. No label is a window without a person.
private func windows(_ parts: [(label: String?, probability: Double, count: Int)])
  -> [ActionPrediction]
{
  var result: [ActionPrediction] = []
  for (label, probability, count) in parts {
    for _ in 0..<count {
      let start = Double(result.count) / 3
      var window = ActionPrediction(
        timeRange: start..<(start + 2), status: label == nil ? .noPerson : .action,
        topLabel: label, confidence: probability, probabilities: [:])
      if let label {
        let rest = (1 - probability) / Double(labels.count - 1)
        window.probabilities = Dictionary(
          uniqueKeysWithValues: labels.map { ($0, $0 == label ? probability : rest) })
      }
      result.append(window)
    }
  }
  return result
}

private let labels = ["burpees", "other_action", "push_ups", "squats"]

private func decoder(
  _ labels: [String] = labels, groups: [String: [String]]? = nil,
  rules: ActionDecoder.Rules = .init()
) -> ActionDecoder {
  var recognition = ActionRecognizer.Rules()
  recognition.wholes = ["push_ups": "burpees"]
  recognition.groups = groups
  return ActionDecoder(
    labels: labels, recognition: recognition, windowDuration: 2, stride: 1.0 / 3, rules: rules)
}

/// Windows with these probabilities, a third of a second apart.
private func windows(_ rows: [[Double]], of labels: [String]) -> [ActionPrediction] {
  rows.enumerated().map { index, row in
    let start = Double(index) / 3
    return ActionPrediction(
      timeRange: start..<(start + 2), status: .lowConfidence, topLabel: nil, confidence: 0,
      probabilities: Dictionary(uniqueKeysWithValues: zip(labels, row)))
  }
}

/// The windows as a stream reports them.
private func stream(
  _ rows: [[Double]], recent: [[Double]]? = nil, of labels: [String],
  groups: [String: [String]]? = nil, rules: ActionDecoder.Rules = .init()
) -> [ActionPrediction] {
  let decoder = decoder(labels, groups: groups, rules: rules)
  var recognition = ActionRecognizer.Rules()
  recognition.groups = groups
  var memory = ActionDecoder.Memory()
  return windows(rows, of: labels).enumerated().map { index, window in
    var window = window
    window.recentProbabilities = recent?[index]
    decoder.read(&window, rows[index], by: recognition, after: &memory)
    return window
  }
}

/// The labels in their order, without repetitions; `nil` where none is confident.
private func course(_ predictions: [ActionPrediction]) -> [String?] {
  predictions.reduce(into: []) { course, prediction in
    let label = prediction.status == .action ? prediction.topLabel : nil
    if course.isEmpty || course[course.count - 1] != label { course.append(label) }
  }
}

@Suite("The course of actions in a video and in a stream")
struct ActionDecoderTests {
  @Test("getting down to push-ups and up again is no burpee")
  func transition() {
    let decoded = decoder().decode(
      windows([("burpees", 0.7, 5), ("push_ups", 0.97, 20), ("burpees", 0.7, 4)]))
    #expect(!decoded.contains { $0.status == .action && $0.topLabel == "burpees" })
    #expect(decoded[5..<25].allSatisfy { $0.topLabel == "push_ups" && $0.status == .action })
  }

  @Test("the push-up of a burpee belongs to it")
  func part() {
    let repetition: [(String?, Double, Int)] = [("burpees", 0.9, 6), ("push_ups", 0.8, 4)]
    let decoded = decoder().decode(
      windows(repetition + repetition + repetition + [("burpees", 0.9, 6)]))
    #expect(course(decoded) == ["burpees"])
  }

  @Test("push-ups after a set of burpees are push-ups")
  func succession() {
    let decoded = decoder().decode(
      windows([("burpees", 0.95, 24), ("other_action", 0.9, 4), ("push_ups", 0.95, 24)]))
    #expect(course(decoded).compactMap { $0 } == ["burpees", "other_action", "push_ups"])
  }

  @Test("doubt among everyday actions stays with the likeliest of them, and is no transition")
  func everyday() {
    let labels = ["other", "squats", "standing", "walking"]
    let probabilities = ["other": 0.2, "squats": 0.05, "standing": 0.3, "walking": 0.45]
    let windows = (0..<12).map { index in
      let start = Double(index) / 3
      return ActionPrediction(
        timeRange: start..<(start + 2), status: .action, topLabel: "walking", confidence: 0.45,
        probabilities: probabilities)
    }
    for prediction in decoder(labels).decode(windows) {
      let found = prediction.probabilities
      #expect(found.max { $0.value < $1.value }?.key == "walking")
      #expect(abs(found.values.reduce(0, +) - 1) < 1e-9)
    }
  }

  @Test("two windows of another action are none")
  func blip() {
    let decoded = decoder().decode(
      windows([("squats", 0.9, 12), ("burpees", 0.7, 2), ("squats", 0.9, 12)]))
    #expect(course(decoded) == ["squats"])
  }

  @Test("windows without a person stay, and separate what is around them")
  func absence() {
    let input = windows([("squats", 0.9, 6), (nil, 0, 3), ("push_ups", 0.9, 6)])
    let decoded = decoder().decode(input)
    #expect(Array(decoded[6..<9]) == Array(input[6..<9]))
    #expect(course(decoded) == ["squats", nil, "push_ups"])
  }

  @Test("confidence and alternatives are one distribution")
  func distribution() throws {
    for window in decoder().decode(windows([("squats", 0.6, 5), ("burpees", 0.4, 5)])) {
      let top = try #require(window.topLabel)
      #expect(abs(window.probabilities.values.reduce(0, +) - 1) < 1e-9)
      #expect(window.probabilities[top] == window.confidence)
      #expect(window.probabilities.values.max() == window.confidence)
    }
  }

  @Test("a model without a label for everything else says less, not something false")
  func withoutOther() {
    let own = ["burpees", "push_ups", "squats"]
    let input = windows([("burpees", 0.7, 5), ("push_ups", 0.97, 20)]).map { window in
      var window = window
      window.probabilities["other_action"] = nil
      return window
    }
    let decoded = decoder(own).decode(input)
    #expect(!decoded.contains { $0.status == .action && $0.topLabel == "burpees" })
    #expect(decoded[0].probabilities.values.reduce(0, +) < 1)
  }

  @Test("the more labels there are, the less likely is a change to each of them")
  func manyLabels() throws {
    let parts: [(String?, Double, Int)] = [
      ("squats", 0.6, 10), ("burpees", 0.6, 4), ("squats", 0.6, 10),
    ]
    func burpees(_ decoder: ActionDecoder) throws -> Double {
      try #require(decoder.decode(windows(parts))[12].probabilities["burpees"])
    }
    let few = try burpees(decoder())
    #expect(try burpees(decoder(labels + (0..<30).map { "action \($0)" })) < few / 2)
    // Exercise has no more labels than the costs are for.
    #expect(abs(try burpees(decoder(labels + ["lunges", "jumping_jacks"])) - few) < 0.05)
  }

  // MARK: - Streams

  /// The likeliest label at each window, given the windows before, and its probability.
  private func live(
    _ parts: [(label: String?, probability: Double, count: Int)]
  ) -> [(label: String, probability: Double)] {
    let decoder = decoder(rules: .live)
    var memory = ActionDecoder.Memory()
    return windows(parts).map { window in
      let output = labels.map { window.probabilities[$0] ?? 0 }
      let found = zip(labels, decoder.posterior(of: output, after: &memory))
      return found.max { $0.1 < $1.1 }.map { (label: $0.0, probability: $0.1) } ?? ("", 0)
    }
  }

  @Test("an action in a stream is named with its first clear windows")
  func streamBegins() {
    let found = live([("other_action", 0.95, 6), ("squats", 0.95, 6)])
    #expect(found[5].label == "other_action" && found[5].probability > 0.6)
    #expect(found[8...].allSatisfy { $0.label == "squats" && $0.probability > 0.6 })
  }

  @Test("a stream that begins with a doubtful window names nothing, with a clear one its action")
  func streamStart() {
    #expect(live([("squats", 0.6, 1)])[0].probability < 0.6)
    let clear = live([("squats", 0.95, 1)])[0]
    #expect(clear.label == "squats" && clear.probability > 0.6)
  }

  @Test("a window that is not full yet says less than a full one, and several say enough")
  func streamOpening() {
    let decoder = ActionDecoder(
      labels: labels, recognition: ActionRecognizer.Rules(), windowDuration: 2, stride: 1.0 / 3,
      rules: .live)
    let squats = [0.05, 0.1, 0.05, 0.8]
    var (opening, full) = (ActionDecoder.Memory(), ActionDecoder.Memory())
    let probabilities = (0..<4).map { _ in
      decoder.posterior(of: squats, isOpening: true, after: &opening)[3]
    }
    #expect(probabilities[0] < decoder.posterior(of: squats, after: &full)[3])
    #expect(probabilities == probabilities.sorted())
    #expect(probabilities[0] < 0.6 && probabilities[3] > 0.6)
  }

  @Test("a doubtful window of another action changes nothing in a stream")
  func streamBlip() {
    let found = live([("squats", 0.9, 12), ("burpees", 0.7, 1), ("squats", 0.9, 12)])
    #expect(found.allSatisfy { $0.label == "squats" })
  }

  @Test("the push-up of a burpee belongs to it in a stream, and a set of push-ups does not")
  func streamPart() {
    let repetition: [(String?, Double, Int)] = [("burpees", 0.9, 6), ("push_ups", 0.8, 4)]
    let found = live(repetition + repetition + [("burpees", 0.9, 6), ("push_ups", 0.95, 24)])
    #expect(found[..<26].allSatisfy { $0.label == "burpees" })
    #expect(found.last?.label == "push_ups")
  }

  @Test(
    "a group that is confident is named in place of a label in a file, and beside it in a stream")
  func groups() {
    let groups = ["squatting": ["jump_squats", "squats"]]
    let labels = ["jump_squats", "other_action", "squats"]
    let rows = [[Double]](repeating: [0.48, 0.02, 0.5], count: 12)
    let file = decoder(labels, groups: groups).decode(windows(rows, of: labels))
    #expect(file.allSatisfy { $0.status == .action && $0.topLabel == "squatting" })
    let stream = stream(rows, of: labels, groups: groups)
    #expect(stream.allSatisfy { $0.status == .lowConfidence && $0.topLabel == "squats" })
    #expect(stream.allSatisfy { $0.group == "squatting" })
  }

  @Test("an exercise of a stream is named while its course and the newest window agree")
  func agreement() {
    let labels = ["other_action", "push_ups", "squats"]
    func read(_ rows: [[Double]], share: Double?) -> [ActionPrediction] {
      var rules = ActionDecoder.Rules.live
      rules.windowShare = share
      return stream(rows, of: labels, rules: rules)
    }
    let squats = [[Double]](repeating: [0.03, 0.02, 0.95], count: 12)
    let doubtful = squats + [[0.5, 0.4, 0.1]]
    // The course stays with the name for a window that shows something else; what both say does not.
    let course = read(doubtful, share: nil)
    #expect(course[11].topLabel == "squats" && course[12].label == "squats")
    #expect(read(doubtful, share: 0).map(\.distribution) == course.map(\.distribution))
    let both = read(doubtful, share: 0.6)
    #expect(both[11].label == "squats" && both[12].status == .lowConfidence)
    #expect(both[12].confidence < 0.3 && both[12].distribution.values.reduce(0, +) < 1)
    // Nor is the next exercise named before the course comes to it.
    let change = read(squats + [[0.03, 0.95, 0.02]], share: 0.6)
    #expect(change[12].status == .lowConfidence)
    // What is no exercise has the probability of its course.
    let rest = [[Double]](repeating: [0.9, 0.05, 0.05], count: 12) + [[0.3, 0.4, 0.3]]
    let (own, mixed) = (read(rest, share: nil)[12], read(rest, share: 0.6)[12])
    #expect(mixed.label == "other_action" && mixed.confidence == own.confidence)
  }

  @Test(
    "a stream that reads the newest half of its windows names sooner what comes after something else"
  )
  func recent() {
    let labels = ["other_action", "push_ups", "squats"]
    let none = [0.9, 0.05, 0.05]
    let squats = [0.04, 0.01, 0.95]
    /// Windows of nothing, then so many that hold both, then squats.
    func rows(_ count: Int) -> [[Double]] {
      var rows = [[Double]](repeating: none, count: 12)
      for part in 1...count {
        let share = Double(part) / Double(count)
        rows.append(zip(none, squats).map { (1 - share) * $0 + share * $1 })
      }
      return rows + [[Double]](repeating: squats, count: 18 - count)
    }
    // The newest halves are full of squats from the third on.
    let (windows, halves) = (rows(6), rows(3))
    func first(_ share: Double?, _ halves: [[Double]]?) -> Int? {
      var rules = ActionDecoder.Rules.live
      rules.recentShare = share
      return stream(windows, recent: halves, of: labels, rules: rules)
        .firstIndex { $0.label == "squats" }
    }
    let late = first(nil, halves)
    #expect(late == first(0, halves) && late == first(0.5, nil))
    let soon = first(0.5, halves)
    #expect((soon ?? .max) < (late ?? .max) && (soon ?? 0) >= 13, "\(soon ?? -1), \(late ?? -1)")
    // What a window and its half disagree on goes to no label.
    let doubtful = stream(
      [[Double]](repeating: squats, count: 12),
      recent: [[Double]](repeating: [0.9, 0.05, 0.05], count: 12), of: labels,
      rules: {
        var rules = ActionDecoder.Rules.live
        (rules.recentShare, rules.windowShare) = (0.5, 0.5)
        return rules
      }())
    #expect(doubtful.allSatisfy { $0.label != "squats" })
  }

  @Test("in a file, an exercise is named as a whole where most windows of its stretch agree")
  func agreementOfStretches() {
    let labels = ["burpees", "other_action", "push_ups", "squats"]
    func file(_ rows: [[Double]], share: Double?) -> [ActionPrediction] {
      var rules = ActionDecoder.Rules()
      rules.windowShare = share
      return decoder(labels, rules: rules).decode(windows(rows, of: labels))
    }
    let doubtful = [[Double]](repeating: [0.05, 0.4, 0.03, 0.52], count: 12)
    #expect(file(doubtful, share: nil).allSatisfy { $0.label == "squats" })
    #expect(file(doubtful, share: 0.8).allSatisfy { $0.status == .lowConfidence })
    // One window that shows something else splits nothing.
    var sure = [[Double]](repeating: [0.02, 0.03, 0.05, 0.9], count: 12)
    sure[6] = [0.1, 0.5, 0.3, 0.1]
    #expect(file(sure, share: 0.8).allSatisfy { $0.label == "squats" })
    // The push-up of a burpee speaks for burpees.
    let burpee = [[Double]](repeating: [0.9, 0.05, 0.04, 0.01], count: 5)
    let pushUp = [[Double]](repeating: [0.1, 0.05, 0.84, 0.01], count: 3)
    let burpees = file(burpee + pushUp + burpee + pushUp + burpee, share: 0.8)
    #expect(burpees.allSatisfy { $0.label == "burpees" && $0.confidence > 0.8 })
  }

  /// Whether a label of these probabilities is reported, window by window, at a threshold of 0.6.
  private func reported(_ probabilities: [Double], rules: ActionDecoder.Rules) -> [Bool] {
    let labels = ["other_action", "push_ups", "squats"]
    let decoder = decoder(labels, rules: rules)
    var memory = ActionDecoder.Memory()
    return probabilities.map { share in
      var prediction = ActionPrediction(
        timeRange: 0..<2, status: share >= 0.6 ? .action : .lowConfidence, topLabel: "squats",
        confidence: share, probabilities: [:])
      decoder.keepReported(
        &prediction, [(1 - share) / 2, (1 - share) / 2, share], threshold: 0.6, in: &memory)
      return prediction.status == .action
    }
  }

  @Test("a label that is reported in a stream stays until it is 0.2 less likely than the threshold")
  func staying() {
    let probabilities = [0.58, 0.61, 0.41, 0.58, 0.39, 0.58]
    #expect(reported(probabilities, rules: .live) == [false, true, true, true, false, false])
    #expect(
      reported(probabilities, rules: ActionDecoder.Rules())
        == [false, true, false, false, false, false])
  }
}
