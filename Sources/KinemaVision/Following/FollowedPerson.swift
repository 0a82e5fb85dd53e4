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
  /// Whether it is known to be a person and no furniture.
  private(set) var isVerified: Bool
  /// The region of the detection that it was found by.
  let foundRegion: Region
  /// How often the detector was sure of it.
  private(set) var sureCount: Int
  /// Since when it is followed, how often it was checked since, and when last, in seconds.
  let firstTime: Double
  private(set) var checks = (count: 0, time: -Double.infinity)
  private var hipsFilter = OneEuroFilter()
  private var tipFilter = OneEuroFilter()

  init(
    _ landmarks: BodyLandmarks, foundIn foundRegion: Region, isSeenInWhole: Bool,
    isConfident: Bool, isVerified: Bool, sureCount: Int = 0, at time: Double
  ) {
    (self.landmarks, self.isSeenInWhole, self.isConfident) = (landmarks, isSeenInWhole, isConfident)
    (self.foundRegion, self.sureCount, firstTime) = (foundRegion, sureCount, time)
    self.isVerified = isVerified
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

extension FollowedPerson {
  /// Notes that it is a person.
  mutating func verify() { isVerified = true }

  /// Notes whether the detector is sure of it.
  mutating func note(isSure: Bool, _ rules: TrackingRules.Verification, at time: Double) {
    checks = (checks.count + 1, time)
    guard isSure else { return }
    sureCount += 1
    isVerified = isVerified || sureCount >= rules.sureCount
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
