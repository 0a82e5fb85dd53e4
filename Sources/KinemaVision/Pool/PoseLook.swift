package import Foundation
package import KinemaPose
package import KinemaVideo

/// What a job has in hand while it is its stream's turn: a thread's networks and the people whom the
/// stream follows.
package struct PoseLook {
  private let precision: HumanBodyPoseExtractor.Precision
  private let runtime: VisionRuntime
  private var networks: PoseNetworks?
  var people = FollowedPeople()

  init(precision: HumanBodyPoseExtractor.Precision, runtime: VisionRuntime) {
    self.precision = precision
    self.runtime = runtime
  }

  /// How many people are followed at most, at least 1; where it falls, those found last are let go.
  package var maximumPersonCount: Int {
    get { people.maximumPersonCount }
    set { people.maximumPersonCount = newValue }
  }

  /// Whether the joints' trembling is calmed; see ``KinemaPose/PoseSmoother``.
  package var isSmoothed: Bool {
    get { people.isSmoothed }
    set { people.isSmoothed = newValue }
  }

  /// The poses of the people in the stream's next frame, by their ids.
  ///
  /// - Parameters:
  ///   - frame: The frame, upright.
  ///   - time: When it is shown, in seconds; one that is earlier than the frame before begins a new
  ///     clip.
  /// - Throws: ``VisionError``.
  package mutating func poses(in frame: Frame, at time: TimeInterval) throws -> [Pose] {
    // Taken out while in use, so that they are changed in place and not copied.
    var networks = try self.networks ?? loaded()
    self.networks = nil
    defer { self.networks = networks }
    return try people.poses(in: frame, at: time, networks: &networks)
  }

  /// Forgets the people followed, for another source; their ids are not used again.
  package mutating func reset() {
    people.reset()
  }

  /// Loads the networks where they are not.
  mutating func load() throws {
    if networks == nil { networks = try loaded() }
  }

  private func loaded() throws -> PoseNetworks {
    try PoseNetworks(runtime: runtime, precision: precision)
  }
}
