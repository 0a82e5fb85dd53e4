import Foundation
import KinemaPose

/// Somebody whom a ``PersonFollower`` follows: what was seen, and where to look next.
struct FollowedPerson {
  /// Given when the person is first reported.
  var id: Int?
  private(set) var body: Body
  /// Where to look in the next frame.
  private(set) var region: Region
  /// In how many frames the person was found.
  private(set) var frameCount = 0
  /// Whether the detector saw the person in the whole picture; in parts it errs more often.
  let isSeenInWhole: Bool
  /// Whether detector and landmarks left no doubt of the person when first seen.
  let isSure: Bool
  private(set) var track: BodyTrack
  /// Whether the body was seen near somebody else and in other clothes than the person's.
  private(set) var isDressedOtherwise = false
  /// Whether the body was seen well, and yet is hardly the person's.
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

  /// Takes the body in the next frame.
  ///
  /// - Parameter isClear: Whether nobody else is near enough to be mistaken for the person.
  mutating func update(_ body: Body, at time: Double, isClear: Bool) {
    isDressedOtherwise =
      !isClear && track.clothesDifference(of: body.sight) ?? 0 > BodyTrack.unlikeClothes
    isUnlikely = isClear && track.cost(of: body.sight, at: time) > BodyTrack.unlikelyCost
    track.update(body.sight, at: time, isClear: isClear)
    take(body, at: time)
  }

  /// Begins anew where the next landmarks are, which were not found where this person was looked for.
  mutating func move() {
    hipsFilter = OneEuroFilter()
    tipFilter = OneEuroFilter()
  }

  /// Where the person is expected at a time.
  func expectedRegion(at time: Double) -> Region {
    Region(
      center: track.motion.position(at: time), size: track.motion.size,
      angle: landmarks.region.angle)
  }

  /// The landmarks as last seen, moved to where the person is expected at a time; none is sure.
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
