/// Cuts stretches of repeating movement into single repetitions.
///
/// Each stretch is cut where its phase is whole; the cuts are then moved to the movement's turning
/// points (``TurningPoints``).
struct RepetitionCutter {
  let steps: [CountingStep]
  let samples: [MotionSample]

  /// The repetitions of a stretch of repeating movement, oldest first.
  ///
  /// - Parameters:
  ///   - run: The steps of the stretch.
  ///   - carried: What rounding has left over; the repetitions of all stretches together are the sum
  ///     of their phases, rounded.
  ///   - earliest: Nothing begins before this time in seconds.
  func repetitions(
    in run: Range<Int>, carried: inout Double, earliest: Double
  ) -> [Repetition] {
    let sum = steps[run].reduce(0) { $0 + $1.repetitions } + carried
    let count = max(0, Int((sum + 0.5).rounded(.down)))
    carried = sum - Double(count)
    return count > 0 ? cut(run, into: count, earliest: earliest) : []
  }

  /// A repetition of which start and end are known.
  func repetition(in range: Range<Double>, action: String?) -> Repetition {
    let path = path(from: range.lowerBound, to: range.upperBound)
    let qualities = path.map {
      RepetitionJudge.qualities(of: $0, between: [range.lowerBound, range.upperBound])
    }
    return Repetition(
      start: range.lowerBound, end: range.upperBound, action: action,
      quality: qualities?.first)
  }

  private func cut(_ run: Range<Int>, into count: Int, earliest: Double) -> [Repetition] {
    var cuts = evenCuts(run, into: count)
    let margin = (cuts[count] - cuts[0]) / Double(count)
    let isKnown = (samples.first?.time ?? .infinity) <= cuts[0] + margin / 2
    let path = isKnown ? path(from: cuts[0] - margin, to: cuts[count] + margin) : nil
    if let path { cuts = TurningPoints.aligned(cuts, to: path, earliest: earliest) }
    let qualities = path.map { RepetitionJudge.qualities(of: $0, between: cuts) }
    return (0..<count).map {
      Repetition(start: cuts[$0], end: cuts[$0 + 1], quality: qualities?[$0])
    }
  }

  /// The times at which the phase of a stretch reaches each of `count` equal parts.
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
