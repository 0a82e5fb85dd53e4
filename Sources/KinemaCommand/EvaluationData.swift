import Foundation
import Kinema

enum EvaluationData {
  /// Reads data of any layout and extracts poses; warnings go to standard error; throws
  /// ``TrainingError`` for the first error in the data.
  static func examples(at url: URL, _ arguments: Arguments) async throws -> [ActionExample] {
    let listing = try DataOptions.source(at: url, arguments).listing()
    // Errors of rows and files come before any video is opened.
    try listing.findings.throwFirstError()
    let extractor = FeatureExtractor(configuration: try DataOptions.extraction(arguments))
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
