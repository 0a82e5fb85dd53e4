import KinemaStreams

/// Cuts sets of repetitions at the movement's turning points, and grades each repetition.
struct RepetitionCutter {
  let steps: [CountingStep]
  let samples: [MotionSample]

  /// The repetitions of sets, oldest first.
  ///
  /// - Parameter attemptShare: The share of the median range under which a set of one repetition is
  ///   left out, as the way into or out of a movement.
  func repetitions(
    of segmenter: RepetitionSegmenter, _ timeline: ActionTimeline, attemptShare: Double
  ) -> [Repetition] {
    var cutSets: [[Repetition]] = []
    var earliest = -Double.infinity
    var movements = Movements()
    for set in segmenter.sets {
      let cut = cut(set, earliest: earliest, of: &movements)
      earliest = cut.last?.end ?? earliest
      cutSets.append(zip(cut, set.agrees).compactMap { $1 ? $0 : nil })
    }
    let singles = segmenter.singles.filter { segmenter.counts($0.value) }.map {
      single($0.value, of: timeline.set(ofBout: $0.key))
    }
    let phases = segmenter.sets.map { set in steps[set.steps].reduce(0) { $0 + $1.repetitions } }
    return RepetitionGrader.withoutPartial(cutSets, phases: phases, attemptShare: attemptShare)
      .flatMap { $0 } + singles
  }

  // MARK: - Live

  /// How long after its end a repetition is complete, as a share of it: its end is then certain.
  static let settling = 0.15

  /// The repetitions of sets that are complete at a time, begun after another one, oldest first.
  ///
  /// Unlike ``repetitions(of:_:attemptShare:)``, each step counts where it is, for the last repetition
  /// may be under way, and repetitions are continued from the one before. Single ones are left out:
  /// their ends are less certain, and a set that follows has them again.
  ///
  /// - Parameters:
  ///   - end: The end of the last repetition that is known, in seconds.
  ///   - time: The present, in seconds.
  func complete(
    of segmenter: RepetitionSegmenter, after end: Double, at time: Double
  ) -> [Repetition] {
    segmenter.sets.flatMap { continued($0, after: end, at: time) }.filter { repetition in
      let middle = (repetition.start + repetition.end) / 2
      return middle > end && repetition.end + Self.settling * repetition.duration <= time
    }
  }

  private func continued(
    _ set: RepetitionSegmenter.RepetitionSet, after end: Double, at time: Double
  ) -> [Repetition] {
    guard set.range.upperBound > end else { return [] }
    var cuts = phaseCuts(set.steps, into: set.agrees.count).map { min($0, time) }
    var agrees = set.agrees
    let mean = (cuts[cuts.count - 1] - cuts[0]) / Double(agrees.count)
    let known = cuts.lastIndex { abs($0 - end) <= mean / 2 }
    if let known {
      cuts.removeFirst(known)
      agrees.removeFirst(known)
      cuts[0] = end
    }
    // What is older than the stored poses cannot be cut.
    let oldest = samples.first?.time ?? .infinity
    while cuts.count > 1, cuts[0] < oldest || cuts[1] < end {
      cuts.removeFirst()
      agrees.removeFirst()
    }
    guard cuts.count > 1, let path = path(from: cuts[0] - mean, to: time) else { return [] }
    let aligned = TurningPoints.aligned(
      cuts, to: path, earliest: end, start: known == nil ? nil : end)
    return zip(aligned.indices, agrees).compactMap { index, agrees in
      guard agrees, index + 1 < aligned.count else { return nil }
      return Repetition(
        start: aligned[index], end: aligned[index + 1], action: set.action, set: set.id)
    }
  }

  /// The times at which the phase of steps reaches each whole number.
  private func phaseCuts(_ run: Range<Int>, into count: Int) -> [Double] {
    var cuts = [steps[run.lowerBound].time]
    var phase = 0.0
    for step in steps[run] {
      while cuts.count <= count, Double(cuts.count) <= phase + step.repetitions {
        cuts.append(step.time + (Double(cuts.count) - phase) * step.period)
      }
      phase += step.repetitions
    }
    let last = steps[run.upperBound - 1]
    while cuts.count <= count {
      let missing = max(0, Double(cuts.count) - phase)
      cuts.append(last.time + CountingStep.duration + missing * last.period)
    }
    return cuts
  }

