/// The distance of each posture to the one a lag earlier or later, whichever is nearer.
struct LagDistances {
  /// Added to distances and variances, so that stillness repeats nothing.
  static let noise: Float = 2e-3
  /// The share of a lag over which distances are averaged.
  static let smoothing = 0.8
  /// The least that distances must have risen to before a lag can be the period, as a share of the
  /// variance.
  static let contrast: Float = 0.5
  /// The shortest lag, in seconds: at shorter ones noise resembles itself.
  static let shortestLag = 0.29
  /// The cost of what cannot be a period.
  static let void: Float = 2
  /// The cost for each octave that a period is longer.
  static let octaveCost: Float = 0.01

  let frameCount: Int
  /// `[frames, lags]`; not a number where the track is too short.
  let distances: [Float]
  /// How much the features vary within three seconds of each frame.
  let variances: [Float]

  init(_ features: FeatureGroup) {
    let (count, lagCount) = (features.count, LagPlanes.lagCount)
    frameCount = count
    variances = features.variances(at: Array(0..<count), reach: MotionFeatures.reach)
      .map { $0 + Self.noise }
    var distances = [Float](repeating: .nan, count: count * lagCount)
    for (index, seconds) in LagPlanes.lags.enumerated() where seconds > Self.shortestLag {
      let lag = seconds * MotionTrack.frameRate
      let whole = Int(lag) + 1
      guard whole < count else { break }
      let raw = Self.pairDistances(features, whole: whole, share: Float(lag - Double(Int(lag))))
      let smooth = Self.averaged(raw, width: max(3, Int(Self.smoothing * lag) | 1))
      for frame in 0..<count {
        let past = frame >= whole ? smooth[frame - whole] : .infinity
        let future = frame < count - whole ? smooth[frame] : .infinity
        distances[frame * lagCount + index] = min(past, future)
      }
    }
    self.distances = distances
  }

  /// The squared distance of frame `i + whole` from what was a lag of `whole - 1 + share` before.
  private static func pairDistances(
    _ features: FeatureGroup, whole: Int, share: Float
  ) -> [Float] {
    let dimension = features.dimension
    return features.values.withUnsafeBufferPointer { values in
      (0..<(features.count - whole)).map { frame in
        let (x, y) = ((frame + whole) * dimension, frame * dimension)
        var sum: Float = 0
        for column in 0..<dimension {
          let (near, far) = (values[y + dimension + column], values[y + column])
          let difference = values[x + column] - near - (far - near) * share
          sum += difference * difference
        }
        return sum
      }
    }
  }

  /// Running means over an odd number of values, fewer at the ends.
  static func averaged(_ values: [Float], width: Int) -> [Float] {
    let half = width / 2
    var sums = [Double](repeating: 0, count: values.count + 1)
    for (index, value) in values.enumerated() { sums[index + 1] = sums[index] + Double(value) }
    return values.indices.map { index in
      let (low, high) = (max(index - half, 0), min(index + half + 1, values.count))
      return Float((sums[high] - sums[low]) / Double(high - low))
    }
  }

  /// The cost of each lag being the period, `[frames, lags]`: a period is a dip after a rise.
  func ratios() -> [Float] {
    let lagCount = LagPlanes.lagCount
    var costs = [Float](repeating: 0, count: distances.count)
    for frame in 0..<frameCount {
      var top: Float = -.infinity
      for lag in 0..<lagCount {
        let distance = distances[frame * lagCount + lag]
        if distance > top { top = distance }
        var cost = distance / (top + Self.noise)
        if !(top >= Self.contrast * variances[frame]) || !cost.isFinite { cost = Self.void }
        costs[frame * lagCount + lag] =
          cost + Self.octaveCost * Float(lag) / Float(LagPlanes.lagsPerOctave)
      }
    }
    return costs
  }
}
