import Foundation
import KinemaPose

/// A track of a ``PersonFollower``.
struct FollowedPerson {
  /// Assigned when the person is first reported.
  var id: Int?
  private(set) var body: Body
  /// The region to search in the next frame.
  private(set) var region: Region
  /// Number of frames in which the person was found.
  private(set) var frameCount = 0
  /// Whether the person was detected in the whole frame; parts have more false detections.
  let isSeenInWhole: Bool
  /// Whether detector and landmark network were both confident at first.
  let isSure: Bool
  private(set) var track: BodyTrack
  /// Whether the body is near another person and its clothes do not match the track.
  private(set) var isDressedOtherwise = false
  /// Whether the body is well visible but does not match the track.
  private(set) var isUnlikely = false
  private var hipsFilter = OneEuroFilter()
  private var tipFilter = OneEuroFilter()

  init(_ body: Body, isSeenInWhole: Bool, isSure: Bool, at time: Double) {
    self.isSeenInWhole = isSeenInWhole
    self.isSure = isSure
    self.body = body
    region = body.landmarks.region
    track = BodyTrack(body.sight, at: time)
    take(body, at: time)
  }

  var landmarks: BodyLandmarks { body.landmarks }

  /// Adds the body in the next frame.
  ///
  /// - Parameter isClear: Whether no other person is near enough to be confused.
  mutating func update(_ body: Body, at time: Double, isClear: Bool) {
    isDressedOtherwise =
      !isClear && track.clothesDifference(of: body.sight) ?? 0 > BodyTrack.unlikeClothes
    isUnlikely = isClear && track.cost(of: body.sight, at: time) > BodyTrack.unlikelyCost
    track.update(body.sight, at: time, isClear: isClear)
    take(body, at: time)
  }

  /// Restarts at landmarks that were not found in this track's region.
  mutating func move() {
    hipsFilter = OneEuroFilter()
    tipFilter = OneEuroFilter()
  }

  /// The predicted region at a time.
  func expectedRegion(at time: Double) -> Region {
    Region(
      center: track.motion.position(at: time), size: track.motion.size,
      angle: landmarks.region.angle)
  }

  /// The last landmarks moved to the predicted position, without confident ones.
  func expectedLandmarks(at time: Double) -> BodyLandmarks {
    landmarks.moved(by: track.motion.position(at: time) - landmarks.hips)
  }

  private mutating func take(_ body: Body, at time: Double) {
    self.body = body
    frameCount += 1
    let landmarks = body.landmarks
    let bodySize = landmarks.region.size / Region.bodyMargin
    region = Region(
      hips: hipsFilter.smoothed(landmarks.hips, at: time, bodySize: bodySize),
      tip: tipFilter.smoothed(landmarks.tip, at: time, bodySize: bodySize))
  }
}
