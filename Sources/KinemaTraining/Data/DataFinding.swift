/// Something that was found out about data: an error that must be mended, or a warning.
public struct DataFinding: Hashable, Codable, Sendable {
  /// How bad it is.
  public enum Severity: String, Hashable, Codable, Sendable, CaseIterable {
    /// The data cannot be used as it is.
    case error
    /// The data can be used, but the model may be worse for it.
    case warning
  }

  /// What was found.
  public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
    /// An annotation names a file that is not there.
    case missingFile
    /// A file cannot be read as a video or as poses.
    case unreadableFile
    /// A file was left out, because it is nothing that is read or has no label.
    case ignoredFile
    /// A row of an annotation file has no file, no label or no proper times.
    case badAnnotation
    /// An annotation begins before its video or ends before it begins.
    case badTimes
    /// An annotation reaches beyond the end of its video.
    case pastEnd
    /// Two annotations of a video share some of its time.
    case overlap
    /// Two files have the same content.
    case duplicate
    /// Files of the same content are on both sides of a split.
    case leak
    /// The videos of a data set do not all have the joints of a body, or of a hand.
    case mixedJoints
    /// There is only one class.
    case oneClass
    /// A class is not among those to be learnt, or missing among them.
    case unmatchedClass
    /// Two labels differ only in capitals or spaces.
    case likeLabels
    /// A class has few videos.
    case smallClass
    /// One class has many times as much footage as another.
    case imbalance
    /// No class stands for "none of the actions".
    case noNegativeClass
    /// A video runs at a lower frame rate than the model is to be trained at.
    case lowFrameRate
    /// A clip is shorter than the model's window.
    case shortClip
    /// Hardly ever was somebody seen.
    case nobody
    /// Several people of like size are seen.
    case severalPeople
    /// Parts of the body are outside the picture.
    case cutOff
    /// The camera moves.
    case movingCamera
  }

  /// How bad it is.
  public var severity: Severity
  /// What was found.
  public var kind: Kind
  /// The file that it was found in, as the user named it, if it was in one.
  public var file: String?
  /// One sentence: what was found, where, and what to do.
  public var message: String

  /// Creates a finding.
  public init(_ severity: Severity, _ kind: Kind, file: String? = nil, _ message: String) {
    self.severity = severity
    self.kind = kind
    self.file = file
    self.message = message
  }
}
