public import Foundation
public import KinemaPose

/// What a person does during one window of time.
public struct ActionPrediction: Hashable, Sendable {
  /// The kinds of predictions.
  public enum Status: String, Hashable, Codable, Sendable {
    /// The label is the person's action.
    case action
    /// Too few frames of the window show a person.
    case noPerson
    /// No label reaches the confidence threshold.
    case lowConfidence
  }

  /// The time that the window covers, in seconds; without the empty frames that fill it up.
  public var timeRange: Range<TimeInterval>
  /// The kind of prediction.
  public var status: Status
  /// The likeliest label by the model's rules, such as the mean over several windows; `nil` where
  /// nothing was classified.
  public var topLabel: String?
  /// How sure ``topLabel`` is by the model's rules, from 0 to 1; 0 where nothing was classified.
  ///
  /// In a file it may be less than the label's probability, where windows doubt what their course says.
  public var confidence: Double
  /// A group of labels that ``topLabel`` belongs to, named beside it where the windows around are
  /// confident of the group and not of the label, and in a stream where no label is confident; `nil` elsewhere,
  /// and for models without such groups.
  public var group: String?
  /// The network's output for this window alone: the probability of each label; empty where nothing
  /// was classified.
  public var probabilities: [String: Double]
  /// How sure each label of a stream is by the model's rules, of which ``confidence`` is the largest; empty where
  /// nothing was classified.
  ///
  /// Their sum is less than 1 where the newest window doubts its course.
  package var distribution: [String: Double] = [:]
  /// The time from the first frame of the window that shows the person to the end of the last one; that
  /// of the window where none does, or nothing is known of it.
  package var visibleRange: Range<TimeInterval>
  /// Whether the window is of the first frames of a stream, which do not fill it.
  package var isOpening = false
  /// The network's output for the newest half of the window, in the order of the model's labels.
  ///
  /// `nil` where the rules do not ask for it (``ActionDecoder/Rules/recentShare``), and where nobody is
  /// visible in it.
  package var recentProbabilities: [Double]?
  /// The person whose poses fill the window; `nil` where there are none.
  public var personID: Int?
  /// Left or right, where a hand's poses fill the window and it is known.
  public var chirality: Chirality?
  /// How the person holds their body in the window, beside what they do; `nil` for hands, for single
  /// frames, and where nobody is visible.
  public var posture: HumanBodyPosture?

  /// Creates a prediction.
  public init(
    timeRange: Range<TimeInterval>, status: Status, topLabel: String? = nil, confidence: Double,
    probabilities: [String: Double], personID: Int? = nil, chirality: Chirality? = nil
  ) {
    self.timeRange = timeRange
    visibleRange = timeRange
    self.status = status
    self.topLabel = topLabel
    self.confidence = confidence
    self.probabilities = probabilities
    self.personID = personID
    self.chirality = chirality
  }

  /// The text that the sample apps show before there is a prediction.
  public static let startingUpLabel = "Starting Up"
  /// The text for ``Status/noPerson``.
  public static let noPersonLabel = "No Person"
  /// The text for ``Status/lowConfidence``.
  public static let lowConfidenceLabel = "Low Confidence"

  /// The label of the action, or the text that stands for the lack of one.
  public var label: String {
    switch status {
    case .action: topLabel ?? Self.lowConfidenceLabel
    case .noPerson: Self.noPersonLabel
    case .lowConfidence: Self.lowConfidenceLabel
    }
  }

  /// Whether ``label`` is one of the model's.
  public var isModelLabel: Bool { status == .action }

  /// A class label for display: `jumping_jacks` is shown as “Jumping Jacks”, `push_ups` as “Push-ups”.
  public static func displayName(of label: String) -> String {
    label.split { $0 == "_" || $0.isWhitespace }.reduce("") { name, word in
      if !name.isEmpty, word == "ups" { return name + "-ups" }
      return name + (name.isEmpty ? "" : " ") + word.prefix(1).uppercased() + word.dropFirst()
    }
  }
}
