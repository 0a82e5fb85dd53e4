public import KinemaStreams

/// How the one person that counts is chosen among several.
///
/// A joint counts if it is at least as sure as the selector's threshold; the picture's origin is at
/// the lower left, so the highest joint has the largest y.
public enum PoseSelectionStrategy: String, Hashable, Codable, Sendable, CaseIterable {
  /// The person whose joints span the largest upright rectangle.
  case maximumBoundingBoxArea
  /// The person with the joint that is highest in the picture.
  case highestJointLocation
  /// The person with the joint that is lowest in the picture.
  case lowestJointLocation
  /// The person with the joint that is furthest left in the picture.
  case leftmostJointLocation
  /// The person with the joint that is furthest right in the picture.
  case rightmostJointLocation
}

/// Chooses one pose among those of a frame.
///
/// - Input: the poses of a frame.
/// - Output: one of them; a pose without joints where there is none, so that a window keeps its
///   place in time.
public struct PoseSelector: Transformer, Codable, Hashable, Sendable {
  /// How the pose is chosen.
  public var strategy: PoseSelectionStrategy
  /// The confidence, from 0 to 1, that a joint needs to count.
  public var confidenceThreshold: Float

  /// Creates a selector.
  public init(
    strategy: PoseSelectionStrategy = .maximumBoundingBoxArea, confidenceThreshold: Float = 0.2
  ) {
    self.strategy = strategy
    self.confidenceThreshold = confidenceThreshold
  }

  /// The chosen pose; the first of several that are equal.
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
