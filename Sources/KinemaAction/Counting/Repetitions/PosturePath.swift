import KinemaPose

/// A movement as a path through postures: places of limbs in body sizes, and angles.
struct PosturePath {
  /// The track that was followed.
  let track: MotionTrack
  /// Its features.
  let features: MotionFeatures
  /// Limbs and angles side by side, each averaged over three frames.
  let postures: FeatureGroup
  /// How far the posture moves within two frames round each frame.
  let speeds: [Float]

  init(_ track: MotionTrack) {
    self.track = track
    features = MotionFeatures(track)
    postures = SignalPeriodEstimator.smoothed(features)
    let (count, dimension) = (postures.count, postures.dimension)
    var speeds = [Float](repeating: 0, count: count)
    for frame in 0..<count {
      let (low, high) = (max(frame - 1, 0), min(frame + 1, count - 1))
      var sum: Float = 0
      for column in 0..<dimension {
        let step =
          postures.values[high * dimension + column] - postures.values[low * dimension + column]
        sum += step * step
      }
      speeds[frame] = sum.squareRoot() / Float(max(high - low, 1)) * 2
    }
    self.speeds = speeds
  }

  /// The squared distance of the postures of two frames.
  func distance(_ first: Int, _ second: Int) -> Float {
    var sum: Float = 0
    for column in 0..<postures.dimension {
      let difference =
        postures.values[first * postures.dimension + column]
        - postures.values[second * postures.dimension + column]
      sum += difference * difference
    }
    return sum
  }
}
