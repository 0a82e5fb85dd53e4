/// Puts the repetitions of a whole stretch together: cuts what repeats itself, gives each repetition
/// to an action, and leaves out what is none.
struct RepetitionAssembly {
  let steps: [CountingStep]
  let samples: [MotionSample]
  let timeline: ActionTimeline
  let likeness: ActionLikeness
  let ledger: BoutLedger
  let attemptShare: Double

  /// The share of a repetition that must be told as an action for it to be one of it, where the
  /// classifier cannot tell of the rest.
  static let leastShare = 0.25

  /// The repetitions, oldest first.
  var repetitions: [Repetition] {
    let owners = steps.map { timeline.owner(at: $0.time) }
    let cutter = RepetitionCutter(steps: steps, samples: samples)
    var sets: [[Repetition]] = []
    var carried: [String?: Double] = [:]
    for piece in Self.pieces(CountingStep.activeRuns(in: steps), owners) {
      let action = timeline.action(ofBout: piece.bout)
      let earliest = sets.last?.last?.end ?? -.infinity
      let cut = cutter.repetitions(
        in: piece.steps, carried: &carried[action, default: 0], earliest: earliest)
      let own = cut.filter { isOwn($0, of: action, owners) }.map { repetition in
        var repetition = repetition
        repetition.action = action
        return repetition
      }
      if !own.isEmpty { sets.append(own) }
    }
    sets = RepetitionJudge.withoutPartial(sets, attemptShare: attemptShare)
    var repetitions = sets.flatMap { $0 }
    repetitions += firsts(beside: repetitions, cutter)
    repetitions.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    for index in repetitions.indices {
      let range = repetitions[index].start..<max(repetitions[index].start, repetitions[index].end)
      repetitions[index].confidence =
        repetitions[index].action.flatMap { likeness.likeness(of: $0, in: range) }
        ?? timeline.confidence(in: range)
    }
    return RepetitionJudge.markAttempts(in: repetitions, share: attemptShare)
  }

  /// Cuts stretches of repeating movement where one action follows another.
  ///
  /// What does not count, or cannot be told, cuts nothing: where a label begins is known less well
  /// than where a repetition does.
  private static func pieces(
    _ runs: [Range<Int>], _ owners: [ActionTimeline.Owner]
  ) -> [(bout: Int, steps: Range<Int>)] {
    var pieces: [(bout: Int, steps: Range<Int>)] = []
    for run in runs {
      var (start, lastOwned) = (run.lowerBound, run.lowerBound)
      var current: Int?
      for index in run {
        guard case .bout(let bout) = owners[index] else { continue }
        if let before = current, before != bout {
          let cut = (lastOwned + 1 + index) / 2
          pieces.append((before, start..<cut))
          start = cut
        }
        (current, lastOwned) = (bout, index)
      }
      if let current { pieces.append((current, start..<run.upperBound)) }
    }
    return pieces
  }

  /// Whether the classifier calls a repetition by an action for the greater part of what it can tell.
  private func isOwn(
    _ repetition: Repetition, of action: String?, _ owners: [ActionTimeline.Owner]
  ) -> Bool {
    guard action != nil else { return true }
    var (own, others, total) = (0, 0, 0)
    let first = steps.partitioningIndex { $0.time >= repetition.start - CountingStep.duration / 2 }
    for index in first..<steps.count {
      guard steps[index].time < repetition.end - CountingStep.duration / 2 else { break }
      total += 1
      switch owners[index] {
      case .bout(let bout) where timeline.action(ofBout: bout) == action: own += 1
      case .bout, .nothing: others += 1
      case .unknown: break
      }
    }
    return own > others && Double(own) >= Self.leastShare * Double(total)
  }

  /// The first repetitions of bouts that have no other, unless they have been counted already.
  private func firsts(beside repetitions: [Repetition], _ cutter: RepetitionCutter) -> [Repetition]
  {
    var found: [Repetition] = []
    for bout in 0..<timeline.boutCount {
      guard let range = ledger.first(ofBout: bout) else { continue }
      let isCounted = (repetitions + found).contains { other in
        let overlap = min(other.end, range.upperBound) - max(other.start, range.lowerBound)
        return overlap > 0.3 * min(other.duration, range.upperBound - range.lowerBound)
      }
      guard !isCounted else { continue }
      found.append(cutter.repetition(in: range, action: timeline.action(ofBout: bout)))
    }
    return found
  }
}

extension Array {
  /// The first index from which on a condition holds, where it holds from some index on.
  func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
