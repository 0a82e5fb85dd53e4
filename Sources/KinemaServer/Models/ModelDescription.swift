package import KinemaAction

/// The description of an action classifier for the page.
package struct ModelDescription: Codable, Hashable, Sendable {
  /// The id, safe for URLs.
  package var id: String
  package var name: String
  package var labels: [String]
  package var windowSize: Int
  package var frameRate: Double
  /// The joints of a pose: 18 of a body, or 21 of a hand.
  package var jointCount: Int
  /// Whether it came with Kinema or with the command line, so that it cannot be deleted.
  package var isBuiltIn: Bool

  package init(id: String, name: String, of classifier: ActionClassifier, isBuiltIn: Bool) {
    (self.id, self.name, self.isBuiltIn) = (id, name, isBuiltIn)
    labels = classifier.labels
    windowSize = classifier.windowSize
    frameRate = classifier.frameRate ?? ActionRecognizer.defaultFrameRate
    jointCount = classifier.joints.count
  }
}
