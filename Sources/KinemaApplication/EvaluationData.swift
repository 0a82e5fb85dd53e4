import Foundation
import Kinema
import KinemaStudio

/// Labelled data with their poses.
struct EvaluationData {
  let examples: [ActionExample]
  /// The files of the examples, by the names that the examples give them.
  let urls: [String: URL]
  /// How their frames are read.
  let options: FrameSource.Options

  /// Reads data of any layout and extracts poses; warnings go to standard error; throws
  /// ``TrainingError`` for the first error in the data.
  ///
  /// - Parameter ofHands: Whether the model is one of hands.
  init(
    at url: URL, _ data: DataOptions, _ frames: FrameOptions, ofHands: Bool = false
  ) async throws {
    let project = try DataOptions.project(at: url)
    let well = try [Well.testing, .validation, .training].first {
      try project?.source($0) != nil
    }
    if let project, let well {
      StandardStreams.printMessage("kinema: evaluating the \(well) items of \(project.id)")
    }
    let source = try well.flatMap { try project?.source($0) }
    let sets = try DataSets(source ?? data.source(at: url, ofHands: ofHands))
    let (listing, folder) = sets.evaluated
    if let folder { StandardStreams.printMessage("kinema: evaluating \(folder.path)") }
    // Errors of rows and files come before any video is opened.
    try listing.findings.throwFirstError()
    let extractor = FeatureExtractor(
      configuration: try data.extraction(project, frames, ofHands: ofHands))
    let extracted = try await extractor.extract([listing]) { $0.show() }
    StandardStreams.finishProgress()
    let findings = extracted.flatMap(\.findings)
    for finding in findings where finding.severity == .warning {
      StandardStreams.printMessage("kinema: \(finding.message)")
    }
    try findings.throwFirstError()
    examples = extracted.flatMap(\.examples)
    urls = Dictionary(listing.annotations.map { ($0.file, $0.url) }) { first, _ in first }
    options = try extractor.frameOptions()
  }
}
