import KinemaPose

/// Data made ready for a training: read, checked, extracted and split.
public struct TrainingData: Sendable {
  /// The examples; empty where the report has errors that forbid to extract them.
  public var split: DataSplit
  /// What the data holds and what is to be said about it.
  public var report: DataReport

  /// Makes data ready.
  ///
  /// What is wrong with the data is in the report, all of it and not only the first thing; a training
  /// must not begin unless it ``DataReport/isUsable``. Where rows or files are wrong, that is
  /// reported before any video is opened.
  ///
  /// - Parameters:
  ///   - training: The data to learn from.
  ///   - validation: The data that judge while learning.
  ///   - test: The data that judge in the end.
  ///   - windowSize: The number of frames of the model's window, at least 1.
  ///   - frameRate: The frames per second at which the model is to look, above 0.
  ///   - seed: The seed of the split.
  ///   - extractor: What makes poses of the videos.
  ///   - progress: Takes reports of the extraction, one at a time, on any thread.
  /// - Throws: ``TrainingError`` where a folder, an annotation file or the cache cannot be used at all
  ///   or a parameter is out of range, ``VisionError`` where a part of vision is missing,
  ///   `CancellationError`.
  public static func prepare(
    training: ActionClassifierDataSource,
    validation: ValidationData = .split(strategy: .automatic),
    test: ActionClassifierDataSource? = nil, windowSize: Int, frameRate: Double, seed: UInt64 = 0,
    extractor: FeatureExtractor = FeatureExtractor(),
    progress: (@Sendable (ExtractionProgress) -> Void)? = nil
  ) async throws -> TrainingData {
    guard windowSize > 0, frameRate > 0, frameRate.isFinite else {
      throw TrainingError(
        .badParameter,
        "A window of \(windowSize) frames at \(frameRate) frames a second is none: give numbers "
          + "above 0.")
    }
    var sources = [training]
    if case .dataSource(let source) = validation { sources.append(source) }
    if let test { sources.append(test) }
    var listings = try sources.map { try $0.listing() }
    for index in listings.indices { listings[index].findings += listings[index].overlaps }
    var findings = listings.flatMap(\.findings)
    if listings[0].labels.count < 2, findings.errors.isEmpty {
      let checks = DataChecks(windowSize: windowSize, frameRate: frameRate)
      let classes = checks.findings(
        about: DataSplit(unchecked: listings[0].sketches, [], []))
      findings += classes.errors
    }
    guard findings.errors.isEmpty else {
      return TrainingData(
        split: DataSplit(unchecked: [], [], []), report: DataReport(findings: findings))
    }
    var data = try await extractor.extract(listings, progress: progress)
    let learnt = data.removeFirst()
    let tested = test == nil ? ExtractedData() : data.removeLast()
    let judged = data.first ?? ExtractedData()
    var split = DataSplit(unchecked: learnt.examples, judged.examples, tested.examples)
    if case .split(let strategy) = validation {
      let parts = try DataSplit(learnt.examples, strategy: strategy, seed: seed)
      split.training = parts.training
      split.validation = parts.validation
    }
    // Duplicates matter within a source; between sources they are leaks.
    let videos = [learnt, judged, tested].flatMap(\.videos)
    let report = DataReport(
      split: split, videos: videos, findings: [learnt, judged, tested].flatMap(\.findings),
      windowSize: windowSize, frameRate: frameRate)
    return TrainingData(split: split, report: report)
  }
}

extension DataListing {
  /// An example without poses for each label, for checks of the labels alone.
  fileprivate var sketches: [ActionExample] {
    labels.map { ActionExample(label: $0, file: "", videoID: "", timeRange: 0..<1, poses: .init()) }
  }
}
