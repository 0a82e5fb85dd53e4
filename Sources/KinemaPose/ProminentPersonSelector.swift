/// Chooses the prominent person frame by frame: the pinned one, else the largest, with hysteresis
/// so that two people of similar size do not alternate.
package struct ProminentPersonSelector: Sendable {
  /// How many times as prominent another person must be to take over; so too where people compete to
  /// be tracked.
  package static let takeoverRatio: Float = 1.4
  /// The assumed interval of frames without a time, in seconds.
  private static let assumedStep = 1.0 / 30

  package private(set) var personID: Int?
  /// The id of the pinned person, or `nil`.
  ///
  /// While they are not visible no person is chosen; after ``patience`` the prominent one is, until
  /// they return.
  package var pinnedPersonID: Int? { didSet { if pinnedPersonID != oldValue { pinnedTime = nil } } }
  /// How long the pinned person may be absent before another one is chosen, in seconds.
  package var patience: Double
  /// When the pinned person was last visible or, before that, pinned.
  private var pinnedTime: Double?
  private var time = 0.0
  private let selector = PoseSelector(strategy: .maximumBoundingBoxArea)

  package init(pinnedPersonID: Int? = nil, patience: Double = 1) {
    self.pinnedPersonID = pinnedPersonID
    self.patience = patience
  }

  /// The chosen person of the next frame, or `nil`; `time` is in seconds, by default 1/30 s later.
  package mutating func select(from poses: [Pose], at time: Double? = nil) -> Pose? {
    self.time = time ?? self.time + Self.assumedStep
    if let pinnedPersonID {
      if let pinned = poses.first(where: { $0.personID == pinnedPersonID }) {
        (personID, pinnedTime) = (pinnedPersonID, self.time)
        return pinned
      }
      let start = pinnedTime ?? self.time
      pinnedTime = start
      if self.time - start <= patience { return nil }
    }
    return prominent(among: poses)
  }

  private mutating func prominent(among poses: [Pose]) -> Pose? {
    // Without a confident joint for a bounding box, the first pose is chosen.
    let chosen = selector.applied(to: poses)
    guard let largest = chosen.keypoints.isEmpty ? poses.first : chosen else { return nil }
    if let personID, let present = poses.first(where: { $0.personID == personID }) {
      let area = present.boundingBoxArea()
      if area > 0, largest.boundingBoxArea() < area * Self.takeoverRatio { return present }
    }
    personID = largest.personID
    return largest
  }
}

extension PoseSequence {
  package var prominentPoses: [Pose?] {
    var selector = ProminentPersonSelector()
    return frames.map { selector.select(from: $0.poses, at: $0.time) }
  }
}