  // MARK: - Cuts

  /// A repetition of which start and end are known.
  private func single(_ range: Range<Double>, of set: ExerciseSet?) -> Repetition {
    let path = path(from: range.lowerBound, to: range.upperBound)
    let qualities = path.map {
      RepetitionGrader.qualities(of: $0, between: [range.lowerBound, range.upperBound])
    }
    return Repetition(
      start: range.lowerBound, end: range.upperBound, action: set?.action, set: set?.id,
      quality: qualities?.first)
  }

  private func cut(
    _ set: RepetitionSegmenter.RepetitionSet, earliest: Double, of movements: inout Movements
  ) -> [Repetition] {
    let count = set.agrees.count
    var cuts = evenCuts(set.steps, into: count)
    let margin = (cuts[count] - cuts[0]) / Double(count)
    let isKnown = (samples.first?.time ?? .infinity) <= cuts[0] + margin / 2
    let path = isKnown ? path(from: cuts[0] - margin, to: cuts[count] + margin) : nil
    if let path { cuts = TurningPoints.aligned(cuts, to: path, earliest: earliest) }
    var repetitions = (0..<count).map {
      Repetition(start: cuts[$0], end: cuts[$0 + 1], action: set.action, set: set.id)
    }
    guard let path else { return repetitions }
    guard set.action == nil else {
      grade(&repetitions, 0..<count, of: path)
      return repetitions
    }
    let shapes = repetitions.map {
      MovementShape(path.track, RepetitionGrader.frames(of: path.track, from: $0.start, to: $0.end))
    }
    let parts = MovementShape.movements(of: shapes)
    for part in parts {
      let number = movements.number(of: MovementShape(medianOf: shapes[part].compactMap { $0 }))
      for place in part { repetitions[place].movement = number }
      // Beside the size that the body has in it: one that lies down may be seen smaller.
      let own =
        parts.count == 1
        ? path : self.path(from: cuts[part.lowerBound], to: cuts[part.upperBound] + Self.frame)
      grade(&repetitions, part, of: own ?? path)
    }
    return repetitions
  }

  /// A frame of tracks in seconds.
  private static let frame = 1 / MotionTrack.frameRate

  /// Measures some of the repetitions, one after the other, by a path through them.
  private func grade(_ repetitions: inout [Repetition], _ places: Range<Int>, of path: PosturePath)
  {
    let cuts = repetitions[places].map(\.start) + repetitions[places].suffix(1).map(\.end)
    for (place, quality) in zip(places, RepetitionGrader.qualities(of: path, between: cuts)) {
      repetitions[place].quality = quality
    }
  }

  /// The times at which the phase of steps reaches each of `count` equal parts.
  private func evenCuts(_ run: Range<Int>, into count: Int) -> [Double] {
    let total = steps[run].reduce(0) { $0 + $1.repetitions }
    var cuts = [steps[run.lowerBound].time]
    var phase = 0.0
    for step in steps[run] {
      while cuts.count < count {
        let wanted = total * Double(cuts.count) / Double(count)
        guard wanted <= phase + step.repetitions else { break }
        cuts.append(step.time + (wanted - phase) * step.period)
      }
      phase += step.repetitions
    }
    let end = steps[run.upperBound - 1].time + CountingStep.duration
    while cuts.count <= count { cuts.append(end) }
    return cuts
  }

  private func path(from start: Double, to end: Double) -> PosturePath? {
    let first = samples.partitioningIndex { $0.time >= start }
    let last = samples.partitioningIndex { $0.time >= end }
    guard last > first + 1 else { return nil }
    return PosturePath(MotionTrack(Array(samples[first..<last])))
  }
}
