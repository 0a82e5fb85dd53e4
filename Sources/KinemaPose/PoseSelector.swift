public import KinemaStreams

/// The rule that chooses one person among several, by the joints above the confidence threshold.
public enum PoseSelectionStrategy: String, Hashable, Codable, Sendable, CaseIterable {
  /// The person with the largest bounding box.
  case maximumBoundingBoxArea
  /// The person with the highest joint.
  case highestJointLocation
  /// The person with the lowest joint.
  case lowestJointLocation
  /// The person with the leftmost joint.
  case leftmostJointLocation
  /// The person with the rightmost joint.
  case rightmostJointLocation
}

/// Chooses one pose of a frame.
///
/// - Input: the poses of a frame.
/// - Output: one of them, or an empty pose, so that windows stay aligned with time.
public struct PoseSelector: Transformer, Codable, Hashable, Sendable {
  /// The rule.
  public var strategy: PoseSelectionStrategy
  /// The confidence that a joint needs, from 0 to 1.
  public var confidenceThreshold: Float

  /// Creates a selector.
  public init(
    strategy: PoseSelectionStrategy = .maximumBoundingBoxArea,
    confidenceThreshold: Float = JointPoint.leastConfidence
  ) {
    self.strategy = strategy
    self.confidenceThreshold = confidenceThreshold
  }

  /// The chosen pose; the first of equals.
  public func applied(to input: [Pose], eventHandler: EventHandler? = nil) -> Pose {
    var best: (rank: Float, pose: Pose)?
    for pose in input {
      guard let rank = rank(of: pose) else { continue }
      if rank > best?.rank ?? -.infinity { best = (rank, pose) }
    }
    return best?.pose ?? .empty
  }

  private func rank(of pose: Pose) -> Float? {
    guard let box = pose.boundingBox(confidenceThreshold: confidenceThreshold) else { return nil }
    switch strategy {
    case .maximumBoundingBoxArea:
      let size = box.upperRight - box.lowerLeft
      return size.x * size.y
    case .highestJointLocation: return box.upperRight.y
    case .lowestJointLocation: return -box.lowerLeft.y
    case .leftmostJointLocation: return -box.lowerLeft.x
    case .rightmostJointLocation: return box.upperRight.x
    }
  }
}
