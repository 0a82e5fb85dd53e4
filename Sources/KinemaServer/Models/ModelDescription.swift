package import KinemaAction

/// The description of an action classifier for the page.
package struct ModelDescription: Codable, Hashable, Sendable {
  /// The id, safe for URLs.
  package var id: String
  /// The name for display.
  package var name: String
  /// The labels, in the model's order.
  package var labels: [String]
  /// The number of frames in a window.
  package var windowSize: Int
  /// The model's frame rate.
  package var frameRate: Double
  /// The joints of a pose: 18 of a body, or 21 of a hand.
  package var jointCount: Int
  /// Whether it came with Kinema or with the command line, so that it cannot be deleted.
  package var isBuiltIn: Bool

  package init(
    id: String, name: String, labels: [String], windowSize: Int, frameRate: Double,
    jointCount: Int = 18, isBuiltIn: Bool = false
  ) {
    self.id = id
    self.name = name
    self.labels = labels
    self.windowSize = windowSize
    self.frameRate = frameRate
    self.jointCount = jointCount
    self.isBuiltIn = isBuiltIn
  }

  /// Describes a classifier.
  package init(id: String, name: String, of classifier: ActionClassifier, isBuiltIn: Bool) {
    self.init(
      id: id, name: name, labels: classifier.labels, windowSize: classifier.windowSize,
      frameRate: classifier.frameRate ?? ActionRecognizer.defaultFrameRate,
      jointCount: classifier.joints.count, isBuiltIn: isBuiltIn)
  }
}
