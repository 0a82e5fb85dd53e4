package import Foundation
import KinemaCoach

/// The sets of a session: those of challenges, and, without one, repetitions of one action that follow
/// one another.
package struct SetLog: Sendable {
  private struct Entry: Sendable {
    /// Its times are on the session's clock.
    var set: TrainedSet
    /// From when to when repetitions belong to it.
    var from: TimeInterval
    var until = TimeInterval.infinity
    var forms: [(values: FormValues, cue: String?)] = []
  }

  /// The longest pause within a set that no challenge asked for, in seconds.
  static let longestPause = 15.0
  /// The repetitions that such a set needs: a single one is rather a movement that looks like it.
  static let leastRepetitions = 2
  /// How long before it counts a repetition may begin, in seconds: the longest that is counted.
  static let longestRepetition = 8.0
  /// The largest number of stored sets; the oldest are dropped.
  package static let maximumCount = 1000

  private var entries: [Entry] = []
  /// The set of the challenge's active item, once something of it is done.
  private var active: Entry?
  /// When the turn of the active item began; `nil` without a challenge.
  private var turnStart: TimeInterval?
  /// How many of the challenge's items have ended.
  private var endedCount = 0

  package init() {}

  /// The sets, oldest first, with times from a start.
  package func sets(from start: TimeInterval) -> [TrainedSet] {
    (entries + [active].compactMap(\.self)).filter { entry in
      entry.set.target != nil || entry.set.repetitions >= Self.leastRepetitions
    }.map { entry in
      var set = entry.set
      set.form = FormSummary(entry.forms)
      set.start = max(0, set.start - start).rounded(places: 2)
      set.end = max(0, set.end - start).rounded(places: 2)
      set.seconds = set.seconds.rounded(places: 2)
      return set
    }
  }

  // MARK: - Without a challenge

  /// Adds repetitions of an action; those during a challenge are the challenge's.
  package mutating func add(
    _ count: Int, of label: String, text: String, at time: TimeInterval
  ) {
    guard turnStart == nil else { return }
    let last = entries.lastIndex { entry in
      entry.set.target == nil && entry.set.label == label
        && time - entry.set.end <= Self.longestPause
    }
    guard let last else {
      let set = TrainedSet(label: label, text: text, start: time, end: time, repetitions: count)
      return append(Entry(set: set, from: time - Self.longestRepetition))
    }
    entries[last].set.repetitions += count
    entries[last].set.end = time
    entries[last].set.seconds = time - entries[last].set.start
  }

  private mutating func append(_ entry: Entry) {
    entries.append(entry)
    if entries.count > Self.maximumCount { entries.removeFirst() }
  }

  // MARK: - Challenges

  /// Begins a challenge, or none; one that is under way ends as it is.
  package mutating func begin(_ challenge: Challenge?, at time: TimeInterval) {
    if var active {
      active.until = time
      append(active)
    }
    (active, endedCount) = (nil, 0)
    turnStart = challenge == nil ? nil : time
  }

  /// Takes over the progress of the challenge.
  package mutating func follow(_ challenge: Challenge, at time: TimeInterval) {
    guard turnStart != nil else { return }
    while endedCount < challenge.progress.count,
      [.done, .skipped].contains(challenge.progress[endedCount].state)
    {
      end(challenge.progress[endedCount], at: time)
    }
    switch challenge.state {
    case .finished: turnStart = nil
    case .resting: turnStart = time
    case .idle, .waiting, .running, .paused: update(challenge.progress[challenge.index], at: time)
    }
  }

  private mutating func end(_ progress: Challenge.Progress, at time: TimeInterval) {
    update(progress, at: time)
    if var active {
      active.until = time
      append(active)
    }
    active = nil
    endedCount += 1
    turnStart = time
  }

  private mutating func update(_ progress: Challenge.Progress, at time: TimeInterval) {
    guard progress.doneRepetitions > 0 || progress.doneSeconds > 0 else { return }
    let item = progress.item
    var entry =
      active
      ?? Entry(
        set: TrainedSet(
          label: item.label, text: item.text, start: time, end: time, weight: item.weight),
        from: turnStart ?? time)
    if progress.doneRepetitions > entry.set.repetitions || progress.doneSeconds > entry.set.seconds
    {
      entry.set.end = time
    }
    entry.set.repetitions = progress.doneRepetitions
    entry.set.seconds = progress.doneSeconds
    entry.set.target = TrainedSet.Target(
      repetitions: item.repetitions, seconds: item.seconds, set: progress.set, sets: item.sets,
      isDone: progress.state == .done)
    active = entry
  }

  // MARK: - Form

  /// Adds the form of a repetition to the set in which it was done.
  package mutating func add(_ repetition: MeasuredRepetition) {
    let middle = (repetition.start + repetition.end) / 2
    func holds(_ entry: Entry) -> Bool {
      entry.set.label == repetition.label && entry.from <= middle && middle < entry.until
    }
    func change(_ entry: inout Entry) {
      entry.forms.append((repetition.values, repetition.cue))
      entry.set.start = min(entry.set.start, max(entry.from, repetition.start))
      if entry.set.target == nil { entry.set.seconds = entry.set.end - entry.set.start }
    }
    if var entry = active, holds(entry) {
      change(&entry)
      active = entry
    } else if let index = entries.lastIndex(where: holds) {
      change(&entries[index])
    }
  }
}
