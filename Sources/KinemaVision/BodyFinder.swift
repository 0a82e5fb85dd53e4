import KinemaPose
import KinemaVideo

/// Finds the poses of bodies.
struct BodyFinder: PoseFinder {
  private var networks: PoseNetworks
  private var people: FollowedPeople

  init(
    configuration: HumanBodyPoseExtractor.Configuration, runtime: VisionRuntime
  ) throws(VisionError) {
    networks = try PoseNetworks(runtime: runtime, precision: configuration.precision)
    people = FollowedPeople(
      maximumPersonCount: configuration.maximumPersonCount,
      repairsSides: configuration.repairsSides, isSmoothed: configuration.isSmoothed)
  }

  var times: StageTimes {
    get { networks.times }
    set { networks.times = newValue }
  }

  mutating func followed(in frame: Frame, at time: Double) throws -> [Pose] {
    try people.poses(in: frame, at: time, networks: &networks)
  }

  mutating func found(inStill frame: Frame) throws -> [Pose] {
    try StillPeople.found(in: frame, networks: &networks).map {
      Pose($0, width: frame.width, height: frame.height, id: nil)
    }
  }

  mutating func reset() {
    people.reset()
  }
}
