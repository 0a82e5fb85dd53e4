import Foundation
import KinemaPose
import KinemaTracking
import KinemaVideo

/// The tracked people of one clip or stream, with sides corrected and joints smoothed.
struct FollowedPeople {
  private var follower: PersonFollower
  private var continuity: PoseContinuity?
  private var smoother: PoseSmoother?
  private var keepsLandmarks = false
  private var time = -TimeInterval.infinity

  /// Creates an empty set of tracks.
  init(_ configuration: HumanBodyPoseExtractor.Configuration) {
    follower = PersonFollower(maximumPersonCount: configuration.maximumPersonCount)
    continuity = configuration.repairsSides ? PoseContinuity() : nil
    apply(configuration)
  }

  /// Changes the largest number of people, which drops the newest tracks when it decreases, and
  /// whether joints are smoothed and landmarks kept.
  mutating func apply(_ configuration: HumanBodyPoseExtractor.Configuration) {
    follower.maximumPersonCount = max(1, configuration.maximumPersonCount)
    keepsLandmarks = configuration.keepsLandmarks
    guard configuration.isSmoothed != (smoother != nil) else { return }
    smoother = configuration.isSmoothed ? PoseSmoother() : nil
  }

  /// The poses of the people in the next frame, by id, with their visible colours.
  ///
  /// - Parameters:
  ///   - frame: The upright frame.
  ///   - time: Its time in seconds; an earlier one starts a new clip.
  ///   - otherMotion: See ``PoseFinder/poses(in:at:otherMotion:)``.
  ///   - networks: The networks.
  mutating func people(
    in frame: Frame, at time: TimeInterval, otherMotion: OtherMotion, networks: inout PoseNetworks
  ) throws -> [(pose: Pose, appearance: Appearance?)] {
    if time < self.time { reset() }
    self.time = time
    let people = try follower.people(
      in: frame, at: time, otherMotion: otherMotion, networks: &networks)
    var poses = people.map {
      Pose(
        $0.landmarks, width: frame.width, height: frame.height, id: $0.id,
        keepsLandmarks: keepsLandmarks)
    }
    continuity?.aspectRatio = Float(frame.width) / Float(frame.height)
    poses = continuity?.filtered(poses, at: time) ?? poses
    poses = smoother?.filtered(poses, at: time) ?? poses
    return zip(poses, people).map { ($0, $1.appearance) }
  }

  /// Drops all tracks for a new clip; ids are not reused.
  mutating func reset() {
    follower.reset()
    continuity?.reset()
    smoother?.reset()
    time = -.infinity
  }
}
