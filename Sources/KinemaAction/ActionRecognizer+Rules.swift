import Foundation
import KinemaFiles
import KinemaModelFiles

extension ActionRecognizer {
  /// The rules of the windows.
  ///
  /// A rule that a file leaves out has its default.
  public struct Rules: Hashable, Codable, Sendable {
    /// How many frames, at the model's rate, lie between the starts of two windows.
    public var stride = 10
    /// The share of a window's frames, from 0 to 1, that must show the person.
    public var minimumPoseShare = 0.6
    /// The probability, from 0 to 1, from which a label is reported.
    public var confidenceThreshold = 0.6
    /// The least mean confidence of a window's poses, from 0 to 1; below it, the window is
    /// *No Person*.
    public var minimumPersonConfidence = 0.0
    /// Whether a window is read in its course, by the durations and the order of actions: live with
    /// the windows before it, in a whole video with all of them; otherwise each for itself.
    public var readsCourse = false
    /// Actions that are parts of others: the label of the part and that of the whole.
    ///
    /// Within the course of the whole, the part counts as the whole: a window sees only the push-up of
    /// a burpee.
    public var wholes: [String: String] = [:]
    /// Groups of labels that are easily confused: the name of each and its labels.
    ///
    /// Where no label reaches the threshold, the smallest group whose labels do together is reported; in a
    /// stream that is read in its course, beside the label.
    public var groups: [String: [String]]?
    /// Broader groups, such as what is done on the floor: the name of each and its labels.
    ///
    /// With ``groups`` they are named beside a label where its windows doubt it
    /// (``ActionPrediction/group``), and never in place of one.
    public var broadGroups: [String: [String]]?
    /// How labels that are postures are read off the posture where windows are read in their course; `nil` for
    /// what the network says.
    package var postures: PostureViews.Rules?
    /// How windows are read in their course; `nil` for what fits most models.
    package var course: ActionDecoder.Course?

    /// The rules of Apple's sample for a live video feed: stride 10, at least 60 % real frames,
    /// confidence 0.6, each window for itself.
    public init() {}

    /// The rules in a model's metadata; those of ``init()`` without any.
    public init(of classifier: ActionClassifier) {
      self.init()
      guard let text = classifier.metadata.userDefined[ModelMetadata.Key.rules],
        let rules = try? JSONDecoder().decodeForeign(Rules.self, from: Data(text.utf8)),
        rules.areUsable
      else { return }
      self = rules
    }

    private var areUsable: Bool {
      (1...100_000).contains(stride) && (0...1).contains(minimumPoseShare)
        && (0...1).contains(confidenceThreshold)
        && (0...1).contains(minimumPersonConfidence) && course?.isUsable ?? true
        && postures?.areUsable ?? true
    }

    /// How models of earlier versions ask for the course.
    private enum EarlierKeys: CodingKey { case averagedWindowCount }

    /// Reads rules; those that are left out have their defaults.
    public init(from decoder: any Decoder) throws {
      self.init()
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func read<Value: Decodable>(_ key: CodingKeys, into value: inout Value) throws {
        value = try values.decodeIfPresent(Value.self, forKey: key) ?? value
      }
      try read(.stride, into: &stride)
      try read(.minimumPoseShare, into: &minimumPoseShare)
      try read(.confidenceThreshold, into: &confidenceThreshold)
      try read(.minimumPersonConfidence, into: &minimumPersonConfidence)
      try read(.readsCourse, into: &readsCourse)
      let earlier = try decoder.container(keyedBy: EarlierKeys.self)
      if let count = try earlier.decodeIfPresent(Int.self, forKey: .averagedWindowCount), count > 1
      {
        readsCourse = true
      }
      try read(.wholes, into: &wholes)
      groups = try values.decodeIfPresent([String: [String]].self, forKey: .groups)
      broadGroups = try values.decodeIfPresent([String: [String]].self, forKey: .broadGroups)
      postures = try values.decodeIfPresent(PostureViews.Rules.self, forKey: .postures)
      course = try values.decodeIfPresent(ActionDecoder.Course.self, forKey: .course)
    }
  }
}

extension ActionPrediction {
  /// Takes the likeliest label of a distribution, or the smallest group of labels that is confident
  /// where no label is.
  ///
  /// - Parameter course: The probabilities by which a group is named beside the likeliest label, which is not
  ///   confident; without, groups are named by `probabilities`, in place of the label.
  mutating func settle(
    _ probabilities: [Double], of labels: [String], by rules: ActionRecognizer.Rules,
    besideGroupsOf course: [Double]? = nil
  ) {
    let top = probabilities.indices.max { probabilities[$0] < probabilities[$1] }
    topLabel = top.map { labels[$0] }
    confidence = top.map { probabilities[$0] } ?? 0
    let threshold = rules.confidenceThreshold
    if confidence < threshold, let groups = rules.groups {
      let confident = groups.map { name, members in
        let sum = zip(labels, course ?? probabilities).reduce(0) { sum, pair in
          members.contains(pair.0) ? sum + pair.1 : sum
        }
        return (name: name, size: members.count, probability: sum)
      }.filter { $0.probability >= threshold }
      let smallest = confident.min {
        ($0.size, $1.probability, $0.name) < ($1.size, $0.probability, $1.name)
      }
      if let smallest {
        if course == nil {
          (topLabel, confidence) = (smallest.name, min(1, smallest.probability))
        } else {
          group = smallest.name
        }
      }
    }
    status = confidence >= threshold ? .action : .lowConfidence
  }
}

extension ModelMetadata {
  /// Stores rules in the metadata, under `org.kinema.rules`.
  package mutating func ask(for rules: ActionRecognizer.Rules) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    userDefined[Key.rules] = String(decoding: try encoder.encode(rules), as: UTF8.self)
  }
}
