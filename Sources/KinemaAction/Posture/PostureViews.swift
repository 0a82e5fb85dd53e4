import Foundation
package import KinemaCounting

/// The labels of a classifier that are postures, read off the posture of a window.
///
/// The probabilities of labels that are no exercise go to the same labels in another order: that by the posture
/// and the network together, as the posture is right far more often (docs/benchmarks.md, “Postures”). How likely
/// an exercise is beside the likeliest of them does not change: were their sum shared out instead, a person who
/// half stands and half walks would be doing squats.
package struct PostureViews: Sendable {
  /// How much the posture counts for the order.
  package struct Rules: Hashable, Codable, Sendable {
    /// The weight of the posture, from 0 to 1; the network has the rest.
    package var weight: Double
    /// The power, at least 0, to which ``HumanBodyPosture/plainness`` is raised: with 1, a posture is named
    /// as likely as the person does nothing but hold it; with 0, as likely as it is.
    package var plainnessPower: Double

    package init(weight: Double, plainnessPower: Double) {
      (self.weight, self.plainnessPower) = (weight, plainnessPower)
    }

    var areUsable: Bool { (0...1).contains(weight) && (0...100).contains(plainnessPower) }
  }

  private let rules: Rules
  private let views: [(place: Int, kinds: [HumanBodyPosture.Kind])]
  /// The places of the labels that are neither postures nor exercises nor happen to people.
  private let rest: [Int]
  /// The places of walking and running, of a model that has both.
  private let gaits: (walking: Int, running: Int)?

  /// `nil` for a model without postures among its labels, or without other labels that are no exercise.
  package init?(labels: [String], kinds: LabelKinds, rules: Rules) {
    self.rules = rules
    let views = labels.indices.map { place in
      (place: place, kinds: HumanBodyPosture.Kind.allCases.filter { $0.label == labels[place] })
    }
    self.views = views.filter { !$0.kinds.isEmpty }
    let walking = views.first { $0.kinds == [.walking] }
    let running = views.first { $0.kinds == [.running] }
    if let walking, let running {
      gaits = (walking.place, running.place)
    } else {
      gaits = nil
    }
    rest = views.filter { view in
      let label = labels[view.place]
      return view.kinds.isEmpty && !kinds.isExercise(label) && !kinds.isIncident(label)
    }.map(\.place)
    if self.views.isEmpty || rest.isEmpty { return nil }
  }

  /// The probability of each label of a window.
  ///
  /// - Parameter window: Those of the network, or of the course, in the order of the labels.
  package func read(_ window: [Double], _ posture: HumanBodyPosture) -> [Double] {
    let isPlain = pow(posture.plainness, rules.plainnessPower)
    let shares = views.map { $0.kinds.reduce(0) { $0 + isPlain * posture[$1] } }
    let restSum = rest.reduce(0) { $0 + window[$1] }
    let sum = views.reduce(restSum) { $0 + window[$1.place] }
    guard sum > 0 else { return window }
    var named = window
    let steps = posture[.walking] + posture[.running]
    if let gaits, steps > 0 {
      // Which of both it is, the posture knows by the steps a second, as far as it sees steps.
      let both = window[gaits.walking] + window[gaits.running]
      named[gaits.running] = both * posture[.running] + (1 - steps) * window[gaits.running]
      named[gaits.walking] = both - named[gaits.running]
    }
    let remainder = 1 - shares.reduce(0, +)
    let restShares = rest.map { place in
      remainder * (restSum > 0 ? window[place] / restSum : 1 / Double(rest.count))
    }
    let places = views.map(\.place) + rest
    let scores = zip(places, shares + restShares).map {
      place, share -> (place: Int, score: Double) in
      let own = (1 - rules.weight) * named[place] / sum
      return (place, rules.weight * share + own)
    }
    let ranked = scores.sorted { ($0.score, $1.place) > ($1.score, $0.place) }
    var read = window
    for (label, probability) in zip(ranked, places.map { window[$0] }.sorted(by: >)) {
      read[label.place] = probability
    }
    return read
  }
}

extension HumanBodyPosture.Kind {
  /// What models call it; `nil` where none does.
  var label: String? {
    switch self {
    case .standing, .walking, .running, .sitting: rawValue
    case .lyingProne, .lyingSupine, .lyingOnSide: "lying"
    default: nil
    }
  }
}
