/// An error or a warning about data.
public struct DataFinding: Hashable, Codable, Reported {
  /// The severity of a finding.
  public enum Severity: String, Hashable, Codable, Sendable, CaseIterable {
    case error
    /// The data can be used, but may degrade the model.
    case warning
  }

  /// The kind of finding.
  public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
    case missingFile
    /// A file cannot be read as video or poses.
    case unreadableFile
    /// A file is ignored: it has an unsupported type or no label.
    case ignoredFile
    /// A row has no file, no label, an unknown set or invalid times.
    case badAnnotation
    /// A segment starts before its video or ends before it starts.
    case badTimes
    /// A segment ends after its video.
    case pastEnd
    case overlap
    case duplicate
    /// Files with the same content are in two sets of a split.
    case leak
    /// Bodies and hands are mixed.
    case mixedJoints
    case oneClass
    /// A class is missing from the training data.
    case unmatchedClass
    /// Two labels differ only in case, spaces or hyphens.
    case likeLabels
    /// A class has few videos.
    case smallClass
    /// One class has many times as much footage as another.
    case imbalance
    /// No class stands for “none of the actions”.
    case noNegativeClass
    /// A video has a lower frame rate than the model.
    case lowFrameRate
    /// A segment is shorter than the model's window.
    case shortClip
    /// Hardly any frame has a person.
    case noPerson = "nobody"
    /// Several people are of similar size.
    case severalPeople
    /// Parts of the body are outside the frame.
    case cutOff
    case movingCamera
  }

  /// The severity.
  public var severity: Severity
  /// The kind.
  public var kind: Kind
  /// The file, as the user named it, if any.
  public var file: String?
  /// What was found, where, and what to do, in one sentence.
  public var message: String
  /// The same by name; `nil` where there is only the sentence.
  public var text: MessageText?

  /// Creates a finding with the sentence of its text.
  package init(_ severity: Severity, _ kind: Kind, file: String? = nil, _ text: MessageText) {
    self.init(severity, kind, file: file, text.sentence, text: text)
  }

  /// Creates a finding.
  public init(
    _ severity: Severity, _ kind: Kind, file: String? = nil, _ message: String,
    text: MessageText? = nil
  ) {
    self.severity = severity
    self.kind = kind
    self.file = file
    self.message = message
    self.text = text
  }
}
