import KinemaPose
import KinemaVideo

/// Finds the poses of bodies.
struct BodyFinder: PoseFinder {
  private var networks: PoseNetworks
  private var follower: PersonFollower
  private var continuity: PoseContinuity?
  private var smoother: PoseSmoother?

  init(
    configuration: HumanBodyPoseExtractor.Configuration, runtime: VisionRuntime
  ) throws(VisionError) {
    networks = try PoseNetworks(runtime: runtime, precision: configuration.precision)
    follower = PersonFollower(maximumPersonCount: configuration.maximumPersonCount)
    continuity = configuration.repairsSides ? PoseContinuity() : nil
    smoother = configuration.isSmoothed ? PoseSmoother() : nil
  }

  var times: StageTimes {
    get { networks.times }
    set { networks.times = newValue }
  }

  mutating func followed(in frame: Frame, at time: Double) throws -> [Pose] {
    var poses = try follower.people(in: frame, at: time, networks: &networks).map {
      Pose($0.landmarks, width: frame.width, height: frame.height, id: $0.id)
    }
    continuity?.aspectRatio = Float(frame.width) / Float(frame.height)
    poses = continuity?.filtered(poses, at: time) ?? poses
    return smoother?.filtered(poses, at: time) ?? poses
  }

  mutating func found(inStill frame: Frame) throws -> [Pose] {
    try StillPeople.found(in: frame, networks: &networks).map {
      Pose($0, width: frame.width, height: frame.height, id: nil)
    }
  }

  mutating func reset() {
    follower.reset()
    continuity?.reset()
    smoother?.reset()
  }
}
