package import KinemaAction
import KinemaPose

/// The description of an action classifier for the page.
package struct ModelDescription: Codable, Hashable, Sendable {
  /// The id, safe for URLs.
  package var id: String
  package var name: String
  package var labels: [String]
  /// What challenges can ask for, in the order of ``labels``.
  package var challenges: [Offer]
  /// Groups of labels that are reported where none of them is confident: the name of each and its labels.
  package var groups: [String: [String]]
  package var windowSize: Int
  package var frameRate: Double
  /// The joints of a pose: 18 of a body, or 21 of a hand.
  package var jointCount: Int
  /// Whether it came with Kinema or with the command line, so that it cannot be deleted.
  package var isBuiltIn: Bool

  /// A label that a challenge can ask for.
  package struct Offer: Codable, Hashable, Sendable {
    package enum Unit: String, Codable, Sendable { case repetitions, seconds }

    package var label: String
    /// What it can ask for, the usual unit first.
    package var units: [Unit]

    /// What nobody is asked to do.
    private static let refused: Set<String> = ["falling", "idle"]
    /// Exercises that are held.
    private static let held: Set<String> = ["plank"]

    /// `nil` for labels of everything else, and for what nobody is asked to do.
    ///
    /// - Parameter isOfHands: Whether it is a label of hands, which are not counted.
    package init?(_ label: String, isOfHands: Bool = false) {
      let name = label.lowercased()
      guard !RepetitionCounter.Rules.otherLabels.contains(name), !Self.refused.contains(name) else {
        return nil
      }
      self.label = label
      let isCounted =
        !isOfHands && !RepetitionCounter.Rules().ignoredActions.union(Self.held).contains(name)
      units = isCounted ? [.repetitions, .seconds] : [.seconds]
    }
  }

  package init(id: String, name: String, of classifier: ActionClassifier, isBuiltIn: Bool) {
    (self.id, self.name, self.isBuiltIn) = (id, name, isBuiltIn)
    labels = classifier.labels
    let isOfHands = classifier.joints == JointKey.hand
    challenges = labels.compactMap { Offer($0, isOfHands: isOfHands) }
    groups = ActionRecognizer.Rules(of: classifier).groups ?? [:]
    windowSize = classifier.windowSize
    frameRate = classifier.frameRate ?? ActionRecognizer.defaultFrameRate
    jointCount = classifier.joints.count
  }
}
