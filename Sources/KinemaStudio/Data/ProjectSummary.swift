import Foundation
import KinemaAction
package import KinemaCounting
import KinemaFiles
import KinemaStreams
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
  /// Whether the findings are those of an earlier state, and the present one is being checked.
  package var isChecking = false
}

/// On what a description depends.
private struct SummaryKey: Equatable {
  var project: [FileVersion?]
  var media: [FileName: FileVersion?]
}

/// The last descriptions of a project, which hold while the files are as they were.
final class SummaryCache: Sendable {
  fileprivate struct State {
    var last: (key: SummaryKey, summary: ProjectSummary)?
    var checked: (key: SummaryKey, findings: Result<[Well: [Finding]], any Error>)?
    var isChecking = false
  }

  fileprivate let state = Mutex(State())
}

extension Project {
  /// Up to how many items the data are checked while the caller waits.
  private static let waitedItemCount = 2000

  /// Describes the project; headers that are not known are read, no poses.
  ///
  /// - Parameter hasFindings: Whether the data are checked. Of more than 2000 items, which takes seconds,
  ///   the findings are the last ones, and the check goes on in the background.
  package func summary(hasFindings: Bool = false) async throws -> ProjectSummary {
    let files = try media()
    let key = SummaryKey(project: try versions, media: files.mapValues { FileVersion($0) })
    var summary: ProjectSummary
    if let last = summaries.state.withLock({ $0.last }), last.key == key {
      summary = last.summary
    } else {
      summary = try await newSummary(of: files)
      summaries.state.withLock { [summary] in $0.last = (key, summary) }
    }
    guard hasFindings else { return summary }
    var checked = summaries.state.withLock { $0.checked }
    if checked?.key != key {
      summary.isChecking =
        summary.wells.values.reduce(0) { $0 + $1.items } > Self.waitedItemCount
      if summary.isChecking {
        checkInBackground(summary, key)
        // A check that failed is reported for the state that it was of.
        if case .failure = checked?.findings { checked = nil }
      } else {
        checked = check(summary, key)
      }
    }
    do {
      for (well, found) in try checked?.findings.get() ?? [:] {
        summary.wells[well]?.findings = found
      }
    } catch {
      // The next request tries again.
      summaries.state.withLock { $0.checked = nil }
      throw error
    }
    return summary
  }

  /// Checks the data, unless a check is under way.
  private func checkInBackground(_ summary: ProjectSummary, _ key: SummaryKey) {
    let isFirst = summaries.state.withLock { state in
      defer { state.isChecking = true }
      return !state.isChecking
    }
    guard isFirst else { return }
    Task(executorPreference: BlockingTasks.threads, priority: .utility) {
      _ = self.check(summary, key)
      self.summaries.state.withLock { $0.isChecking = false }
    }
  }

  private func check(
    _ summary: ProjectSummary, _ key: SummaryKey
  ) -> (key: SummaryKey, findings: Result<[Well: [Finding]], any Error>) {
    let checked = (key, Result { try findings(summary) })
    summaries.state.withLock { $0.checked = checked }
    return checked
  }

  private func newSummary(of files: [FileName: URL]) async throws -> ProjectSummary {
    var summary = ProjectSummary()
    summary.media = MediaTable(
      files: files, headers: try await headers.headers(of: Set(files.values)))
    for well in Well.allCases {
      var described = ProjectSummary.WellSummary()
      var places: [String: Int] = [:]
      for item in try items(in: well) {
        let seconds = summary.media.seconds(of: item) ?? 0
        described.items += 1
        described.seconds += seconds
        let place = places[item.label] ?? described.classes.count
        if place == described.classes.count {
          places[item.label] = place
          described.classes.append(.init(item.label))
        }
        described.classes[place].items += 1
        described.classes[place].seconds += seconds
      }
      described.classes.sort { $0.label < $1.label }
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
    let illegible = try illegibleNames.map {
      Finding(.illegibleName(file: $0), file: $0, severity: .warning)
    }
    return [
      .training: Finding.list(early.training) + illegible,
      .validation: Finding.list(early.validation),
      .testing: Finding.list(early.test),
    ]
  }
}
