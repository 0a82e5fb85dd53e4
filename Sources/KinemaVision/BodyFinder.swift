import KinemaPose
import KinemaVideo

/// Finds the poses of bodies.
struct BodyFinder: PoseFinder {
  private var networks: PoseNetworks
  private var follower: PersonFollower

  init(
    configuration: HumanBodyPoseExtractor.Configuration, runtime: VisionRuntime
  ) throws(VisionError) {
    networks = try PoseNetworks(runtime: runtime, precision: configuration.precision)
    follower = PersonFollower(maximumPersonCount: configuration.maximumPersonCount)
  }

  var times: StageTimes {
    get { networks.times }
    set { networks.times = newValue }
  }

  mutating func followed(in frame: Frame, at time: Double) throws -> [Pose] {
    try follower.people(in: frame, at: time, networks: &networks).map {
      Pose($0.landmarks, width: frame.width, height: frame.height, id: $0.id)
    }
  }

  mutating func found(inStill frame: Frame) throws -> [Pose] {
    try StillPeople.found(in: frame, networks: &networks).map {
      Pose($0, width: frame.width, height: frame.height, id: nil)
    }
  }

  mutating func reset() {
    follower.reset()
  }
}
