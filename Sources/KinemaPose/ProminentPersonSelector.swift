/// Chooses, frame after frame, the person who counts: the one who is pinned, else the largest one,
/// with hysteresis.
///
/// The person chosen before stays as long as they are seen and nobody else covers much more of the
/// picture, so that two people of like size do not alternate.
public struct ProminentPersonSelector: Sendable {
  /// How many times the area of the present person another one needs to take over.
  public static let takeoverRatio: Float = 1.4
  /// How far apart frames without a time are taken to be, in seconds.
  private static let assumedStep = 1.0 / 30

  /// The id of the person chosen last.
  public private(set) var personID: Int?
  /// The id of the person who is chosen whatever the others do; `nil` pins nobody.
  ///
  /// While that person is out of sight, nobody is chosen; after ``patience`` it is the prominent one
  /// again, until the pinned one is back.
  public var pinnedPersonID: Int? {
    didSet { if pinnedPersonID != oldValue { pinnedTime = nil } }
  }
  /// For how long the pinned person may be out of sight before another one is chosen, in seconds.
  public var patience: Double
  /// When the pinned person was last seen or, before that, pinned.
  private var pinnedTime: Double?
  private var time = 0.0
  private let selector = PoseSelector(strategy: .maximumBoundingBoxArea)

  /// Creates a selector that has chosen nobody yet.
  ///
  /// - Parameters:
  ///   - pinnedPersonID: See ``pinnedPersonID``.
  ///   - patience: See ``patience``.
  public init(pinnedPersonID: Int? = nil, patience: Double = 1) {
    self.pinnedPersonID = pinnedPersonID
    self.patience = patience
  }

  /// The person who counts among the poses of the next frame; `nil` if there is nobody.
  ///
  /// - Parameters:
  ///   - poses: The poses of everybody.
  ///   - time: When the frame is shown, in seconds; by default 1/30 s after the frame before.
  public mutating func select(from poses: [Pose], at time: Double? = nil) -> Pose? {
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
    // Where no joint is sure enough to span a rectangle, whoever comes first will do.
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
