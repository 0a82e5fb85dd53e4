package import Foundation

/// How long each action was done.
///
/// Every window counts the same, as in Apple's sample app, and the times add up to the time that
/// windows cover. (Were the first and the last window to count for all the time up to the edges,
/// what is done while a person steps in and out would outweigh the exercise in short clips.) Where no
/// window is, because the person is away or frames are missing, nothing is done.
package struct ActionSummary: Hashable, Sendable {
  /// The time of one label.
  package struct Entry: Hashable, Sendable {
    /// The label of the action, or the text that stands for the lack of one.
    package let label: String
    package let isModelLabel: Bool
    /// The time in seconds.
    package let duration: TimeInterval
  }

  /// The times of all labels that occurred, longest first.
  package let entries: [Entry]

  /// Sums up the predictions for one person, in the order of their windows.
  package init(of predictions: [ActionPrediction]) { self.init(ofEach: [predictions]) }

  /// Sums up the predictions for several people or hands, each in the order of their windows.
  package init(ofEach groups: [[ActionPrediction]]) {
    var durations: [String: TimeInterval] = [:]
    var modelLabels: Set<String> = []
    for predictions in groups.flatMap(Self.runs) {
      let start = predictions.first?.visibleRange.lowerBound ?? 0
      let end = predictions.last?.visibleRange.upperBound ?? 0
      let share = (end - start) / Double(max(1, predictions.count))
      for prediction in predictions {
        // A label of the model may read like a state, so they have different keys.
        let key = (prediction.isModelLabel ? "+" : "-") + prediction.label
        durations[key, default: 0] += share
        if prediction.isModelLabel { modelLabels.insert(key) }
      }
    }
    entries = durations.map { key, duration in
      Entry(
        label: String(key.dropFirst()), isModelLabel: modelLabels.contains(key), duration: duration)
    }.sorted { ($1.duration, $0.label) < ($0.duration, $1.label) }
  }

  /// The model's label with most time; `nil` if no action was recognised.
  package var topLabel: String? { entries.first(where: \.isModelLabel)?.label }

  /// Windows after one another, divided where one begins after the one before has ended.
  private static func runs(of predictions: [ActionPrediction]) -> [[ActionPrediction]] {
    var runs: [[ActionPrediction]] = []
    for prediction in predictions {
      if let end = runs.last?.last?.timeRange.upperBound,
        prediction.timeRange.lowerBound <= end + Self.tolerance
      {
        runs[runs.count - 1].append(prediction)
      } else {
        runs.append([prediction])
      }
    }
    return runs
  }

  /// The time between two windows, in seconds, that is rounding and no hole.
  private static let tolerance = 1e-3

  /// For each window the range of time nearest to its middle; the ranges cover the windows without
  /// overlap, and hold no time without one, nor any before or after the person is in view.
  package static func stretches(of predictions: [ActionPrediction]) -> [Range<TimeInterval>] {
    runs(of: predictions).flatMap(stretchesOfRun)
  }

  private static func stretchesOfRun(
    _ predictions: [ActionPrediction]
  ) -> [Range<TimeInterval>] {
    let middles = predictions.map { ($0.timeRange.lowerBound + $0.timeRange.upperBound) / 2 }
    return predictions.indices.map { index in
      let isFirst = index == predictions.startIndex
      let isLast = index == predictions.endIndex - 1
      let start =
        isFirst
        ? predictions[index].visibleRange.lowerBound : (middles[index - 1] + middles[index]) / 2
      let end =
        isLast
        ? predictions[index].visibleRange.upperBound : (middles[index] + middles[index + 1]) / 2
      return start..<max(start, end)
    }
  }
}
