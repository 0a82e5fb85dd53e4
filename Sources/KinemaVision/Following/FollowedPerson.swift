import KinemaPose
import KinemaTracking

/// The body of a track, with its region for the next frame.
struct FollowedPerson {
  private(set) var landmarks: BodyLandmarks
  /// The region to search in the next frame.
  private(set) var region: Region
  /// Whether the person was detected in the whole frame; parts have more false detections.
  let isSeenInWhole: Bool
  /// Whether detector and landmark network were both confident at first.
  let isConfident: Bool
  private var hipsFilter = OneEuroFilter()
  private var tipFilter = OneEuroFilter()

  init(_ landmarks: BodyLandmarks, isSeenInWhole: Bool, isConfident: Bool, at time: Double) {
    (self.landmarks, self.isSeenInWhole, self.isConfident) = (landmarks, isSeenInWhole, isConfident)
    region = landmarks.region
    take(landmarks, at: time)
  }

  /// Adds the landmarks of the next frame.
  ///
  /// - Parameter isMoved: Whether they were not found in this track's region.
  mutating func take(_ landmarks: BodyLandmarks, at time: Double, isMoved: Bool = false) {
    if isMoved { (hipsFilter, tipFilter) = (OneEuroFilter(), OneEuroFilter()) }
    self.landmarks = landmarks
    let bodySize = landmarks.region.size / Region.bodyMargin
    region = Region(
      hips: hipsFilter.smoothed(landmarks.hips, at: time, bodySize: bodySize),
      tip: tipFilter.smoothed(landmarks.tip, at: time, bodySize: bodySize))
  }
}

extension Track<FollowedPerson> {
  var landmarks: BodyLandmarks { content.landmarks }

  /// The predicted region at a time.
  func expectedRegion(at time: Double) -> Region {
    Region(
      center: motion.position(at: time), size: motion.size, angle: landmarks.region.angle)
  }

  /// The last landmarks moved to the predicted position, without confident ones.
  func expectedLandmarks(at time: Double) -> BodyLandmarks {
    landmarks.moved(by: motion.position(at: time) - landmarks.hips)
  }
}
