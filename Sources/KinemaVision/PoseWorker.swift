import KinemaPose
import KinemaStreams
import KinemaVideo

/// Holds the networks and the people followed, and works on a thread of its own.
actor PoseWorker {
  /// When a frame is shown.
  enum Moment: Sendable {
    /// One thirtieth of a second after the frame before.
    case next
    /// At a time in seconds, of a source with a name.
    case at(seconds: Double, source: String)
  }

  private static let assumedStep = 1.0 / 30

  private let executor = ThreadExecutor()
  private let configuration: HumanBodyPoseExtractor.Configuration
  private let runtime: VisionRuntime
  private var networks: PoseNetworks?
  private var follower: PersonFollower
  private var time = 0.0
  private var source: String?
  private var isMeasuring = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(configuration: HumanBodyPoseExtractor.Configuration, runtime: VisionRuntime) {
    self.configuration = configuration
    self.runtime = runtime
    follower = PersonFollower(maximumPersonCount: configuration.maximumPersonCount)
  }

  func poses(in frame: Frame, at moment: Moment) throws -> [Pose] {
    try Task.checkCancellation()
    // Taken out while in use, so that they are changed in place and not copied.
    var networks = try self.networks ?? loadedNetworks()
    self.networks = nil
    defer { self.networks = networks }
    func pose(_ body: BodyLandmarks, id: Int?) -> Pose {
      Pose(body, width: frame.width, height: frame.height, id: id)
    }
    switch configuration.mode {
    case .stillImages:
      return try StillPeople.found(in: frame, networks: &networks).map { pose($0, id: nil) }
    case .following:
      advance(to: moment)
      return try follower.people(in: frame, at: time, networks: &networks).map {
        pose($0.landmarks, id: $0.id)
      }
    }
  }

  func reset() {
    follower.reset()
  }

  /// Moves the clock; another source, or a step back in time, begins a new clip.
  private func advance(to moment: Moment) {
    switch moment {
    case .next:
      time += Self.assumedStep
    case .at(let seconds, let source):
      if source != self.source || seconds < time {
        follower.reset()
      }
      self.source = source
      time = seconds
    }
  }

  private func loadedNetworks() throws -> PoseNetworks {
    var networks = try PoseNetworks(runtime: runtime, precision: configuration.precision)
    networks.times.isMeasuring = isMeasuring
    return networks
  }

  // MARK: - Measuring

  func measureStages() {
    isMeasuring = true
    networks?.times.isMeasuring = true
  }

  var stageTimes: StageTimes {
    networks?.times ?? StageTimes()
  }
}
