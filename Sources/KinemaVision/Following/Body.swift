import KinemaVideo

/// A body in a frame: its landmarks, and what tells whose it is.
struct Body {
  let landmarks: BodyLandmarks
  let sight: BodySight

  /// - Parameter hidden: Who may stand before the body; what they cover says nothing about it.
  init(_ landmarks: BodyLandmarks, in frame: Frame, behind hidden: [BodyLandmarks] = []) {
    self.landmarks = landmarks
    sight = BodySight(landmarks, in: frame, behind: hidden.map { BodyOutline($0) })
  }
}
