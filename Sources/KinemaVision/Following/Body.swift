import KinemaVideo

/// A detected body: its landmarks and its appearance.
struct Body {
  let landmarks: BodyLandmarks
  let sight: BodySight

  /// - Parameter hidden: Bodies that may occlude this one; the area they cover is ignored.
  init(_ landmarks: BodyLandmarks, in frame: Frame, behind hidden: [BodyLandmarks] = []) {
    self.landmarks = landmarks
    sight = BodySight(landmarks, in: frame, behind: hidden.map { BodyOutline($0) })
  }
}
