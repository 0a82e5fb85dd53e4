/// A class of a synthetic training set: a label, how much of the set it is, and its motions.
package struct SyntheticMotionClass: Sendable {
  package let label: String
  /// Which share of the sequences belongs to it, against the shares of the other classes.
  package let share: Double
  /// The motions it is drawn from.
  package let motions: [Motion]
  /// How often each motion is drawn against the others; by default its ``Motion/weight``.
  private let weights: [Float]
  /// The motion that is drawn most.
  package var usual: Motion? { zip(motions, weights).max { $0.1 < $1.1 }?.0 }
  /// The share of the sequences that show the upper body only; `nil` for what is usual.
  let nearShare: Float?
  /// The share of the sequences that are filmed from behind, beside the usual ones.
  let backShare: Float

  /// All of it in one line; a motion is its name.
  package var summary: String {
    let near = nearShare.map { "\($0)" } ?? "usual"
    return "\(label) \(share) \(motions.map(\.name)) \(weights) near \(near) back \(backShare)"
  }

  package init(
    _ label: String, share: Double = 1, motions: [Motion], weights: [Float]? = nil,
    nearShare: Float? = nil, backShare: Float = 0
  ) {
    precondition(!motions.isEmpty, "A class needs at least one motion.")
    precondition(share > 0, "A class needs a share above 0.")
    self.label = label
    self.share = share
    self.motions = motions
    self.weights = weights ?? motions.map(\.weight)
    self.nearShare = nearShare
    self.backShare = backShare
  }

  /// The five exercises, 15 % each, and everything else.
  package static let standard: [SyntheticMotionClass] = ActionClass.allCases.map { action in
    SyntheticMotionClass(
      action.rawValue, share: action == .other ? 0.25 : 0.15, motions: action.motions)
  }

  /// The labels of the model `Exercise`, with their motions.
  ///
  /// Jumping lunges are lunges to those who watch; other motions with weight 0 are other action.
  package static let exercise: [SyntheticMotionClass] = ActionClass.allCases.map { action in
    SyntheticMotionClass(
      action.rawValue,
      motions: Motion.library.filter { motion in
        let isClear = motion.weight > 0 || motion.name == "jump_lunges"
        return (isClear ? motion.action : .other) == action
      })
  }

  /// A class for each motion of the library that is not ``Motion/heldOut``: nine in a hundred
  /// sequences show each of the five exercises, the others the rest, evenly.
  package static let eachMotion: [SyntheticMotionClass] = {
    let motions = Motion.library.filter { !Motion.heldOut.contains($0) }
    return ActionClass.allCases.flatMap { action in
      let members = motions.filter { $0.action == action }
      // Variants of the exercises with a weight of 0 are shown as well.
      let weights = members.map { action == .other ? 1 : max($0.weight, 0.3) }
      let whole = SyntheticMotionClass(
        action.rawValue, share: action == .other ? 0.55 : 0.09, motions: members, weights: weights)
      return whole.byMotion
    }
  }()

  /// The classes of labels, each the name of an ``ActionClass`` or of a single motion; `nil` if one
  /// of them is neither.
  ///
  /// A motion that has a label of its own is no example of any other class. `other_action` gets 5/3
  /// of what each of the others gets.
  package static func named(_ labels: [String]) -> [SyntheticMotionClass]? {
    let own = Set(labels.filter { ActionClass(rawValue: $0) == nil })
    var classes: [SyntheticMotionClass] = []
    for label in labels {
      if let action = ActionClass(rawValue: label) {
        let motions = action.motions(besides: labels).filter { !own.contains($0.name) }
        guard !motions.isEmpty else { return nil }
        classes.append(.init(label, share: action == .other ? 5 / 3 : 1, motions: motions))
      } else {
        guard let motion = Motion.named(label) else { return nil }
        classes.append(.init(label, motions: [motion]))
      }
    }
    return classes.isEmpty ? nil : classes
  }

  /// A class for each motion, labelled with its name, that together are drawn as this one is.
  package var byMotion: [SyntheticMotionClass] {
    let total = Double(weights.reduce(0, +))
    return zip(motions, weights).filter { $0.1 > 0 }.map { motion, weight in
      SyntheticMotionClass(
        motion.name, share: share * Double(weight) / total, motions: [motion], weights: [1],
        nearShare: nearShare, backShare: backShare)
    }
  }

  /// The same class, of which a share shows the upper body only.
  package func framed(nearShare: Float) -> SyntheticMotionClass {
    SyntheticMotionClass(
      label, share: share, motions: motions, weights: weights, nearShare: nearShare,
      backShare: backShare)
  }

  func motion(using generator: inout SeededGenerator) -> Motion {
    let total = weights.reduce(0, +)
    guard total > 0 else { return generator.pick(motions) }
    var rest = generator.uniform(0...1) * total
    for (motion, weight) in zip(motions, weights) {
      rest -= weight
      if rest < 0 { return motion }
    }
    return zip(motions, weights).reversed().first { $0.1 > 0 }?.0 ?? motions[0]
  }
}

extension ActionClass {
  package var motions: [Motion] { Motion.library.filter { $0.action == self } }

  /// The motions that are examples of it beside other labels: what belongs to an exercise that has
  /// no label is other action.
  fileprivate func motions(besides labels: [String]) -> [Motion] {
    guard self == .other else { return motions }
    return Motion.library.filter {
      $0.action == .other || !labels.contains($0.action.rawValue)
    }
  }
}
