import Foundation
import KinemaPose

/// Data prepared for a training: read, checked, extracted and split.
public struct TrainingData: Sendable {
  /// The examples; empty if errors prevent the extraction.
  public var split: DataSplit
  /// The description and findings.
  public var report: DataReport

  /// Prepares data.
  ///
  /// The report has all findings; train only if none is an error. Errors in rows and files are
  /// reported before any video is opened.
  ///
  /// A folder with the folders `train`, `val` and `test` has the three sets; validation and test data
  /// that are given take their place.
  ///
  /// - Parameters:
  ///   - training: The training data.
  ///   - validation: The validation data.
  ///   - test: The test data.
  ///   - windowSize: Frames of the model's window, at least 1.
  ///   - frameRate: The model's frame rate.
  ///   - seed: The seed of the split.
  ///   - transfer: What the training starts from, if anything.
  ///   - extractor: Extracts the poses.
  ///   - progress: Receives progress, one report at a time, on any thread.
  /// - Throws: ``TrainingError`` if data or cache cannot be used or a parameter is out of range,
  ///   ``VisionError`` if a part of vision is missing, `CancellationError`.
  public static func prepare(
    training: ActionClassifierDataSource,
    validation: ValidationData = .split(strategy: .automatic),
    test: ActionClassifierDataSource? = nil, windowSize: Int, frameRate: Double, seed: UInt64 = 0,
    transferring transfer: TransferLearning? = nil,
    extractor: FeatureExtractor = FeatureExtractor(),
    progress: (@Sendable (ExtractionProgress) -> Void)? = nil
  ) async throws -> TrainingData {
    guard windowSize > 0, frameRate > 0, frameRate.isFinite else {
      throw TrainingError(
        .badParameter,
        "A window of \(windowSize) frames at \(frameRate) frames a second is invalid: use numbers "
          + "above 0.")
    }
    let sets = try DataSets(training)
    guard let learned = sets.training else {
      throw TrainingError(
        .badData,
        sets.folders.isEmpty
          ? MessageText("noTrainingRows")
          : MessageText(
            "noTrainingSet", ["names": sets.folders.map(\.path).joined(separator: ", ")]))
    }
    let validated: DataListing? =
      switch validation {
      case .dataSource(let source): try source.listing()
      case .split(strategy: .automatic): sets.validation
      case .split, .none: nil
      }
    let tested = try test?.listing() ?? sets.test
    var listings = [learned] + [validated, tested].compactMap { $0 }
    for index in listings.indices { listings[index].findings += listings[index].overlaps }
    var findings = listings.flatMap(\.findings)
    let labels = Set(listings[0].labels)
    let added = try transfer.map { Set(try $0.labels(addedTo: labels)).subtracting(labels) } ?? []
    if labels.count + added.count < 2, findings.errors.isEmpty {
      let checks = DataChecks(
        windowSize: windowSize, frameRate: frameRate, addedLabels: added)
      let classes = checks.findings(about: DataSplit(unchecked: listings[0].sketches, [], []))
      findings += classes.errors
    }
    guard findings.errors.isEmpty else {
      return TrainingData(
        split: DataSplit(unchecked: [], [], []), report: DataReport(findings: findings))
    }
    var data = try await extractor.extract(listings, progress: progress)
    let training = data.removeFirst()
    let test = tested == nil ? ExtractedData() : data.removeLast()
    let separate = data.first ?? ExtractedData()
    var split = DataSplit(unchecked: training.examples, separate.examples, test.examples)
    if validated == nil, case .split(let strategy) = validation {
      let parts = try DataSplit(training.examples, strategy: strategy, seed: seed)
      split.training = parts.training
      split.validation = parts.validation
    }
    // Duplicates matter within a source; between sources they are leaks.
    let all = [training, separate, test]
    let report = DataReport(
      split: split, videos: all.flatMap(\.videos), findings: all.flatMap(\.findings),
      windowSize: windowSize, frameRate: frameRate, addedLabels: added)
    return TrainingData(split: split, report: report)
  }
}

extension DataListing {
  /// An example without poses for each label, for checks of the labels alone.
  fileprivate var sketches: [ActionExample] {
    labels.map { ActionExample(label: $0, file: "", videoID: "", timeRange: 0..<1, poses: .init()) }
  }
}
