/// A description of data and the findings about it.
public struct DataReport: Hashable, Codable, Sendable {
  /// An amount of footage.
  public struct Footage: Hashable, Codable, Sendable {
    /// The number of different videos.
    public var videoCount = 0
    /// The number of labelled segments.
    public var segmentCount = 0
    /// The total duration of the segments, in seconds.
    public var seconds = 0.0

    init(_ examples: some Sequence<ActionExample>) {
      var videos: Set<String> = []
      for example in examples {
        videos.insert(example.videoID)
        segmentCount += 1
        seconds += example.timeRange.upperBound - example.timeRange.lowerBound
      }
      videoCount = videos.count
    }
  }

  /// The footage of one class, or of all.
  public struct Class: Hashable, Codable, Sendable {
    /// The label.
    public var label: String
    /// Footage for training.
    public var training: Footage
    /// Footage for validation.
    public var validation: Footage
    /// Footage for testing.
    public var test: Footage
  }

  /// The classes, sorted.
  public var classes: [Class]
  /// All classes; a video with several of them counts once.
  public var total: Class
  /// The findings, errors first.
  public var findings: [DataFinding]

  /// Describes and checks data for a training.
  ///
  /// - Parameters:
  ///   - split: The examples.
  ///   - videos: Descriptions of their videos.
  ///   - findings: Earlier findings.
  ///   - windowSize: Frames of the model's window.
  ///   - frameRate: The model's frame rate.
  ///   - addedLabels: Labels that a transfer adds.
  package init(
    split: DataSplit, videos: [VideoDescription], findings: [DataFinding] = [], windowSize: Int,
    frameRate: Double, addedLabels: Set<String> = []
  ) {
    let sides = [split.training, split.validation, split.test]
    let grouped = sides.map { Dictionary(grouping: $0, by: \.label) }
    classes = Set(grouped.flatMap(\.keys)).sorted().map { label in
      Class(
        label: label, training: Footage(grouped[0][label] ?? []),
        validation: Footage(grouped[1][label] ?? []), test: Footage(grouped[2][label] ?? []))
    }
    total = Class(
      label: "", training: Footage(split.training), validation: Footage(split.validation),
      test: Footage(split.test))
    let checks = DataChecks(
      windowSize: windowSize, frameRate: frameRate, addedLabels: addedLabels)
    let labels = Dictionary(grouping: sides.joined(), by: \.file).mapValues {
      Set($0.map(\.label))
    }
    self.findings = Self.sorted(
      findings + split.leaks + checks.findings(about: split)
        + checks.findings(about: sides.flatMap { $0 })
        + checks.findings(about: videos, labels: labels))
  }

  init(findings: [DataFinding]) {
    classes = []
    total = Class(label: "", training: Footage([]), validation: Footage([]), test: Footage([]))
    self.findings = Self.sorted(findings)
  }

  private static func sorted(_ findings: [DataFinding]) -> [DataFinding] {
    findings.errors + findings.filter { $0.severity != .error }
  }
}
