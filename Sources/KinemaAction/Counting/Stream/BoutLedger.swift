/// Keeps the running count of each bout and of each action, as it is shown live: no count ever falls,
/// and that of an action rises only while the classifier tells it.
struct BoutLedger: Sendable {
  /// What is added to the phase before it is cut to a whole number, live: a repetition is shown
  /// shortly before it ends, and what moves a little now and then is not.
  static let liveRounding = 0.25

  /// Something done without another action in between.
  private struct Bout {
    /// How many repetitions its final steps have.
    var repetitions = 0.0
    /// Its first repetition, where that was found before it could be told by its rhythm.
    var first: Range<Double>?
  }

  private var bouts: [Bout] = []
  /// How many of the stream's final steps are in ``bouts``.
  private var bookedCount = 0
  private var shown: [String?: Int] = [:]

  /// The count of each action so far; that of `nil` where no classifier runs.
  var counts: [String?: Int] { shown }

  /// The first repetition of a bout, where it was found by itself.
  func first(ofBout bout: Int) -> Range<Double>? {
    bouts.indices.contains(bout) ? bouts[bout].first : nil
  }

  /// How many repetitions were done so far, with the fraction of the one under way.
  func fractionalCount(_ timeline: ActionTimeline, _ stream: CountingStream) -> Double {
    let provisional = Self.provisional(timeline, stream)
    return bouts.indices.reduce(0) { $0 + total(ofBout: $1, provisional) }
  }

  /// Brings the counts up to date.
  ///
  /// - Parameters:
  ///   - timeline: What the classifier said.
  ///   - stream: The movement so far.
  ///   - history: The person's frames, in which the first repetition of a bout is looked for.
  ///   - reach: How far before a label its window begins, in seconds.
  ///   - isLike: Whether a stretch of time resembles an action enough to be a repetition of it.
  mutating func book(
    _ timeline: ActionTimeline, _ stream: CountingStream, history: [MotionSample], reach: Double,
    isLike: (String, Range<Double>) -> Bool
  ) {
    while bouts.count < timeline.boutCount { bouts.append(Bout()) }
    for step in stream.committed[bookedCount...] {
      if let bout = timeline.bout(at: step.time) { bouts[bout].repetitions += step.repetitions }
    }
    bookedCount = stream.committed.count
    let provisional = Self.provisional(timeline, stream)
    guard let current = timeline.currentBout else { return }
    let action = timeline.action(ofBout: current)
    if let action, bouts[current].first == nil, total(ofBout: current, provisional) < 1 {
      let start = timeline.start(ofBout: current) - reach
      // What counted for the bout before counts once.
      let before = current > 0 ? bouts[current - 1].first?.upperBound : nil
      let found = FirstRepetition.find(in: history, since: max(start, before ?? start))
      bouts[current].first = found.flatMap { isLike(action, $0) ? $0 : nil }
    }
    let sum = bouts.indices.reduce(0) {
      timeline.action(ofBout: $1) == action ? $0 + total(ofBout: $1, provisional) : $0
    }
    shown[action] = max(shown[action] ?? 0, Int(sum + Self.liveRounding))
  }

  /// Whether the bout that is going on has no repetition yet.
  func isWaiting(_ timeline: ActionTimeline) -> Bool {
    guard let bout = timeline.currentBout, let action = timeline.action(ofBout: bout) else {
      return false
    }
    return shown[action] ?? 0 == 0 || bout >= bouts.count
      || bouts[bout].first == nil && bouts[bout].repetitions < 1
  }

  /// How much each bout has of the steps that are not final.
  private static func provisional(
    _ timeline: ActionTimeline, _ stream: CountingStream
  ) -> [Int: Double] {
    var sums: [Int: Double] = [:]
    for step in stream.provisional {
      if let bout = timeline.bout(at: step.time) { sums[bout, default: 0] += step.repetitions }
    }
    return sums
  }

  private func total(ofBout bout: Int, _ provisional: [Int: Double]) -> Double {
    let sum = bouts[bout].repetitions + (provisional[bout] ?? 0)
    return bouts[bout].first == nil ? sum : max(sum, 1)
  }
}
