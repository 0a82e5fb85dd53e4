import Foundation
import KinemaStreams

/// The classifier's probabilities over time, for the likeness of repetitions and the names of sets.
struct ActionLikeness: Sendable {
  private struct Window {
    let range: Range<Double>
    let probabilities: [String: Double]
  }

  /// Actions that are parts of others, as in ``ActionRecognizer/Rules/wholes``.
  private let wholes: [String: String]
  /// Labels that stand for several, as in ``ActionRecognizer/Rules/groups``.
  let groups: [String: [String]]
  /// The windows in the order of their ends.
  private var windows: [Window] = []
  private var longestWindow = 0.0

  /// The least probability of a label, so that no window rules one out on its own.
  private static let leastProbability = 0.001

  init(wholes: [String: String], groups: [String: [String]] = [:]) {
    (self.wholes, self.groups) = (wholes, groups)
  }

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
      sum += length * probability(of: action, in: window.probabilities)
      weight += length
    }
    return weight > 0 ? sum / weight : nil
  }

  /// How much the windows that end in a range say for one label rather than for another one: the sum of
  /// the logarithms of how many times likelier it is; `nil` where there are none.
  func margin(of label: String, over other: String, in range: ClosedRange<Double>) -> Double? {
    let first = windows.partitioningIndex { $0.range.upperBound >= range.lowerBound }
    let inside = windows[first...].prefix { $0.range.upperBound <= range.upperBound }
    guard !inside.isEmpty else { return nil }
    func logarithm(_ label: String, _ window: Window) -> Double {
      // Without its parts, which are what a set may be confused with.
      log(max(own(label, in: window.probabilities), Self.leastProbability))
    }
    return inside.reduce(0) { $0 + logarithm(label, $1) - logarithm(other, $1) }
  }

  /// The probability of an action and its parts, or of a group of actions.
  private func probability(of label: String, in probabilities: [String: Double]) -> Double {
    let parts = wholes.reduce(0) { sum, entry in
      entry.value == label ? sum + (probabilities[entry.key] ?? 0) : sum
    }
    return min(own(label, in: probabilities) + parts, 1)
  }

  private func own(_ label: String, in probabilities: [String: Double]) -> Double {
    (groups[label] ?? [label]).reduce(0) { $0 + (probabilities[$1] ?? 0) }
  }
}
