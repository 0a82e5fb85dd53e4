package import Foundation
import KinemaAction
import KinemaCoach
package import KinemaCounting

/// The sets of a session: those of challenges, and the others of the prominent person.
///
/// Each repetition that is in the totals belongs to one set: what a challenge counts is taken from the person's
/// own sets, so that what is done in its rests, or instead of what it asks for, stands beside it.
package struct SetLog: Sendable {
  /// A set of a person, by their ids.
  private struct Source: Hashable, Sendable {
    var person: Int
    var set: Int
  }

  private struct Entry: Sendable {
    /// Its times are on the session's clock.
    var set: TrainedSet
    /// Whose set it is; `nil` for one of a challenge.
    var source: Source?
    /// Whether it is counted in repetitions, or timed.
    var kind = LabelKind.counted
    /// From when to when repetitions belong to it.
    var from: TimeInterval
    var until = TimeInterval.infinity
    var forms: [(values: FormValues, cue: String?)] = []
  }

  /// How long one without repetitions lasts at least, in seconds: as long as form is evaluated in.
  static let leastSeconds = 3.0
  /// How long before it counts a repetition may begin, in seconds: the longest that is counted.
  static let longestRepetition = 8.0
  /// The largest number of stored sets; the oldest are dropped.
  package static let maximumCount = 1000

  private var entries: [Entry] = []
  /// The set of the challenge's active item, once something of it is done.
  private var active: Entry?
  /// When the turn of the active item began; `nil` without a challenge.
  private var turnStart: TimeInterval?
  /// What the active item asks for; `nil` without a challenge, and in its rests.
  private var turnLabel: String?
  /// When the last set of a challenge ended.
  private var lastTurnEnd = -TimeInterval.infinity
  /// How many of the challenge's items have ended.
  private var endedCount = 0

  package init() {}

  /// The sets, oldest first, with times from a start.
  package func sets(from start: TimeInterval) -> [TrainedSet] {
    (entries + [active].compactMap(\.self)).filter { entry in
      entry.set.target != nil || entry.set.repetitions > 0
        || entry.set.seconds >= Self.leastSeconds
    }.sorted { $0.set.start < $1.set.start }.map { entry in
      var set = entry.set
      set.form = FormSummary(entry.forms)
      set.start = max(0, set.start - start).rounded(places: 2)
      set.end = max(0, set.end - start).rounded(places: 2)
      set.seconds = set.seconds.rounded(places: 2)
      return set
    }
  }

  // MARK: - Without a challenge

  /// Adds repetitions of a person's set, or how long it has lasted where it has none; the time that a challenge
  /// asks for is the challenge's.
  package mutating func add(
    _ count: Int, of set: ExerciseSet, of person: Int, at time: TimeInterval
  ) {
    guard let label = set.action, count > 0 || label != turnLabel else { return }
    let source = Source(person: person, set: set.id)
    let end = set.kind == .counted ? time : set.end
    // After counting has begun again, ids are those of other sets.
    let last = entries.lastIndex {
      $0.source == source && $0.set.label == label && set.start <= $0.set.end
    }
    guard let last else {
      let start = min(max(set.start, lastTurnEnd), end)
      let entry = TrainedSet(
        label: label, text: ActionPrediction.displayName(of: label), start: start, end: end,
        repetitions: count, seconds: end - start)
      return append(
        Entry(
          set: entry, source: source, kind: set.kind,
          from: max(set.start - Self.longestRepetition, lastTurnEnd)))
    }
    // Another name may be that of something timed.
    entries[last].kind = set.kind
    entries[last].set.repetitions += count
    entries[last].set.end = max(entries[last].set.end, end)
    entries[last].set.seconds = entries[last].set.end - entries[last].set.start
  }

  /// Takes over another name of a person's set.
  package mutating func revise(_ revision: SetRevision, of person: Int) {
    let source = Source(person: person, set: revision.set)
    let index = entries.lastIndex { $0.source == source && $0.set.label == revision.from }
    guard let index else { return }
    entries[index].set.label = revision.to
    entries[index].set.text = ActionPrediction.displayName(of: revision.to)
    // What was measured was measured by the rules of another exercise.
    entries[index].forms = []
    guard let joined = revision.joined else { return }
    let other = Source(person: person, set: joined)
    guard
      let before = entries.lastIndex(where: { $0.source == other && $0.set.label == revision.to })
    else {
      entries[index].source = other
      return
    }
    entries[before].set.repetitions += entries[index].set.repetitions
    entries[before].set.end = max(entries[before].set.end, entries[index].set.end)
    entries[before].set.seconds = entries[before].set.end - entries[before].set.start
    entries.remove(at: index)
  }

  /// Continues the sets of people who have other ids now.
  package mutating func succeed(_ successions: [Int: Int]) {
    guard !successions.isEmpty else { return }
    let new = Dictionary(successions.map { ($1, $0) }) { first, _ in first }
    for index in entries.indices {
      guard let person = entries[index].source?.person else { continue }
      entries[index].source?.person = new[person] ?? person
    }
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
      lastTurnEnd = time
    }
    (active, endedCount) = (nil, 0)
    turnStart = challenge == nil ? nil : time
    turnLabel = challenge?.progress.first?.item.label
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
    case .finished: (turnStart, turnLabel) = (nil, nil)
    case .resting: (turnStart, turnLabel) = (time, nil)
    case .idle, .waiting, .running, .paused:
      let progress = challenge.progress[challenge.index]
      turnLabel = progress.item.label
      update(progress, at: time)
    }
  }

  private mutating func end(_ progress: Challenge.Progress, at time: TimeInterval) {
    update(progress, at: time)
    if var active {
      active.until = time
      append(active)
      lastTurnEnd = time
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
    take(progress.doneRepetitions - entry.set.repetitions, of: item.label, at: time)
    entry.set.repetitions = progress.doneRepetitions
    entry.set.seconds = progress.doneSeconds
    entry.set.target = TrainedSet.Target(
      repetitions: item.repetitions, seconds: item.seconds, set: progress.set, sets: item.sets,
      isDone: progress.state == .done)
    active = entry
  }

  /// Takes repetitions that a challenge counts from the person's own sets, the newest first.
  private mutating func take(_ count: Int, of label: String, at time: TimeInterval) {
    var left = count
    for index in entries.indices.reversed() where left > 0 {
      guard entries[index].source != nil, entries[index].set.label == label else { continue }
      let taken = min(left, entries[index].set.repetitions)
      entries[index].set.repetitions -= taken
      left -= taken
      // Those that are left come after the ones that were taken.
      entries[index].set.end = max(entries[index].set.end, time)
      entries[index].set.start = time
      entries[index].set.seconds = entries[index].set.end - time
    }
    entries.removeAll {
      $0.source != nil && $0.set.label == label && $0.kind == .counted && $0.set.repetitions == 0
    }
  }

  // MARK: - Form

  /// Adds the form of a repetition to the set in which it was done: to one of a challenge by its time, to one of
  /// the person's own by its id, as the next one may begin before the repetition is measured.
  package mutating func add(_ repetition: MeasuredRepetition) {
    let middle = (repetition.start + repetition.end) / 2
    let source = repetition.person.flatMap { person in
      repetition.set.map { Source(person: person, set: $0) }
    }
    func holds(_ entry: Entry) -> Bool {
      guard entry.set.label == repetition.label else { return false }
      if let source, entry.source != nil { return entry.source == source }
      return entry.from <= middle && middle < entry.until
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
