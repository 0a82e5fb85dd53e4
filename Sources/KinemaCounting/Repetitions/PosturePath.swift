import KinemaPose

/// A movement as a path through postures: places of limbs in body sizes, and angles.
struct PosturePath {
  let track: MotionTrack
  let features: MotionFeatures
  /// Limbs and angles side by side, each averaged over three frames.
  let postures: FeatureGroup
  /// The distance from the posture before to the one after each frame.
  let speeds: [Float]

  init(_ track: MotionTrack) {
    self.track = track
    features = MotionFeatures(track)
    let postures = SignalPeriodEstimator.smoothed(features)
    self.postures = postures
    speeds = (0..<postures.count).map { frame in
      let (low, high) = (max(frame - 1, 0), min(frame + 1, postures.count - 1))
      let distance = postures.squaredDistance(at: high, to: postures, at: low).squareRoot()
      return distance / Float(max(high - low, 1)) * 2
    }
  }

  /// The squared distance of the postures of two frames.
  func distance(_ first: Int, _ second: Int) -> Float {
    postures.squaredDistance(at: first, to: postures, at: second)
  }
}
