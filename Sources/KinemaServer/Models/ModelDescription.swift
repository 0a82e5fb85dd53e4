package import KinemaAction

/// What the page knows of an action classifier.
package struct ModelDescription: Codable, Hashable, Sendable {
  /// The name by which it is asked for; fit for a URL as it is.
  package var id: String
  /// The name for people.
  package var name: String
  /// The labels, in the model's order.
  package var labels: [String]
  /// The number of frames in a window.
  package var windowSize: Int
  /// The frames per second that the model wants.
  package var frameRate: Double
  /// Whether it came with Kinema or with the command line, so that it cannot be deleted.
  package var isBuiltIn: Bool

  package init(
    id: String, name: String, labels: [String], windowSize: Int, frameRate: Double,
    isBuiltIn: Bool = false
  ) {
    self.id = id
    self.name = name
    self.labels = labels
    self.windowSize = windowSize
    self.frameRate = frameRate
    self.isBuiltIn = isBuiltIn
  }

  /// Describes a classifier.
  package init(id: String, name: String, of classifier: ActionClassifier, isBuiltIn: Bool) {
    self.init(
      id: id, name: name, labels: classifier.labels, windowSize: classifier.windowSize,
      frameRate: classifier.frameRate ?? ActionRecognizer.defaultFrameRate, isBuiltIn: isBuiltIn)
  }
}
