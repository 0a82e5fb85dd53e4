package import Foundation
import KinemaAction
package import KinemaCounting
import KinemaTraining

/// A report of counted repetitions as one page: it opens without a network and runs no scripts.
///
/// For each clip it shows how periodic the movement is and how fast over time, each repetition as a
/// band, and, where true counts are known, how far the counts are off.
package struct CountPage: Sendable, WritablePage {
  package struct Clip: Sendable {
    package var name: String
    /// The times of the first and the last frame in seconds, if any.
    package var timeRange: ClosedRange<TimeInterval>?
    package var summary: RepetitionSummary
    package var label: String?
    package var trueCount: Int?

    package init(
      name: String, timeRange: ClosedRange<TimeInterval>?, summary: RepetitionSummary,
      label: String? = nil, trueCount: Int? = nil
    ) {
      self.name = name
      self.timeRange = timeRange
      self.summary = summary
      self.label = label
      self.trueCount = trueCount
    }

    /// The error of the count; 0 if the truth is unknown.
    var error: Int { trueCount.map { summary.count - $0 } ?? 0 }
    /// How long the clip is, in seconds.
    var duration: TimeInterval { timeRange.map { $0.upperBound - $0.lowerBound } ?? 0 }
  }

  package let clips: [Clip]
  package let dataName: String

  /// How many clips are drawn; of more, those that are off most.
  static let clipLimit = 120

  package init(_ clips: [Clip], dataName: String) {
    self.clips = clips
    self.dataName = dataName
  }

  package var html: String {
    Page.html(
      title: "Repetitions in \(dataName)", style: Self.style,
      content: """
        \(header)
        \(headlines)
        \(labels)
        \(errors)
        \(timelines)
        \(footer)
        """)
  }

  /// The clips of which the truth is known, as an evaluation.
  var evaluation: CountEvaluation {
    CountEvaluation(
      items: clips.compactMap { clip in
        clip.trueCount.map {
          .init(
            entry: .init(file: clip.name, label: clip.label ?? "", count: $0),
            counted: clip.summary.count)
        }
      })
  }

  /// What is counted, each action once, in the order of the alphabet; empty without a classifier.
  var actions: [String] {
    Set(clips.flatMap { $0.summary.repetitions.compactMap(\.action) }).sorted()
  }

  // MARK: - Top and bottom

  private var header: HTML {
    let seconds = clips.reduce(0) { $0 + $1.duration }
    return """
      <header>
      <p class="kicker">Repetitions, counted</p>
      <h1>\(dataName)</h1>
      <p class="sub">\(clips.count.counted("file")), \(HTML.clock(seconds)) min</p>
      </header>
      """
  }

  private var headlines: HTML {
    let repetitions = clips.flatMap(\.summary.repetitions)
    let attempts = clips.reduce(0) { $0 + $1.summary.attemptCount }
    var tiles: [(name: String, figure: String, note: String)] = []
    let evaluation = evaluation
    if !evaluation.items.isEmpty {
      let figures = evaluation.overall
      let files = figures.support.counted("file")
      let truth = evaluation.items.reduce(0) { $0 + $1.entry.count }
      tiles = [
        ("Off by one at most", HTML.percent(figures.offByOne), "of \(files): OBO"),
        ("Exact", HTML.percent(figures.exact), "of \(files)"),
        ("MAE", HTML.fixed(figures.meanAbsoluteError, 3), "mean of |counted − true| / true"),
        ("RMSE", HTML.fixed(figures.rootMeanSquareError, 2), "repetitions"),
        ("Repetitions", "\(repetitions.count)", "counted; there are \(truth)"),
      ]
    } else {
      let tempo = RepetitionSummary(repetitions: repetitions).tempo
      tiles = [
        ("Repetitions", "\(repetitions.count)", attempts > 0 ? "attempts among them" : "counted"),
        ("Tempo", tempo.map { HTML.fixed($0, 0) } ?? "–", "a minute, in the median"),
      ]
    }
    tiles.append(("Attempts", "\(attempts)", "of small range"))
    for action in actions.prefix(6) {
      let count = repetitions.count { $0.action == action }
      tiles.append((action, "\(count)", "repetitions"))
    }
    return Page.tiles(tiles)
  }

  private var footer: HTML {
    """
    <footer><p>A movement counts where its periodicity is above \(HTML.percent(0.5)) and where it is \
    large enough; the count is the sum of 1 / period. Range is in body sizes. Made by \
    Kinema.</p></footer>
    """
  }
}
