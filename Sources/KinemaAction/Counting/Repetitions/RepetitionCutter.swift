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
    for set in segmenter.sets {
      let cut = cut(set, earliest: earliest)
      earliest = cut.last?.end ?? earliest
      cutSets.append(zip(cut, set.agrees).compactMap { $1 ? $0 : nil })
    }
    let singles = segmenter.singles.filter { segmenter.counts($0.value) }.map {
      single($0.value, action: timeline.bouts[$0.key].action)
    }
    let phases = segmenter.sets.map { set in steps[set.steps].reduce(0) { $0 + $1.repetitions } }
    return RepetitionGrader.withoutPartial(cutSets, phases: phases, attemptShare: attemptShare)
      .flatMap { $0 } + singles
  }

  /// A repetition of which start and end are known.
  private func single(_ range: Range<Double>, action: String?) -> Repetition {
    let path = path(from: range.lowerBound, to: range.upperBound)
    let qualities = path.map {
      RepetitionGrader.qualities(of: $0, between: [range.lowerBound, range.upperBound])
    }
    return Repetition(
      start: range.lowerBound, end: range.upperBound, action: action, quality: qualities?.first)
  }

  private func cut(_ set: RepetitionSegmenter.RepetitionSet, earliest: Double) -> [Repetition] {
    let count = set.agrees.count
    var cuts = evenCuts(set.steps, into: count)
    let margin = (cuts[count] - cuts[0]) / Double(count)
    let isKnown = (samples.first?.time ?? .infinity) <= cuts[0] + margin / 2
    let path = isKnown ? path(from: cuts[0] - margin, to: cuts[count] + margin) : nil
    if let path { cuts = TurningPoints.aligned(cuts, to: path, earliest: earliest) }
    let qualities = path.map { RepetitionGrader.qualities(of: $0, between: cuts) }
    return (0..<count).map {
      Repetition(
        start: cuts[$0], end: cuts[$0 + 1], action: set.action, quality: qualities?[$0])
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
