/// The metadata of a model file.
public struct ModelMetadata: Sendable, Equatable {
  /// What the model is for, in a sentence.
  public var shortDescription: String
  /// The author.
  public var author: String
  /// The licence it is given under.
  public var license: String
  /// The version that its maker gave it.
  public var version: String
  /// Further entries, such as `Target Frame Rate`.
  public var userDefined: [String: String]

  /// Creates metadata.
  public init(
    shortDescription: String = "", author: String = "", license: String = "", version: String = "",
    userDefined: [String: String] = [:]
  ) {
    self.shortDescription = shortDescription
    self.author = author
    self.license = license
    self.version = version
    self.userDefined = userDefined
  }
}

extension ModelMetadata {
  /// The keys under which Create ML stores what it knows.
  package enum Key {
    package static let previewType = "com.apple.coreml.model.preview.type"
    package static let windowSize = "Prediction Window Size"
    package static let frameRate = "Target Frame Rate"
    /// Kinema's own: the rules of the windows as JSON.
    package static let rules = "org.kinema.rules"
    /// Kinema's own: the ``LabelKind`` of each label as JSON.
    package static let labelKinds = "org.kinema.labelKinds"
    package static let type = "type"
    package static let target = "target"
    package static let classes = "classes"
  }

  /// The frame rate of the training, in frames per second; `nil` without a valid one.
  var frameRate: Double? {
    guard let text = userDefined[Key.frameRate], let rate = Double(text), rate > 0, rate <= 1000
    else { return nil }
    return rate
  }
}
