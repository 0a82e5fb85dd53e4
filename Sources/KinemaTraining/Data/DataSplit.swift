import KinemaSynth

/// Examples for training, validation and testing; no video is in two sets.
public struct DataSplit: Sendable {
  /// The training set.
  public var training: [ActionExample]
  /// The validation set.
  public var validation: [ActionExample]
  /// The test set.
  public var test: [ActionExample]

  /// Creates a split from sets; throws ``TrainingError`` if a video is in two of them, with both
  /// files.
  public init(
    training: [ActionExample], validation: [ActionExample] = [], test: [ActionExample] = []
  ) throws {
    self.init(unchecked: training, validation, test)
    try leaks.throwFirstError()
  }

  init(
    unchecked training: [ActionExample], _ validation: [ActionExample], _ test: [ActionExample]
  ) {
    self.training = training
    self.validation = validation
    self.test = test
  }

  /// Moves whole videos of each class to the validation set, or all videos of a person where people
  /// are named.
  ///
  /// A video or person with several actions counts for the rarest. The strategy's share of each class,
  /// rounded, is chosen at random; a class retains at least one training video.
  ///
  /// - Parameter seed: The seed of the choice, unless the strategy has one.
  /// - Throws: ``TrainingError`` if the share is not above 0 and below 1.
  public init(_ examples: [ActionExample], strategy: SplitStrategy, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    if case .fixed(let ratio, let chosen) = strategy {
      guard ratio > 0, ratio < 1 else {
        throw TrainingError(
          .badParameter,
          "\(ratio) is not a share of the videos for validation: use one above 0 and below 1.")
      }
      if let chosen { generator = SeededGenerator(seed: chosen) }
    }
    var labelsOfVideo: [String: Set<String>] = [:]
    var videos: [String] = []
    for example in examples {
      if labelsOfVideo[example.group] == nil { videos.append(example.group) }
      labelsOfVideo[example.group, default: []].insert(example.label)
    }
    let ratio = strategy.ratio(ofVideoCount: videos.count)
    let chosen = Self.chosen(from: videos, labels: labelsOfVideo, ratio: ratio, using: &generator)
    self.init(
      unchecked: examples.filter { !chosen.contains($0.group) },
      examples.filter { chosen.contains($0.group) }, [])
  }

  private static func chosen(
    from videos: [String], labels: [String: Set<String>], ratio: Double,
    using generator: inout SeededGenerator
  ) -> Set<String> {
    var countOfLabel: [String: Int] = [:]
    for video in videos {
      for label in labels[video] ?? [] { countOfLabel[label, default: 0] += 1 }
    }
    var groups: [String: [String]] = [:]
    for video in videos {
      let rarest = (labels[video] ?? []).min {
        (countOfLabel[$0] ?? 0, $0) < (countOfLabel[$1] ?? 0, $1)
      }
      if let rarest { groups[rarest, default: []].append(video) }
    }
    var chosen: Set<String> = []
    for label in groups.keys.sorted(by: {
      (groups[$0]?.count ?? 0, $0) < (groups[$1]?.count ?? 0, $1)
    }) {
      // In an order independent of that of the files.
      var candidates = (groups[label] ?? []).sorted()
      var wanted = Int((Double(candidates.count) * ratio).rounded())
      while wanted > 0, !candidates.isEmpty {
        let video = candidates.remove(at: Int(generator.next() % UInt64(candidates.count)))
        let isNeeded = (labels[video] ?? []).contains { (countOfLabel[$0] ?? 0) < 2 }
        guard !isNeeded else { continue }
        for label in labels[video] ?? [] { countOfLabel[label, default: 0] -= 1 }
        chosen.insert(video)
        wanted -= 1
      }
    }
    return chosen
  }

  /// Videos that are in two sets, as errors.
  var leaks: [DataFinding] {
    let sides = [("training", training), ("validation", validation), ("test", test)]
    var findings: [DataFinding] = []
    for (index, (name, examples)) in sides.enumerated() {
      let files = Dictionary(
        examples.map { ($0.videoID, $0.file) }, uniquingKeysWith: { first, _ in first })
      for (otherName, others) in sides.dropFirst(index + 1) {
        var seen: Set<String> = []
        for other in others where seen.insert(other.videoID).inserted {
          guard let file = files[other.videoID] else { continue }
          findings.append(
            DataFinding(
              .error, .leak, file: other.file,
              MessageText(
                "leak", ["file": other.file, "set": otherName, "other": file, "otherSet": name])))
        }
      }
    }
    return findings
  }
}
