import KinemaPose
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

  /// Units per frame height if lengths are not in pixels.
  private static let unit: Float = 1000

  /// - Returns: `nil` for a pose without confident joints.
  init?(_ pose: Pose, aspectRatio: Float, appearance: Appearance? = nil) {
    let scale = SIMD2(aspectRatio, 1) * Self.unit
    let keys = pose.chirality == nil ? JointKey.body : JointKey.hand
    let places = keys.map { key in
      pose.keypoints[key].flatMap { $0.confidence >= 0.1 ? $0.position * scale : nil }
    }
    let found = places.compactMap { $0 }
    guard let first = found.first else { return nil }
    let low = found.reduce(first, pointwiseMin)
    let high = found.reduce(first, pointwiseMax)
    let hips = [JointKey.leftHip, .rightHip].compactMap { pose.keypoints[$0] }
      .map { $0.position * scale }
    let middle = hips.isEmpty ? (low + high) / 2 : hips.reduce(.zero, +) / Float(hips.count)
    let size = max((high - low).length, 1)
    self.init(
      position: middle, size: size, box: (low, high),
      shape: places.map { place in place.map { ($0 - middle) / size } }, appearance: appearance)
  }
}
