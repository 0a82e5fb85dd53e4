import Foundation
import KinemaFiles
import KinemaReport
import Synchronization

/// How `kinema extract` reports its progress.
enum ExtractionProgressKind: String, CaseIterable, OptionValue {
  /// A bar on a terminal, lines elsewhere.
  case auto
  case bar, lines, json, none
}

/// The progress of an extraction, with its rate and the time left.
final class ExtractionReport: Sendable {
  /// The time from one line to the next, for logs.
  private static let interval = Duration.seconds(10)

  private let kind: ExtractionProgressKind
  private let start = ContinuousClock.now
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  init(_ kind: ExtractionProgressKind) {
    self.kind =
      kind == .auto ? (StandardStreams.errorIsTerminal ? .bar : .lines) : kind
  }

  /// Shows how many videos are done; lines at most every ten seconds, and at the end.
  func show(_ done: Int, of total: Int) {
    guard kind != .none, done > 0 else { return }
    let now = ContinuousClock.now
    let seconds = (now - start) / .seconds(1)
    let rate = Double(done) / max(seconds, 1e-6)
    let left = Double(total - done) / rate
    let share = Double(done) / Double(total)
    let figures = [
      "\(rate.fixed(2)) videos a second", "\(ProgressBar.clock(left)) left",
    ]
    if kind == .bar {
      return StandardStreams.showProgress(
        ProgressBar.line(
          "\(done) of \(total) videos", share: share, figures, columns: StandardStreams.columns))
    }
    let isDue = last.withLock { last in
      if let time = last, now - time < Self.interval, done < total { return false }
      last = now
      return true
    }
    guard isDue else { return }
    guard kind == .json else {
      return StandardStreams.printMessage(
        "kinema: \(done) of \(total) videos, \(figures.joined(separator: ", "))")
    }
    let object: JSONObject = [
      "done": done, "total": total, "rate": rate, "secondsLeft": left,
    ]
    // Numbers that are finite are always written.
    guard let line = try? object.jsonText(isPretty: false) else { return }
    StandardStreams.printMessage(String(decoding: line.dropLast(), as: UTF8.self))
  }
}
