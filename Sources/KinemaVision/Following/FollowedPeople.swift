import Foundation
import KinemaPose
import KinemaVideo

/// The people of one clip or stream: who is where, left and right set right, trembling calmed.
struct FollowedPeople {
  private var follower: PersonFollower
  private var continuity: PoseContinuity?
  private var smoother: PoseSmoother?
  private var time = -TimeInterval.infinity

  /// Follows nobody yet.
  ///
  /// - Parameters:
  ///   - maximumPersonCount: How many people are followed at most, at least 1.
  ///   - repairsSides: Whether left and right are exchanged where they were mistaken.
  ///   - isSmoothed: Whether the joints' trembling is calmed.
  init(maximumPersonCount: Int = 1, repairsSides: Bool = true, isSmoothed: Bool = false) {
    follower = PersonFollower(maximumPersonCount: maximumPersonCount)
    continuity = repairsSides ? PoseContinuity() : nil
    smoother = isSmoothed ? PoseSmoother() : nil
  }

  /// How many people are followed at most, at least 1; where it falls, those found last are let go.
  var maximumPersonCount: Int {
    get { follower.maximumPersonCount }
    set { follower.maximumPersonCount = max(1, newValue) }
  }

  /// Whether the joints' trembling is calmed.
  var isSmoothed: Bool {
    get { smoother != nil }
    set { if newValue != isSmoothed { smoother = newValue ? PoseSmoother() : nil } }
  }

  /// The poses of the people in the next frame, by their ids.
  ///
  /// - Parameters:
  ///   - frame: The frame, upright.
  ///   - time: When it is shown, in seconds; a step back in time begins a new clip.
  ///   - networks: What looks at it.
  mutating func poses(
    in frame: Frame, at time: TimeInterval, networks: inout PoseNetworks
  ) throws -> [Pose] {
    if time < self.time { reset() }
    self.time = time
    var poses = try follower.people(in: frame, at: time, networks: &networks).map {
      Pose($0.landmarks, width: frame.width, height: frame.height, id: $0.id)
    }
    continuity?.aspectRatio = Float(frame.width) / Float(frame.height)
    poses = continuity?.filtered(poses, at: time) ?? poses
    return smoother?.filtered(poses, at: time) ?? poses
  }

  /// Forgets them, for a new clip; their ids are not used again.
  mutating func reset() {
    follower.reset()
    continuity?.reset()
    smoother?.reset()
    time = -.infinity
  }
}
