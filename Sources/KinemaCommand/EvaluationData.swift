import Foundation
import Kinema
import KinemaStudio

enum EvaluationData {
  /// Reads data of any layout and extracts poses; warnings go to standard error; throws
  /// ``TrainingError`` for the first error in the data.
  static func examples(at url: URL, _ arguments: Arguments) async throws -> [ActionExample] {
    let project = try DataOptions.project(at: url)
    let well = try [Well.testing, .validation, .training].first {
      try project?.source($0) != nil
    }
    if let project, let well {
      StandardStreams.printMessage("kinema: evaluating the \(well) items of \(project.id)")
    }
    let source = try well.flatMap { try project?.source($0) }
    let listing = try (source ?? DataOptions.source(at: url, arguments)).listing()
    // Errors of rows and files come before any video is opened.
    try listing.findings.throwFirstError()
    let extractor = FeatureExtractor(configuration: try DataOptions.extraction(arguments, project))
    let extracted = try await extractor.extract([listing]) {
      StandardStreams.showProgress($0.line)
    }
    StandardStreams.finishProgress()
    guard let data = extracted.first else { return [] }
    for finding in data.findings where finding.severity == .warning {
      StandardStreams.printMessage("kinema: \(finding.message)")
    }
    try data.findings.throwFirstError()
    return data.examples
  }
}
