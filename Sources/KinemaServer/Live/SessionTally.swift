package import Foundation
import KinemaAction
package import KinemaCounting

/// The prominent person's totals and timeline.
///
/// The time between two frames counts for the action at the first, as in Apple's sample app; gaps
/// do not count.
package struct SessionTally: Sendable {
  package struct Moment: Hashable, Sendable {
    package var label: String
    package var text: String
    package var isModelLabel: Bool
    package var person: Int?

    package init(label: String, text: String, isModelLabel: Bool, person: Int? = nil) {
      (self.label, self.text) = (label, text)
      (self.isModelLabel, self.person) = (isModelLabel, person)
    }

    /// What the newest window says.
    init(_ action: ActionMessage) {
      self.init(
        label: action.label ?? action.text, text: action.text,
        isModelLabel: action.status == .action)
    }

    /// A label of the model.
    init(_ label: String) {
      self.init(
        label: label, text: ActionPrediction.displayName(of: label), isModelLabel: true)
    }
  }

  /// The longest time between two frames that counts, in seconds.
  static let longestGap = 0.5
  /// The largest number of stored stretches; the oldest are dropped.
  package static let maximumStretchCount = 5000
  /// The largest number of stretches in a message, the newest.
  static let sentStretchCount = 300
  /// The largest number of sets in a message, the newest.
  static let sentSetCount = 100
  /// What repetitions are entered under while nothing is classified.
  package static let unlabelled = Moment(
    label: "repetitions", text: "Repetitions", isModelLabel: false)
  /// What the time between sets is entered under.
  static let ready = Moment(label: "ready", text: "Ready", isModelLabel: false)

  private struct Key: Hashable {
    var label: String
    var isModelLabel: Bool
  }

  /// The time of the first frame, on the session's clock.
  private(set) var start: TimeInterval?
  private var last: (time: TimeInterval, moment: Moment?)?
  private var entries: [Key: SummaryEntry] = [:]
  /// The timeline, in seconds from the first frame.
  package private(set) var timeline: [Stretch] = []
  /// The sets, on the session's clock.
  package var sets = SetLog()

  package init() {}

  package mutating func add(_ moment: Moment?, gains: [Moment: Int], at time: TimeInterval) {
    let start = self.start ?? time
    self.start = start
    let isGap = last.map { time - $0.time > Self.longestGap } ?? true
    if let last, !isGap, let shown = last.moment {
      change(shown) { $0.seconds += time - last.time }
      timeline[timeline.count - 1].end = time - start
    }
    if let moment, isGap || moment != last?.moment {
      timeline.append(
        Stretch(
          start: time - start, end: time - start, label: moment.label, text: moment.text,
          isModelLabel: moment.isModelLabel, person: moment.person))
      if timeline.count > Self.maximumStretchCount { timeline.removeFirst() }
    }
    for (gained, count) in gains {
      change(gained) { $0.repetitions += count }
      let stretch = timeline.lastIndex {
        $0.label == gained.label && $0.isModelLabel == gained.isModelLabel
      }
      if let stretch { timeline[stretch].repetitions += count }
    }
    last = (time, moment)
  }

  /// Takes over another name of a set: its repetitions, and what its stretches were called.
  package mutating func revise(_ revision: SetRevision) {
    let (old, new) = (Moment(revision.from), Moment(revision.to))
    var moved = 0
    for index in timeline.indices.reversed() {
      let stretch = timeline[index]
      guard stretch.end + (start ?? 0) >= revision.start else { break }
      guard stretch.isModelLabel, stretch.label == old.label else { continue }
      (timeline[index].label, timeline[index].text) = (new.label, new.text)
      moved += stretch.repetitions
      let (seconds, repetitions) = (stretch.end - stretch.start, stretch.repetitions)
      change(old) {
        ($0.seconds, $0.repetitions) = ($0.seconds - seconds, $0.repetitions - repetitions)
      }
      change(new) {
        ($0.seconds, $0.repetitions) = ($0.seconds + seconds, $0.repetitions + repetitions)
      }
    }
    // The time from the last frame on is that of the new name as well.
    if let shown = last?.moment, shown.isModelLabel, shown.label == old.label {
      last?.moment = Moment(
        label: new.label, text: new.text, isModelLabel: true, person: shown.person)
    }
    // Those that belong to a stretch before the set.
    let rest = revision.repetitions - moved
    change(old) { $0.repetitions -= rest }
    change(new) { $0.repetitions += rest }
    entries = entries.filter { $0.value.repetitions > 0 || $0.value.seconds > 1e-6 }
  }

  package var counts: [String: Int] {
    entries.values.reduce(into: [:]) { $0[$1.label, default: 0] += $1.repetitions }
  }

  /// The time from the first frame to the last, in seconds.
  package var duration: TimeInterval { (last?.time ?? 0) - (start ?? last?.time ?? 0) }

  /// What was done, the longest first.
  package var sortedEntries: [SummaryEntry] {
    entries.values.sorted { ($1.seconds, $0.label) < ($0.seconds, $1.label) }.map { entry in
      var entry = entry
      entry.seconds = entry.seconds.rounded(places: 2)
      return entry
    }
  }

  /// When what was done, in hundredths of a second.
  var roundedTimeline: [Stretch] { Self.rounded(timeline) }

  private static func rounded(_ timeline: some Sequence<Stretch>) -> [Stretch] {
    timeline.map { stretch in
      var stretch = stretch
      stretch.start = stretch.start.rounded(places: 2)
      stretch.end = stretch.end.rounded(places: 2)
      return stretch
    }
  }

  /// The sets, with times in seconds from the first frame.
  package var trainedSets: [TrainedSet] { sets.sets(from: start ?? 0) }

  var message: SummaryMessage {
    SummaryMessage(
      duration: duration.rounded(places: 2), entries: sortedEntries,
      timeline: Self.rounded(timeline.suffix(Self.sentStretchCount)),
      sets: trainedSets.suffix(Self.sentSetCount))
  }

  private mutating func change(
    _ moment: Moment, _ body: (inout SummaryEntry) -> Void
  ) {
    let key = Key(label: moment.label, isModelLabel: moment.isModelLabel)
    let fresh = SummaryEntry(
      label: moment.label, text: moment.text, isModelLabel: moment.isModelLabel, seconds: 0)
    body(&entries[key, default: fresh])
  }
}
