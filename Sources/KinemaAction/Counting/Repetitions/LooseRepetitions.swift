/// Finds repetitions that stand apart from their set: the last ones after a pause, or the first before
/// one.
///
/// One repetition alone is no rhythm, but it is known by its likeness to those of the set beside it.
struct LooseRepetitions {
  /// How far from its set a repetition is looked for, in seconds.
  static let longestReach = 15.0
  /// How many repetitions of a set are compared with.
  static let exampleCount = 4
  /// The shares of the examples' median duration between which one may last.
  static let durationShares = 0.6...1.7
  /// The steps from one duration to the next.
  static let durationStep = 1.07
  /// The postures in which repetitions are compared.
  static let phaseCount = 16
  /// The squared distance to the nearest example, as a share of how much that one varies, up to which
  /// it is one in any case.
  static let sureDistance: Float = 0.3
  /// The same where the examples differ as much among themselves.
  static let longestDistance: Float = 0.6
  /// How many times as far from an example one may be as they are from each other.
  static let spread: Float = 1.5
  /// The share of an example's variance that one has at least.
  static let leastVariance: Float = 0.4

  /// A repetition as postures at equal distances in time, less their mean.
  private struct Shape {
    var values: [Float]
    var variance: Float

    init(_ path: PosturePath, from start: Double, to end: Double) {
      let dimension = path.postures.dimension
      let phases = LooseRepetitions.phaseCount
      values = []
      values.reserveCapacity(dimension * phases)
      var mean = [Float](repeating: 0, count: dimension)
      for phase in 0..<phases {
        let place = start + (end - start) * (Double(phase) + 0.5) / Double(phases)
        let frame = min(max(Int(place.rounded()), 0), path.postures.count - 1)
        for column in 0..<dimension {
          let value = path.postures.values[frame * dimension + column]
          values.append(value)
          mean[column] += value / Float(phases)
        }
      }
      variance = 0
      for index in values.indices {
        values[index] -= mean[index % dimension]
        variance += values[index] * values[index]
      }
    }

    func distance(to other: Shape) -> Float {
      var sum: Float = 0
      for (one, another) in zip(values, other.values) { sum += (one - another) * (one - another) }
      return sum
    }
  }

  private let samples: [MotionSample]

  init(samples: [MotionSample]) {
    self.samples = samples
  }

  /// The repetitions that are found beside some sets, each as a stretch of time with the set that it
  /// is like.
  ///
  /// - Parameter sets: Repetitions that follow one another, oldest set first.
  func find(beside sets: [[Repetition]]) -> [(range: Range<Double>, set: Int)] {
    guard let first = samples.first?.time, let last = samples.last?.time else { return [] }
    var found: [(range: Range<Double>, set: Int)] = []
    for index in 0...sets.count {
      let start = index > 0 ? sets[index - 1].last?.end ?? first : first
      let end = index < sets.count ? sets[index].first?.start ?? last : last
      // The set before goes first: it is what the person has just done.
      for (set, isBefore) in [(index - 1, true), (index, false)] where sets.indices.contains(set) {
        let examples =
          isBefore ? sets[set].suffix(Self.exampleCount) : sets[set].prefix(Self.exampleCount)
        let low = isBefore ? start : max(start, end - Self.longestReach)
        let high = isBefore ? min(end, start + Self.longestReach) : end
        let taken = found.filter { $0.range.upperBound > low && $0.range.lowerBound < high }
        for range in matches(of: Array(examples), from: low, to: high)
        where !taken.contains(where: { $0.range.overlaps(range) }) {
          found.append((range, set))
        }
      }
    }
    return found
  }

  /// The stretches between two times that are like some examples, none overlapping another.
  private func matches(
    of examples: [Repetition], from start: Double, to end: Double
  ) -> [Range<Double>] {
    let durations = examples.map(\.duration).sorted()
    guard examples.count > 1, let low = examples.first?.start, let high = examples.last?.end
    else { return [] }
    let usual = durations[durations.count / 2]
    guard end - start > Self.durationShares.lowerBound * usual, usual > 0 else { return [] }
    let (from, to) = (min(low, start) - 0.2, max(high, end) + 0.2)
    let begin = samples.partitioningIndex { $0.time >= from }
    let limit = samples.partitioningIndex { $0.time >= to }
    guard limit > begin + 1 else { return [] }
    let path = PosturePath(MotionTrack(Array(samples[begin..<limit])))
    func place(_ time: Double) -> Double {
      (time - path.track.startTime) * MotionTrack.frameRate
    }
    let shapes = examples.map { Shape(path, from: place($0.start), to: place($0.end)) }
    guard let limits = Self.limits(shapes) else { return [] }
    var matches: [(range: Range<Double>, distance: Float)] = []
    let lastFrame = place(end)
    var duration = Self.durationShares.lowerBound * usual * MotionTrack.frameRate
    while duration <= Self.durationShares.upperBound * usual * MotionTrack.frameRate {
      var frame = place(start).rounded(.up)
      while frame + duration <= lastFrame {
        let shape = Shape(path, from: frame, to: frame + duration)
        for (example, limit) in zip(shapes, limits)
        where shape.variance >= Self.leastVariance * example.variance {
          let distance = shape.distance(to: example)
          if distance < limit {
            let from = path.track.startTime + frame / MotionTrack.frameRate
            matches.append(
              (from..<(from + duration / MotionTrack.frameRate), distance / example.variance))
          }
        }
        frame += 1
      }
      duration *= Self.durationStep
    }
    matches.sort { ($0.distance, $0.range.lowerBound) < ($1.distance, $1.range.lowerBound) }
    var chosen: [Range<Double>] = []
    for match in matches where !chosen.contains(where: { $0.overlaps(match.range) }) {
      chosen.append(match.range)
    }
    return chosen.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// How near to each example something must be to be another one; `nil` where the examples are not
  /// alike.
  private static func limits(_ shapes: [Shape]) -> [Float]? {
    let nearest = shapes.indices.map { index in
      shapes.indices.filter { $0 != index }
        .map { shapes[index].distance(to: shapes[$0]) / max(shapes[index].variance, 1e-9) }
        .min() ?? .infinity
    }
    let usual = nearest.sorted()[nearest.count / 2]
    guard usual < longestDistance else { return nil }
    let share = min(max(sureDistance, spread * usual), longestDistance)
    return shapes.map { share * $0.variance }
  }
}
