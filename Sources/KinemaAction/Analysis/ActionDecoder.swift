import Foundation
package import KinemaCounting

/// The course of a person's actions over a video or a stream, from a classifier's windows.
///
/// A hidden semi-Markov model: its states are the labels; for an action that consists of others
/// (``ActionRecognizer/Rules/wholes``) each of its parts, which are short; and transitions, such as
/// getting down to the floor, whose windows resemble one action after another. The probability of each
/// state at each window, given all windows, is computed by the forward-backward algorithm over states
/// that are expanded by their durations (S.-Z. Yu, Hidden semi-Markov models, Artificial Intelligence
/// 174, 2010); for a stream the forward half runs, window by window.
package struct ActionDecoder: Sendable {
  private enum Kind: Hashable {
    case action(Int)
    case other(Int)
    case part(Int, of: Int)
    case transition
  }

  /// A state at one place in its duration.
  private struct Place {
    let kind: Kind
    /// Whether the state may end here.
    let mayEnd: Bool
  }

  private struct Edge {
    let from: Int
    let to: Int
    let probability: Double
  }

  private let labels: [String]
  private let recognition: ActionRecognizer.Rules
  let rules: Rules
  private let doubt: StretchDoubt?
  private let views: PostureViews?
  /// The labels that are parts of others, with those.
  let wholes: [Int: Int]
  /// The labels that are no exercise.
  let others: [Int]
  private let places: [Place]
  private let starts: [Double]
  private let edges: [Edge]
  /// The exponent of a window's likelihood.
  private let weight: Double

  /// The longest run of windows that is decoded at once, which bounds the memory.
  private static let longestRun = 20_000

  /// - Parameters:
  ///   - kinds: What the labels are.
  ///   - recognition: The rules by which the windows were made.
  ///   - windowDuration: The length of a window in seconds.
  ///   - stride: The time between the starts of two windows in seconds.
  package init(
    labels: [String], kinds: LabelKinds = LabelKinds(), recognition: ActionRecognizer.Rules,
    windowDuration: Double, stride: Double, rules: Rules = Rules()
  ) {
    self.labels = labels
    self.rules = rules
    self.recognition = recognition
    doubt = StretchDoubt(labels: labels, recognition: recognition, rules: rules.doubt)
    views = recognition.postures.flatMap { PostureViews(labels: labels, kinds: kinds, rules: $0) }
    weight = min(1, rules.independence * stride / windowDuration)
    let others = labels.indices.filter { !kinds.isExercise(labels[$0]) }
    self.others = others
    let pairs = recognition.wholes.compactMap { part, whole -> (Int, Int)? in
      guard let part = labels.firstIndex(of: part), let whole = labels.firstIndex(of: whole)
      else { return nil }
      return (part, whole)
    }
    let wholes = Dictionary(pairs) { first, _ in first }
    self.wholes = wholes

    func count(_ duration: Double) -> Int { max(1, Int((duration / stride).rounded())) }
    var chains: [(kind: Kind, places: Range<Int>, lasts: Bool)] = []
    var places: [Place] = []
    func add(_ kind: Kind, _ count: Int, least: Int, lasts: Bool) {
      let first = places.count
      places += (1...count).map { Place(kind: kind, mayEnd: $0 >= least) }
      chains.append((kind, first..<places.count, lasts))
    }
    let least = count(rules.leastDuration)
    for label in labels.indices {
      if others.contains(label) {
        add(.other(label), 1, least: 1, lasts: true)
      } else {
        add(.action(label), least, least: least, lasts: true)
      }
    }
    for (part, whole) in wholes.sorted(by: { $0.key < $1.key }) {
      add(.part(part, of: whole), count(rules.longestPart), least: 1, lasts: false)
    }
    add(.transition, count(rules.longestTransition), least: 1, lasts: false)
    self.places = places

    let actionCount = Double(labels.count - others.count)
    /// The logarithm of how many times more labels a state's kind has than the costs are for: what a
    /// change *to* one of them costs more, as they share the probability of a change. Parts and
    /// transitions are single states, to which a change is as likely in a model of any size. Changes
    /// from labels to them made dearer as well add a fifth of false stretches in streams of `Workout`.
    func excess(_ kind: Kind) -> Double {
      switch kind {
      case .action: log(max(actionCount / rules.labelCounts.actions, 1))
      case .other: log(max(Double(others.count) / rules.labelCounts.others, 1))
      case .part, .transition: 0
      }
    }
    var edges: [Edge] = []
    for chain in chains {
      for place in chain.places {
        if place + 1 < chain.places.upperBound {
          edges.append(Edge(from: place, to: place + 1, probability: 1))
        } else if chain.lasts {
          edges.append(Edge(from: place, to: place, probability: 1))
        }
        guard places[place].mayEnd else { continue }
        for next in chains where next.kind != chain.kind {
          guard let cost = Self.cost(chain.kind, next.kind, wholes, rules) else { continue }
          edges.append(
            Edge(
              from: place, to: next.places.lowerBound, probability: exp(-cost - excess(next.kind))))
        }
      }
    }
    self.edges = edges
    // A video may begin within anything; within a part or a transition less likely.
    starts = places.map { place in
      switch place.kind {
      case .action: rules.sharesStart ? 1 / max(actionCount, 1) : 1
      case .other: rules.sharesStart ? 1 / Double(others.count) : 1
      case .part: exp(-rules.costs.edge / 2) / (rules.sharesStart ? max(actionCount, 1) : 1)
      case .transition: exp(-rules.costs.edge / 2)
      }
    }
  }

  /// A decoder of the windows of a classifier.
  package init(
    of classifier: ActionClassifier, recognition: ActionRecognizer.Rules, rules: Rules
  ) {
    let frameRate = classifier.frameRate ?? ActionRecognizer.defaultFrameRate
    self.init(
      labels: classifier.labels, kinds: classifier.labelKinds, recognition: recognition,
      windowDuration: Double(classifier.windowSize) / frameRate,
      stride: Double(recognition.stride) / frameRate, rules: rules)
  }

  /// What a change from one state to another costs; `nil` where it is impossible.
  private static func cost(
    _ old: Kind, _ new: Kind, _ wholes: [Int: Int], _ rules: Rules
  ) -> Double? {
    let costs = rules.costs
    let entry = new == .transition ? costs.transition : 0
    switch (old, new) {
    case (.action(let action), .part(_, of: let whole)),
      (.part(_, of: let whole), .action(let action)):
      return action == whole ? costs.part : nil
    case (.part, .other), (.part, .transition), (.other, .part), (.transition, .part):
      return costs.edge + costs.part + entry
    case (.part, _), (_, .part): return nil
    case (.action(let one), .action(let another)):
      return wholes[one] == another || wholes[another] == one ? costs.partToWhole : costs.change
    case (.action, _), (_, .action): return costs.edge + entry
    default: return costs.rest + entry
    }
  }

  // MARK: - Decoding

  /// The predictions with status, label, confidence and probabilities by the course of all of them;
  /// windows without a person stay as they are, and separate what is before from what is after.
  package func decode(_ predictions: [ActionPrediction]) -> [ActionPrediction] {
    var decoded = predictions
    var start = 0
    while start < predictions.count {
      var end = start
      while end < predictions.count, end - start < Self.longestRun,
        !predictions[end].probabilities.isEmpty
      {
        end += 1
      }
      if end > start {
        let run = predictions[start..<end]
        let windows = run.map { prediction in labels.map { prediction.probabilities[$0] ?? 0 } }
        let course = zip(posteriors(of: windows), run).map { named($0, by: $1.posture) }
        let groups = doubt?.groups(
          of: zip(windows, run).map { named($0, by: $1.posture) }, inCourse: course)
        for (offset, agreed) in agreement(ofStretches: course, windows).enumerated() {
          var prediction = run[start + offset]
          prediction.settle(agreed, of: labels, by: recognition)
          prediction.probabilities = Dictionary(uniqueKeysWithValues: zip(labels, course[offset]))
          let group = groups?[offset]
          prediction.group = group == prediction.topLabel ? nil : group
          decoded[start + offset] = prediction
        }
      }
      start = max(end, start + 1)
    }
    return decoded
  }

  /// Probabilities in which what is no exercise is named by the posture, where the model asks for that.
  private func named(_ probabilities: [Double], by posture: HumanBodyPosture?) -> [Double] {
    guard let views, let posture else { return probabilities }
    return views.read(probabilities, posture)
  }

  /// The probability of each label at each window; what is a transition counts as the labels that
  /// are no exercise, by what the network gives them, where the model has such labels.
  private func posteriors(of windows: [[Double]]) -> [[Double]] {
    let likelihoods = windows.map { self.likelihoods(of: $0) }
    var forward: [[Double]] = []
    for likelihood in likelihoods { forward.append(step(from: forward.last, likelihood)) }
    var posteriors = [[Double]](repeating: [], count: windows.count)
    var backward = [Double](repeating: 1, count: places.count)
    for index in windows.indices.reversed() {
      posteriors[index] = byLabel(
        Self.normalized(zip(forward[index], backward).map { $0 * $1 }), in: windows[index])
      backward = step(back: backward, likelihoods[index])
    }
    return posteriors
  }

  /// The probability of each place at a window, given it and the windows before.
  private func step(from last: [Double]?, _ likelihood: [Double]) -> [Double] {
    var sums = starts
    if let last {
      sums = [Double](repeating: 0, count: places.count)
      for edge in edges { sums[edge.to] += last[edge.from] * edge.probability }
    }
    return Self.normalized(zip(sums, likelihood).map { $0 * $1 })
  }

  /// How well each place before a window explains it and the windows after.
  private func step(back backward: [Double], _ likelihood: [Double]) -> [Double] {
    let ahead = zip(likelihood, backward).map { $0 * $1 }
    var sums = [Double](repeating: 0, count: places.count)
    for edge in edges { sums[edge.from] += edge.probability * ahead[edge.to] }
    return Self.normalized(sums)
  }

  /// How well each place explains a window.
  private func likelihoods(of window: [Double], isOpening: Bool = false) -> [Double] {
    let weight = isOpening ? weight * rules.openingWeight : weight
    let rest = rules.confusion * window.reduce(0, +)
    func own(_ label: Int, _ share: Double = 1) -> Double {
      (share - rules.confusion) * window[label]
    }
    var values: [Kind: Double] = [:]
    return places.map { place in
      if let value = values[place.kind] { return value }
      let sum =
        switch place.kind {
        case .action(let label), .other(let label): own(label)
        case .part(let part, of: let whole): own(part) + own(whole)
        case .transition:
          window.indices.reduce(0) { sum, label in
            let share =
              others.contains(label)
              ? rules.transition.other
              : wholes.values.contains(label) ? rules.transition.whole : rules.transition.action
            return sum + own(label, share)
          }
        }
      let value = pow(max(rest + sum, 1e-4), weight)
      values[place.kind] = value
      return value
    }
  }

  // MARK: - Streams

  /// What is known after the windows so far.
  package struct Memory: Sendable {
    fileprivate var forward: [Double]?
    /// The label that is reported; `nil` where none is.
    fileprivate var reported: String?
    /// The windows of the label that is reported.
    fileprivate var stretch: StretchDoubt.Stretch?

    package init() {}
  }

  /// Settles the newest window of a stream by its course.
  ///
  /// - Parameters:
  ///   - window: The network's output, in the order of the labels.
  ///   - recognition: The rules by which a label is reported.
  package func read(
    _ prediction: inout ActionPrediction, _ window: [Double],
    by recognition: ActionRecognizer.Rules,
    after memory: inout Memory
  ) {
    let posture = prediction.posture
    let window = evidence(of: window, recent: prediction.recentProbabilities)
    let course = named(
      posterior(of: window, isOpening: prediction.isOpening, after: &memory), by: posture)
    let agreed = agreement(of: course, window)
    prediction.distribution = Dictionary(uniqueKeysWithValues: zip(labels, agreed))
    // What people see would change from a group to one of its labels and back.
    prediction.settle(agreed, of: labels, by: recognition, besideGroupsOf: course)
    keepReported(&prediction, agreed, threshold: recognition.confidenceThreshold, in: &memory)
    let group = group(beside: prediction, named(window, by: posture), course, after: &memory)
    if prediction.status == .action { prediction.group = group }
  }

  /// The probability of each label at the newest window, given it and the windows before.
  ///
  /// - Parameters:
  ///   - window: The network's output, in the order of the labels.
  ///   - isOpening: Whether the window is not full yet.
  package func posterior(
    of window: [Double], isOpening: Bool = false, after memory: inout Memory
  ) -> [Double] {
    let forward = step(from: memory.forward, likelihoods(of: window, isOpening: isOpening))
    memory.forward = forward
    return byLabel(forward, in: window)
  }

  /// Keeps the label that was reported with the window before, where no label is confident and it is little
  /// less likely than the threshold of confidence.
  ///
  /// - Parameters:
  ///   - prediction: The newest window, settled by its probabilities.
  ///   - probabilities: Those of ``posterior(of:isOpening:after:)``.
  package func keepReported(
    _ prediction: inout ActionPrediction, _ probabilities: [Double], threshold: Double,
    in memory: inout Memory
  ) {
    if let label = memory.reported, let place = labels.firstIndex(of: label),
      probabilities[place] >= threshold - rules.stayingMargin,
      !probabilities.contains(where: { $0 >= threshold })
    {
      prediction.topLabel = label
      prediction.confidence = probabilities[place]
      prediction.status = .action
    }
    memory.reported = prediction.status == .action ? prediction.topLabel : nil
  }

  /// The group that is named beside the label of the newest window (``StretchDoubt``), if any.
  ///
  /// - Parameters:
  ///   - prediction: The newest window as it is reported.
  ///   - window: The network's output, in the order of the labels.
  ///   - probabilities: Those of ``posterior(of:isOpening:after:)``.
  package func group(
    beside prediction: ActionPrediction, _ window: [Double], _ probabilities: [Double],
    after memory: inout Memory
  ) -> String? {
    guard let doubt, prediction.status == .action,
      let label = prediction.topLabel.flatMap({ labels.firstIndex(of: $0) })
    else {
      memory.stretch = nil
      return nil
    }
    return doubt.group(beside: label, window, inCourse: probabilities, after: &memory.stretch)
  }

  private func byLabel(_ probabilities: [Double], in window: [Double]) -> [Double] {
    var sums = [Double](repeating: 0, count: labels.count)
    var transition = 0.0
    for (place, probability) in zip(places, probabilities) {
      switch place.kind {
      case .action(let label), .other(let label): sums[label] += probability
      case .part(_, of: let whole): sums[whole] += probability
      case .transition: transition += probability
      }
    }
    let rest = others.reduce(0) { $0 + window[$1] }
    for other in others {
      sums[other] += transition * (rest > 0 ? window[other] / rest : 1 / Double(others.count))
    }
    return sums
  }

  private static func normalized(_ values: [Double]) -> [Double] {
    let sum = values.reduce(0, +)
    return sum > 0 ? values.map { $0 / sum } : values
  }
}
