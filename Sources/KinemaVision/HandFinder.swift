import KinemaPose
import KinemaVideo

/// Finds the poses of hands.
struct HandFinder: PoseFinder {
  private let maximumHandCount: Int
  private var networks: HandNetworks
  private var follower: HandFollower

  init(
    configuration: HumanHandPoseExtractor.Configuration, runtime: VisionRuntime
  ) throws(VisionError) {
    maximumHandCount = configuration.maximumHandCount
    networks = try HandNetworks(runtime: runtime, precision: configuration.precision)
    follower = HandFollower(maximumHandCount: maximumHandCount)
  }

  var times: StageTimes {
    get { networks.times }
    set { networks.times = newValue }
  }

  mutating func followed(in frame: Frame, at time: Double) throws -> [Pose] {
    try follower.hands(in: frame, at: time, networks: &networks).map {
      Pose(
        $0.landmarks, width: frame.width, height: frame.height, chirality: $0.chirality, id: $0.id)
    }
  }

  mutating func found(inStill frame: Frame) throws -> [Pose] {
    let hands = try StillHands.found(
      in: frame, maximumCount: maximumHandCount, networks: &networks)
    return hands.map {
      Pose(
        $0, width: frame.width, height: frame.height,
        chirality: $0.rightness >= 0.5 ? .right : .left, id: nil)
    }
  }

  mutating func reset() {
    follower.reset()
  }
}
