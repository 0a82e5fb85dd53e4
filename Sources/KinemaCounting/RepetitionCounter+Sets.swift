extension RepetitionCounter {
  /// How long a set's exercise is not recognised until the person is at rest, in seconds: longer than one
  /// uncertain window (0.5 s at the built-in model's stride).
  private static let restAfter = 1.5

  /// The count of everything so far; it never falls.
  public var count: Int { timeline.sets.counts.values.reduce(0, +) }

  /// The count of each action so far: that of its ``sets``.
  ///
  /// Where a set is revised, its repetitions are those of its new name from then on.
  public var counts: [String: Int] {
    timeline.sets.counts.reduce(into: [:]) { counts, entry in
      if let action = entry.key { counts[action] = entry.value }
    }
  }

  /// The sets so far, oldest first; one of everything without a classifier.
  public var sets: [ExerciseSet] { timeline.sets.sets }

  /// The set under way; `nil` at rest.
  ///
  /// Without a name yet, its repetitions are not among the ``counts``, and its ``ExerciseSet/id`` is that of the
  /// next set.
  public var currentSet: ExerciseSet? {
    guard let time = stream.lastTime else { return nil }
    if let unnamed, unnamed.repetitions >= 1 {
      return ExerciseSet(
        id: timeline.sets.nextID, action: nil, start: unnamed.start, end: time,
        repetitions: Int(min(unnamed.repetitions, 1e6)))
    }
    guard let last = timeline.sets.last else { return nil }
    let set = timeline.sets[last]
    return time - rules.actionDelay - set.end <= Self.restAfter ? set : nil
  }

  /// Takes the names of sets that are revised by the newest label, and divides the steps by them.
  mutating func takeRevisions() {
    revisions = timeline.sets.takeRevisions()
    guard !revisions.isEmpty else { return }
    let singles = segmenter.singles
    segmenter = RepetitionSegmenter()
    segmenter.singles = singles.filter { bout, range in
      timeline.set(ofBout: bout)?.action.map { isLike($0, range) } ?? true
    }
  }

  /// Notes how many repetitions each set has where all are known.
  mutating func countSets(of summary: RepetitionSummary) {
    for (place, set) in timeline.sets.places {
      let own = summary.repetitions.filter { $0.set == set.id }
      guard let start = own.map(\.start).min(), let end = own.map(\.end).max() else { continue }
      timeline.sets.count(own.count, in: start..<max(start, end), of: place)
    }
  }
}
