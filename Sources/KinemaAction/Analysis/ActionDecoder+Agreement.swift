import Foundation

extension ActionDecoder {
  /// The probabilities in which an exercise has what its course and its windows agree on.
  ///
  /// That is their geometric mean, in which the windows have ``Rules/windowShare``; what they disagree on goes to
  /// no label. The course is confident of a name as soon as a few windows incline to it, and in a stream it stays with
  /// the name for some windows after what it shows has ended. What is no exercise keeps the probability by the
  /// course, as windows divide it among the labels by chance.
  ///
  /// - Parameters:
  ///   - course: The probability of each label by the course.
  ///   - window: The network's output, in the order of the labels.
  func agreement(of course: [Double], _ window: [Double]) -> [Double] {
    guard let share = rules.windowShare, share > 0 else { return course }
    return course.indices.map { agreement(of: course[$0], on: $0, evidence($0, in: window), share) }
  }

  /// What a stream reads of a window: the geometric mean of its network's output and of that for its newest half.
  ///
  /// In a stream that runs, a window is full of what was done before until two seconds of the new have passed; its
  /// half shows the new sooner, with less confidence. What they disagree on goes to no label.
  ///
  /// - Parameters:
  ///   - window: The network's output, in the order of the labels.
  ///   - recent: That for the newest half of the window; `nil` where there is none.
  func evidence(of window: [Double], recent: [Double]?) -> [Double] {
    guard let recent, readsRecent, let share = rules.recentShare else { return window }
    return zip(window, recent).map {
      pow(max($0, Self.leastOfWindow), 1 - share) * pow(max($1, Self.leastOfWindow), share)
    }
  }

  /// Whether a stream reads the newest half of its windows as well.
  var readsRecent: Bool { rules.recentShare.map { $0 > 0 } ?? false }

  private func agreement(
    of course: Double, on label: Int, _ window: Double, _ share: Double
  ) -> Double {
    if others.contains(label) { return course }
    return pow(course, 1 - share) * pow(max(window, Self.leastOfWindow), share)
  }

  /// What a window gives to a label; a part of an action speaks for the whole as well.
  private func evidence(_ label: Int, in window: [Double]) -> Double {
    wholes.reduce(window[label]) { $1.value == label ? $0 + window[$1.key] : $0 }
  }

  /// What a window gives to a label at least, so that none is ruled out by one window.
  private static let leastOfWindow = 1e-4

  /// The probabilities of a whole video by which its windows are named.
  ///
  /// In a stretch of an exercise, all are as much smaller as its course is more confident than the median of its
  /// windows. So a stretch is named as a whole or not at all, and its likeliest label stays.
  func agreement(ofStretches course: [[Double]], _ windows: [[Double]]) -> [[Double]] {
    guard let share = rules.windowShare, share > 0 else { return course }
    return StretchDoubt.stretches(of: course).flatMap { label, range in
      let median = windows[range].map { evidence(label, in: $0) }.sorted()[range.count / 2]
      return course[range].map { course in
        guard course[label] > 0 else { return course }
        let scale = min(1, agreement(of: course[label], on: label, median, share) / course[label])
        return course.map { $0 * scale }
      }
    }
  }
}
