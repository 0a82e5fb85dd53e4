public import KinemaStreams

/// Keeps some joints of a pose and sets the others to zero, in place and confidence; none is
/// removed.
public struct JointsSelector: Transformer, Hashable, Codable, Sendable {
  /// The joints that are set to zero, if the selector was made so.
  public var ignoredJoints: [JointKey]?
  /// The joints that are kept, if the selector was made so.
  public var selectedJoints: [JointKey]?

  /// Creates a selector that drops the given joints.
  public init(ignoredJoints: [JointKey]) {
    self.ignoredJoints = ignoredJoints
  }

  /// Creates a selector that keeps only the given joints.
  public init(selectedJoints: [JointKey]) {
    self.selectedJoints = selectedJoints
  }

  /// The pose with the joints that are not wanted set to zero.
  public func applied(to input: Pose, eventHandler: EventHandler? = nil) -> Pose {
    var output = input
    for key in input.keypoints.keys where !keeps(key) {
      output.keypoints[key] = JointPoint(key, position: .zero, confidence: 0)
    }
    return output
  }

  private func keeps(_ key: JointKey) -> Bool {
    if let ignoredJoints, ignoredJoints.contains(key) { return false }
    if let selectedJoints, !selectedJoints.contains(key) { return false }
    return true
  }
}
