import KinemaTracking
import KinemaVideo

/// A detected body: its landmarks, and what is compared with tracks.
struct Body {
  let landmarks: BodyLandmarks
  let detection: Detection

  /// - Parameter hidden: Bodies that may occlude this one; the area they cover is ignored.
  init(_ landmarks: BodyLandmarks, in frame: Frame, behind hidden: [BodyLandmarks] = []) {
    self.landmarks = landmarks
    detection = Detection(
      landmarks,
      appearance: Appearance(
        of: landmarks, in: frame, behind: hidden.map { BodyOutline($0) }))
  }
}

extension Detection {
  /// The compared points: shoulders, elbows, wrists, hips, knees and ankles.
  private static let comparedPoints: [BodyPoint] = [
    .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip,
    .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
  ]

  init(_ body: BodyLandmarks, appearance: Appearance? = nil) {
    let size = max(body.region.size, 1)
    self.init(
      position: body.hips, size: size, box: body.box,
      shape: Self.comparedPoints.map { body[$0].map { ($0.position - body.hips) / size } },
      appearance: appearance, presence: body.presence)
  }
}
