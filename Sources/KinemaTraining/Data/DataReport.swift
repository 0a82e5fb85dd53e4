/// What data holds, and what is to be said about it.
public struct DataReport: Hashable, Codable, Sendable {
  /// Some footage in figures.
  public struct Footage: Hashable, Codable, Sendable {
    /// How many different videos there are.
    public var videoCount = 0
    /// How many stretches of them are annotated.
    public var stretchCount = 0
    /// How long the stretches are together, in seconds.
    public var seconds = 0.0

    /// The footage of examples.
    init(_ examples: some Sequence<ActionExample>) {
      var videos: Set<String> = []
      for example in examples {
        videos.insert(example.videoID)
        stretchCount += 1
        seconds += example.timeRange.upperBound - example.timeRange.lowerBound
      }
      videoCount = videos.count
    }
  }

  /// The footage of one class, or of all of them.
  public struct Class: Hashable, Codable, Sendable {
    /// The label.
    public var label: String
    /// What is learnt from.
    public var training: Footage
    /// What judges while learning.
    public var validation: Footage
    /// What judges in the end.
    public var test: Footage
  }

  /// The classes, in alphabetical order.
  public var classes: [Class]
  /// All classes together; a video with several of them counts once.
  public var total: Class
  /// What was found out, errors first.
  public var findings: [DataFinding]

  /// Describes and checks data for a training.
  ///
  /// - Parameters:
  ///   - split: The examples.
  ///   - videos: What is known of their videos.
  ///   - findings: What was found out before.
  ///   - windowSize: The number of frames of the model's window.
  ///   - frameRate: The frames per second at which the model is to look.
  public init(
    split: DataSplit, videos: [VideoDescription], findings: [DataFinding] = [], windowSize: Int,
    frameRate: Double
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
    let checks = DataChecks(windowSize: windowSize, frameRate: frameRate)
    self.findings = Self.sorted(
      findings + split.leaks + checks.findings(about: split)
        + checks.findings(about: sides.flatMap { $0 }) + checks.findings(about: videos))
  }

  /// A report on data that could not be extracted because of what was found out.
  init(findings: [DataFinding]) {
    classes = []
    total = Class(
      label: "", training: Footage([]), validation: Footage([]), test: Footage([]))
    self.findings = Self.sorted(findings)
  }

  private static func sorted(_ findings: [DataFinding]) -> [DataFinding] {
    findings.errors + findings.filter { $0.severity != .error }
  }

  /// Whether nothing must be mended before a training.
  public var isUsable: Bool { findings.errors.isEmpty }
}
