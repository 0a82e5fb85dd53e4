package import Foundation
import KinemaAction
package import KinemaCounting
import KinemaTraining
import Synchronization

/// What a project has, for its page.
package struct ProjectSummary: Sendable {
  package struct Class: Codable, Hashable, Sendable {
    package let label: String
    package let kind: LabelKind
    package var items = 0
    package var seconds = 0.0

    package init(_ label: String) { (self.label, kind) = (label, LabelKinds()[label]) }
  }

  package struct WellSummary: Codable, Sendable {
    package var items = 0
    package var seconds = 0.0
    /// By label.
    package var classes: [Class] = []
    /// Errors first.
    package var findings: [Finding] = []

    package init() {}
  }

  package var wells: [Well: WellSummary] = [:]
  /// The headers of the media that are there, by name.
  package var media: [String: MediaHeader] = [:]
  /// Their files.
  package var files: [String: URL] = [:]

  /// The seconds of an item; `nil` where its file is missing or of unknown length.
  package func seconds(of item: ProjectItem) -> Double? {
    let length = media[item.file]?.seconds
    let start = item.start ?? 0
    guard let end = item.end ?? length else { return nil }
    return max(0, min(end, length ?? end) - start)
  }

  /// What is wrong with an item or its file, if anything.
  package func problem(of item: ProjectItem) -> StudioMessage? {
    if let problem = item.problem { return problem }
    guard let header = media[item.file] else { return .fileGone(file: item.file) }
    if let problem = header.problem { return .badData(problem) }
    if let length = header.seconds, let start = item.start, start >= length {
      return .startsAfterEnd(file: item.file)
    }
    return nil
  }
}

/// On what a description depends.
struct SummaryKey: Equatable {
  var project: [FileVersion?]
  var media: [String: FileVersion?]
}

extension Project {
  /// Describes the project; headers that are not known are read, no poses.
  package func summary() async throws -> ProjectSummary {
    let files = try media()
    let key = SummaryKey(project: try versions, media: files.mapValues { FileVersion($0) })
    if let last = lastSummary.withLock({ $0 }), last.key == key { return last.summary }
    let summary = try await newSummary(of: files)
    lastSummary.withLock { $0 = (key, summary) }
    return summary
  }

  private func newSummary(of files: [String: URL]) async throws -> ProjectSummary {
    var summary = ProjectSummary()
    summary.files = files
    let headers = try await headers.headers(of: Set(summary.files.values))
    summary.media = summary.files.compactMapValues { headers[$0] }
    for well in Well.allCases {
      var described = ProjectSummary.WellSummary()
      var classes: [String: ProjectSummary.Class] = [:]
      for item in try items(in: well) {
        let seconds = summary.seconds(of: item) ?? 0
        described.items += 1
        described.seconds += seconds
        classes[item.label, default: .init(item.label)].items += 1
        classes[item.label]?.seconds += seconds
      }
      described.classes = classes.values.sorted { $0.label < $1.label }
      summary.wells[well] = described
    }
    let findings = try findings(summary)
    for (well, found) in findings { summary.wells[well]?.findings = found }
    return summary
  }

  private func findings(_ summary: ProjectSummary) throws -> [Well: [Finding]] {
    var listings: [Well: DataListing] = [:]
    for well in [Well.training, .validation, .testing] {
      do {
        listings[well] = try source(well)?.listing() ?? DataListing()
      } catch let error as TrainingError {
        listings[well] = DataListing(findings: [
          DataFinding(.error, .badAnnotation, error.message, text: error.text)
        ])
      }
    }
    let parameters = try description.parameters
    let training = try parameters.training()
    var lengths: [URL: Double] = [:]
    for (name, url) in summary.files { lengths[url] = summary.media[name]?.seconds }
    let added: Set<String> =
      parameters.from != nil && parameters.other != false ? [TransferLearning.otherLabel] : []
    let early = EarlyFindings(
      training: listings[.training] ?? DataListing(),
      validation: listings[.validation] ?? DataListing(),
      test: listings[.testing] ?? DataListing(), windowSize: training.predictionWindowSize,
      frameRate: training.targetFrameRate, addedLabels: added, seconds: { lengths[$0] })
    return [
      .training: early.training.map(Finding.init), .validation: early.validation.map(Finding.init),
      .testing: early.test.map(Finding.init),
    ]
  }
}
