import Foundation
import Kinema
import KinemaFiles
import Synchronization

/// How the result of a command without rows is printed.
enum ResultFormat: String, CaseIterable, OptionValue {
  case table, json

  static let help = "What to print:"
}

enum ReportFormat: String, CaseIterable, OptionValue {
  case table, json, jsonl, csv

  static let help =
    "table (default), json, jsonl or csv; jsonl and csv print a stream as it happens."
}

/// What a command prints of each input.
protocol SceneReport: FileReport, Sendable {
  var table: String { get }
  /// A row for each result.
  var csv: String { get }
}

final class ReportOutput<Report: SceneReport>: Sendable {
  let format: ReportFormat
  private let stored = Mutex<[Report]>([])
  private let keepsAll: Bool

  /// - Parameter keepsAll: Whether all reports are stored for another use.
  init(_ format: ReportFormat, csvHeader: String, keepsAll: Bool = false) {
    self.format = format
    self.keepsAll = keepsAll
    if format == .csv { StandardStreams.print(csvHeader) }
  }

  var reports: [Report] { stored.withLock { $0 } }

  /// Prints a report; those in JSON are printed together at the end.
  func add(_ report: Report) throws {
    switch format {
    case .table: StandardStreams.print(report.table)
    case .csv: StandardStreams.print(report.csv)
    case .jsonl: try addLine(report)
    case .json: break
    }
    if format == .json || keepsAll { stored.withLock { $0.append(report) } }
  }

  func addLine(_ line: some FileReport) throws {
    StandardStreams.print(try line.json.jsonText(isPretty: false))
  }

  /// - Parameter inputCount: How many inputs there were, of which some may have no report.
  func finish(inputCount: Int) throws {
    guard format == .json else { return }
    StandardStreams.print(try Report.text(of: reports, inputCount: inputCount))
  }
}
