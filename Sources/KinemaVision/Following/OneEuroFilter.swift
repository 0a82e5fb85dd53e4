import KinemaPose

extension OneEuroFilter {
  /// The filter with which MediaPipe smooths the two points of a region (`pose_landmarks_to_roi`).
  init() {
    self.init(minimumCutoff: 0.01, speedCoefficient: 10, speedCutoff: 1)
  }
}
