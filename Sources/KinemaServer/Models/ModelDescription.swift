package import KinemaAction
package import KinemaCounting
import KinemaPose

/// The description of an action classifier for the page.
package struct ModelDescription: Codable, Hashable, Sendable {
  /// The id, safe for URLs.
  package var id: String
  package var name: String
  package var labels: [String]
  /// What each label is.
  package var kinds: [String: LabelKind]
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

    /// `nil` for labels that are no action, and for what nobody is asked to do.
    ///
    /// - Parameter isOfHands: Whether it is a label of hands, which are not counted.
    package init?(_ label: String, _ kinds: LabelKinds = LabelKinds(), isOfHands: Bool = false) {
      guard kinds.canBeAskedFor(label) else { return nil }
      self.label = label
      units = !isOfHands && kinds[label] == .counted ? [.repetitions, .seconds] : [.seconds]
    }
  }

  package init(id: String, name: String, of classifier: ActionClassifier, isBuiltIn: Bool) {
    (self.id, self.name, self.isBuiltIn) = (id, name, isBuiltIn)
    labels = classifier.labels
    let isOfHands = classifier.joints == JointKey.hand
    let kinds = classifier.labelKinds
    self.kinds = Dictionary(labels.map { ($0, kinds[$0]) }) { first, _ in first }
    challenges = labels.compactMap { Offer($0, kinds, isOfHands: isOfHands) }
    groups = ActionRecognizer.Rules(of: classifier).groups ?? [:]
    windowSize = classifier.windowSize
    frameRate = classifier.frameRate ?? ActionRecognizer.defaultFrameRate
    jointCount = classifier.joints.count
  }
}
