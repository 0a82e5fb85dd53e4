import Foundation

/// How much the windows of a stretch doubt the label that their course gives them.
///
/// The course is decided early: a few windows that agree leave the other labels next to nothing. What
/// each window holds likely on its own says more about how often the label is right. Their mean over the
/// windows of one label, mixed with the course, decides whether a group of labels is named beside it.
package struct StretchDoubt: Sendable {
  /// The thresholds, chosen by the train clips of `Workout` (docs/models/workout.md).
  package struct Rules: Hashable, Codable, Sendable {
    /// The weight of the windows' own mean in the mix, from 0 to 1; the course has the rest.
    var windowShare = 0.4
    /// The probability from which on a label needs no group, and a group is confident.
    var leastConfidence = 0.9
    /// The least probability of a label before mixing, so that neither rules it out on its own.
    var leastProbability = 0.001

    package init() {}
  }

  private struct Group: Sendable {
    let name: String
    let members: [Int]
  }

  private let rules: Rules
  private let groups: [Group]

  /// `nil` for a model without broad groups.
  package init?(labels: [String], recognition: ActionRecognizer.Rules, rules: Rules = Rules()) {
    guard let broad = recognition.broadGroups else { return nil }
    self.rules = rules
    let all = (recognition.groups ?? [:]).merging(broad) { narrow, _ in narrow }
    groups = all.map { name, members in
      Group(name: name, members: labels.indices.filter { members.contains(labels[$0]) })
    }
  }

  /// The group of each window's label that is named beside it; `nil` where the label is confident, or no
  /// group is.
  ///
  /// - Parameters:
  ///   - windows: The network's output for each window, in the order of the labels.
  ///   - course: The probability of each label by the course of all windows.
  package func groups(of windows: [[Double]], inCourse course: [[Double]]) -> [String?] {
    Self.stretches(of: course).flatMap { label, range in
      let mean = windows[range.lowerBound].indices.map { label in
        windows[range].reduce(0) { $0 + $1[label] } / Double(range.count)
      }
      return course[range].map { group(of: label, mixed($0, mean)) }
    }
  }

  /// The runs of windows that have the same likeliest label by their course, in their order.
  static func stretches(of course: [[Double]]) -> [(label: Int, windows: Range<Int>)] {
    let tops = course.map { values in values.indices.max { values[$0] < values[$1] } ?? 0 }
    var stretches: [(label: Int, windows: Range<Int>)] = []
    while let start = stretches.last?.windows.upperBound ?? tops.indices.first, start < tops.count {
      let end = tops[start...].firstIndex { $0 != tops[start] } ?? tops.count
      stretches.append((tops[start], start..<end))
    }
    return stretches
  }

  // MARK: - Streams

  /// The windows so far of a stretch that goes on.
  package struct Stretch: Sendable {
    fileprivate let label: Int
    fileprivate var sums: [Double]
    fileprivate var count = 0.0
  }

  /// The group that is named beside the label of a stream's newest window, by its stretch up to now; `nil`
  /// where the label is confident, or no group is.
  ///
  /// - Parameters:
  ///   - label: The label's place.
  ///   - window: The network's output, in the order of the labels.
  ///   - course: The probability of each label by the windows so far.
  ///   - stretch: The windows before; those of another label are forgotten.
  package func group(
    beside label: Int, _ window: [Double], inCourse course: [Double], after stretch: inout Stretch?
  ) -> String? {
    var own =
      stretch.flatMap { $0.label == label ? $0 : nil }
      ?? Stretch(label: label, sums: window.map { _ in 0 })
    own.sums = zip(own.sums, window).map { $0 + $1 }
    own.count += 1
    stretch = own
    return group(of: label, mixed(course, own.sums.map { $0 / own.count }))
  }

  private func mixed(_ course: [Double], _ windows: [Double]) -> [Double] {
    let values = zip(course, windows).map { course, window in
      pow(max(course, rules.leastProbability), 1 - rules.windowShare)
        * pow(max(window, rules.leastProbability), rules.windowShare)
    }
    let sum = values.reduce(0, +)
    return values.map { $0 / sum }
  }

  private func group(of label: Int, _ probabilities: [Double]) -> String? {
    guard probabilities[label] < rules.leastConfidence else { return nil }
    return groups.filter { $0.members.contains(label) }
      .map { ($0, $0.members.reduce(0) { $0 + probabilities[$1] }) }
      .filter { $0.1 >= rules.leastConfidence }
      .min { ($0.0.members.count, $1.1, $0.0.name) < ($1.0.members.count, $0.1, $1.0.name) }?
      .0.name
  }
}
