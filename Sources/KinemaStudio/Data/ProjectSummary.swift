import Foundation
import KinemaAction
package import KinemaCounting
import KinemaFiles
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
  package var media = MediaTable()
}

/// On what a description depends.
private struct SummaryKey: Equatable {
  var project: [FileVersion?]
  var media: [FileName: FileVersion?]
}

/// The last descriptions of a project, which hold while the files are as they were.
final class SummaryCache: Sendable {
  fileprivate struct Entry {
    var key: SummaryKey
    var summary: ProjectSummary
    var hasFindings: Bool
  }

  fileprivate let last = Mutex<Entry?>(nil)
}

extension Project {
  /// Describes the project; headers that are not known are read, no poses.
  ///
  /// - Parameter hasFindings: Whether the data are checked, which takes a second for 100,000 items.
  package func summary(hasFindings: Bool = false) async throws -> ProjectSummary {
    let files = try media()
    let key = SummaryKey(project: try versions, media: files.mapValues { FileVersion($0) })
    var summary: ProjectSummary
    if let last = summaries.last.withLock({ $0 }), last.key == key {
      if last.hasFindings || !hasFindings { return last.summary }
      summary = last.summary
    } else {
      summary = try await newSummary(of: files)
    }
    if hasFindings {
      for (well, found) in try findings(summary) { summary.wells[well]?.findings = found }
    }
    let entry = SummaryCache.Entry(key: key, summary: summary, hasFindings: hasFindings)
    summaries.last.withLock { $0 = entry }
    return summary
  }

  private func newSummary(of files: [FileName: URL]) async throws -> ProjectSummary {
    var summary = ProjectSummary()
    summary.media = MediaTable(
      files: files, headers: try await headers.headers(of: Set(files.values)))
    for well in Well.allCases {
      var described = ProjectSummary.WellSummary()
      var classes: [String: ProjectSummary.Class] = [:]
      for item in try items(in: well) {
        let seconds = summary.media.seconds(of: item) ?? 0
        described.items += 1
        described.seconds += seconds
        classes[item.label, default: .init(item.label)].items += 1
        classes[item.label]?.seconds += seconds
      }
      described.classes = classes.values.sorted { $0.label < $1.label }
      summary.wells[well] = described
    }
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
    for (name, url) in summary.media.files { lengths[url] = summary.media[name.text]?.seconds }
    let added: Set<String> =
      parameters.from != nil && parameters.other != false ? [TransferLearning.otherLabel] : []
    let early = EarlyFindings(
      training: listings[.training] ?? DataListing(),
      validation: listings[.validation] ?? DataListing(),
      test: listings[.testing] ?? DataListing(), windowSize: training.predictionWindowSize,
      frameRate: training.targetFrameRate, addedLabels: added, seconds: { lengths[$0] })
    let illegible = illegibleNames.map {
      Finding(.illegibleName(file: $0), file: $0, severity: .warning)
    }
    return [
      .training: early.training.map(Finding.init) + illegible,
      .validation: early.validation.map(Finding.init),
      .testing: early.test.map(Finding.init),
    ]
  }
}
