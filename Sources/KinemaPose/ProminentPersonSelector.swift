/// Chooses, frame after frame, the person who counts: the largest one, with hysteresis.
///
/// The person chosen before stays as long as they are seen and nobody else covers much more of the
/// picture, so that two people of like size do not alternate.
public struct ProminentPersonSelector: Sendable {
  /// How many times the area of the present person another one needs to take over.
  public static let takeoverRatio: Float = 1.4

  /// The id of the person chosen last.
  public private(set) var personID: Int?
  private let selector = PoseSelector(strategy: .maximumBoundingBoxArea)

  /// Creates a selector that has chosen nobody yet.
  public init() {}

  /// The prominent person among the poses of the next frame; `nil` if there is nobody.
  public mutating func select(from poses: [Pose]) -> Pose? {
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
