package import Foundation
import KinemaCounting

/// What was done at each moment of a scene, by its final results.
package struct SceneTimeline: Sendable {
  /// What one person does at a moment.
  package struct Moment: Hashable, Sendable {
    /// The prediction of the window with its middle nearest to the moment; `nil` without a
    /// classifier or a visible person.
    package var prediction: ActionPrediction?
    /// How many repetitions are complete: those of the predicted action, or all where nothing is
    /// classified; `nil` where nothing is counted.
    package var count: Int?
    /// Repetitions a minute; `nil` at rest.
    package var tempo: Double?
    /// How much the repetition under way, or the last one, resembles the examples of its action.
    package var likeness: Double?
  }

  private struct Person {
    var predictions: [ActionPrediction] = []
    var stretches: [Range<TimeInterval>] = []
    var repetitions: RepetitionSummary?
  }

  private var persons: [Int?: Person] = [:]

  /// - Parameters:
  ///   - predictions: All of them, each person's in the order of their windows.
  ///   - repetitions: The repetitions of each person.
  ///   - isOfEverybody: Whether each person is analysed for themselves; else all belongs to the one
  ///     prominent person.
  package init(
    predictions: [ActionPrediction], repetitions: [SceneAnalysis.Ending.Repetitions],
    isOfEverybody: Bool
  ) {
    let groups = Dictionary(grouping: predictions) { isOfEverybody ? $0.personID : nil }
    for (id, predictions) in groups {
      persons[id] = Person(
        predictions: predictions, stretches: ActionSummary.stretches(of: predictions))
    }
    for entry in repetitions {
      persons[entry.personID, default: Person()].repetitions = entry.summary
    }
  }

  /// What a person does at a moment; `nil` where nothing is known of them.
  ///
  /// - Parameter id: The person; `nil` for the prominent one, where only that is analysed.
  package func moment(of id: Int?, at time: TimeInterval) -> Moment? {
    guard let person = persons[id] else { return nil }
    var moment = Moment()
    let index = min(
      person.stretches.prefixCount { $0.upperBound <= time }, person.stretches.count - 1)
    if index >= 0, id == nil || person.predictions[index].timeRange.contains(time) {
      moment.prediction = person.predictions[index]
    }
    guard let summary = person.repetitions else { return moment }
    let action = moment.prediction.flatMap { $0.status == .action ? $0.topLabel : nil }
    let isClassified = !person.predictions.isEmpty
    let own = summary.repetitions.lazy.filter { !isClassified || $0.action == action }
    moment.count = isClassified && action == nil ? nil : own.count { $0.end <= time }
    moment.likeness = own.last { $0.start <= time }?.confidence
    let now = summary.moments.prefixCount { $0.time <= time } - 1
    moment.tempo = now >= 0 ? summary.moments[now].period.map { 60 / $0 } : nil
    return moment
  }
}

extension PersonAnalysis {
  /// The person's live results.
  package var moment: SceneTimeline.Moment {
    SceneTimeline.Moment(
      prediction: prediction,
      count: recognizer == nil || prediction?.status == .action ? counter.map { _ in count } : nil,
      tempo: counter?.tempo, likeness: counter?.confidence)
  }
}

extension Array {
  /// The number of elements before the first that fails a condition, which all behind it fail, too.
  fileprivate func prefixCount(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
