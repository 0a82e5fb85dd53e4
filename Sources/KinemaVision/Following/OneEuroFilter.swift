import KinemaPose

extension OneEuroFilter {
  /// The filter with which MediaPipe steadies the two points that a region is made of
  /// (`pose_landmarks_to_roi` branch of its graph).
  init() {
    self.init(minimumCutoff: 0.01, speedCoefficient: 10, speedCutoff: 1)
  }
}
