package import Foundation
package import KinemaPose
package import KinemaTracking
package import KinemaVideo

/// Finds and tracks the bodies or hands of one stream, with the networks of the thread whose turn it is.
package struct PoseFinder {
  /// Finds poses in place of the networks, for tests.
  package typealias Substitute = (Frame, TimeInterval) throws -> [Pose]

  /// What is found; a change of its limits keeps the tracks, a change from bodies to hands does not.
  package var subject: PoseSubject {
    didSet { if subject != oldValue { follow(subject) } }
  }
  /// The networks, while it is the stream's turn.
  var networks: ThreadNetworks?
  private let substitute: Substitute?
  private var bodies: FollowedPeople?
  private var hands: HandFollower?
  private var time = -TimeInterval.infinity

  init(_ subject: PoseSubject, substitute: Substitute? = nil) {
    self.subject = subject
    self.substitute = substitute
    follow(subject)
  }

  /// The poses in the stream's next frame, by their ids.
  ///
  /// - Parameters:
  ///   - frame: The frame, upright.
  ///   - time: Its time in seconds; one before that of the frame before begins a new clip.
  ///   - otherMotion: What moves beside the people of the frames before. There the detector searches for
  ///     further people; while nothing does, only at ``TrackingRules/Search/quietInterval``.
  /// - Throws: ``VisionError``.
  package mutating func poses(
    in frame: Frame, at time: TimeInterval, otherMotion: OtherMotion = .unknown
  ) throws -> [Pose] {
    try found(in: frame, at: time, otherMotion: otherMotion).map(\.pose)
  }

  /// The people in the stream's next frame, by their ids, for a ``LookAhead``.
  ///
  /// - Throws: ``VisionError``.
  package mutating func people(in frame: Frame, at time: TimeInterval) throws -> [TrackedPerson] {
    let aspectRatio = Float(frame.width) / Float(frame.height)
    let rules = subject.trackingRules
    return try found(in: frame, at: time).map {
      TrackedPerson($0.pose, aspectRatio: aspectRatio, appearance: $0.appearance, rules: rules)
    }
  }

  private mutating func found(
    in frame: Frame, at time: TimeInterval, otherMotion: OtherMotion = .unknown
  ) throws -> [(pose: Pose, appearance: Appearance?)] {
    if time < self.time { reset() }
    self.time = time
    if let substitute { return try substitute(frame, time).map { ($0, nil) } }
    if bodies != nil {
      return try lentNetworks.withBodies(subject.settings) { networks in
        try bodies?.people(in: frame, at: time, otherMotion: otherMotion, networks: &networks)
      } ?? []
    }
    return try lentNetworks.withHands(subject.settings) { networks in
      try hands?.hands(in: frame, at: time, networks: &networks).map {
        let pose = Pose(
          $0.landmarks, width: frame.width, height: frame.height, chirality: $0.chirality,
          id: $0.id)
        return (pose, nil)
      }
    } ?? []
  }

  /// The processor time of the stages since ``measureStages()``.
  package var stageTimes: StageTimes { networks?.times ?? StageTimes() }

  /// Takes the time of each stage from now on.
  package func measureStages() { networks?.isMeasuring = true }

  /// The poses in a still picture, without ids.
  ///
  /// - Throws: ``VisionError``.
  package func poses(inStill frame: Frame) throws -> [Pose] {
    if let substitute { return try substitute(frame, 0) }
    switch subject {
    case .bodies(let configuration):
      return try lentNetworks.withBodies(configuration.settings) { networks in
        try StillPeople.found(in: frame, networks: &networks).map {
          Pose(
            $0, width: frame.width, height: frame.height, id: nil,
            keepsLandmarks: configuration.keepsLandmarks)
        }
      }
    case .hands(let configuration):
      return try lentNetworks.withHands(configuration.settings) { networks in
        try StillHands.found(
          in: frame, maximumCount: configuration.maximumHandCount, networks: &networks
        ).map {
          Pose(
            $0, width: frame.width, height: frame.height,
            chirality: $0.rightness >= 0.5 ? .right : .left, id: nil)
        }
      }
    }
  }

  /// Ends all tracks, for another clip; their ids are not used again.
  package mutating func reset() {
    bodies?.reset()
    hands?.reset()
    time = -.infinity
  }

  private mutating func follow(_ subject: PoseSubject) {
    switch subject {
    case .bodies(let configuration):
      hands = nil
      if bodies == nil { bodies = FollowedPeople(configuration) }
      bodies?.apply(configuration)
    case .hands(let configuration):
      bodies = nil
      if hands == nil { hands = HandFollower(maximumHandCount: configuration.maximumHandCount) }
      hands?.maximumHandCount = configuration.maximumHandCount
    }
  }

  private var lentNetworks: ThreadNetworks {
    guard let networks else { preconditionFailure("Poses are found in the stream's turn.") }
    return networks
  }
}

/// The networks of one thread, each loaded when it is first needed.
final class ThreadNetworks {
  private let runtime: VisionRuntime
  private let share: (LandmarkBatch) -> Void
  private var bodies: (settings: NetworkSettings, networks: PoseNetworks)?
  private var hands: (settings: NetworkSettings, networks: HandNetworks)?
  /// Whether the time of the stages is measured.
  var isMeasuring = false {
    didSet {
      bodies?.networks.times.isMeasuring = isMeasuring
      hands?.networks.times.isMeasuring = isMeasuring
    }
  }

  /// - Parameter share: Offers a batch of inferences to other threads.
  init(runtime: VisionRuntime, share: @escaping (LandmarkBatch) -> Void) {
    (self.runtime, self.share) = (runtime, share)
  }

  var times: StageTimes { bodies?.networks.times ?? hands?.networks.times ?? StageTimes() }

  /// Loads the networks of a subject where they are not loaded.
  func load(_ subject: PoseSubject) throws {
    if subject.isOfHands {
      try withHands(subject.settings) { _ in }
    } else {
      try withBodies(subject.settings) { _ in }
    }
  }

  func withBodies<Result>(
    _ settings: NetworkSettings, _ body: (inout PoseNetworks) throws -> Result
  ) throws -> Result {
    // Taken out while in use, so that they are changed in place and not copied.
    var networks: PoseNetworks
    if let bodies, bodies.settings == settings {
      networks = bodies.networks
    } else {
      networks = try PoseNetworks(
        runtime: runtime.on(settings.device), precision: settings.precision)
      networks.share = share
      networks.times.isMeasuring = isMeasuring
    }
    bodies = nil
    defer { bodies = (settings, networks) }
    return try body(&networks)
  }

  func withHands<Result>(
    _ settings: NetworkSettings, _ body: (inout HandNetworks) throws -> Result
  ) throws -> Result {
    var networks: HandNetworks
    if let hands, hands.settings == settings {
      networks = hands.networks
    } else {
      networks = try HandNetworks(
        runtime: runtime.on(settings.device), precision: settings.precision)
      networks.times.isMeasuring = isMeasuring
    }
    hands = nil
    defer { hands = (settings, networks) }
    return try body(&networks)
  }
}
