import KinemaStreams

/// The classifier's probabilities over time, for the likeness of repetitions.
struct ActionLikeness: Sendable {
  private struct Window {
    let range: Range<Double>
    let probabilities: [String: Double]
  }

  /// Actions that are parts of others, as in ``ActionRecognizer/Rules/wholes``.
  private let wholes: [String: String]
  /// The windows in the order of their ends.
  private var windows: [Window] = []
  private var longestWindow = 0.0

  init(wholes: [String: String]) { self.wholes = wholes }

  /// Adds a window's probabilities, if it has any.
  mutating func add(_ evidence: ActionEvidence) {
    let range = evidence.timeRange
    guard !evidence.probabilities.isEmpty, !range.isEmpty,
      range.upperBound >= windows.last?.range.upperBound ?? -.infinity
    else { return }
    windows.append(Window(range: range, probabilities: evidence.probabilities))
    longestWindow = max(longestWindow, range.upperBound - range.lowerBound)
  }

  /// Removes the windows that end before a time.
  mutating func removeWindows(before time: Double) {
    windows.removeAll { $0.range.upperBound < time }
  }

  /// The mean probability of an action and its parts over the windows that overlap a range, each
  /// weighted by its overlap; `nil` where none does.
  func likeness(of action: String, in range: Range<Double>) -> Double? {
    let first = windows.partitioningIndex { $0.range.upperBound > range.lowerBound }
    var (sum, weight) = (0.0, 0.0)
    for window in windows[first...] {
      // Windows are in the order of their ends, so that no later one reaches back.
      guard window.range.upperBound - longestWindow < range.upperBound else { break }
      let overlap = window.range.clamped(to: range)
      let length = overlap.upperBound - overlap.lowerBound
      guard length > 0 else { continue }
      let parts = wholes.reduce(0) { sum, entry in
        entry.value == action ? sum + (window.probabilities[entry.key] ?? 0) : sum
      }
      sum += length * min((window.probabilities[action] ?? 0) + parts, 1)
      weight += length
    }
    return weight > 0 ? sum / weight : nil
  }
}
