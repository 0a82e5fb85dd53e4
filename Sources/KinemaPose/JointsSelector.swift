public import KinemaStreams

/// Sets the location and confidence of unselected joints to zero.
public struct JointsSelector: Transformer, Hashable, Codable, Sendable {
  /// The joints to set to zero.
  public var ignoredJoints: [JointKey]?
  /// The joints to retain.
  public var selectedJoints: [JointKey]?

  /// Creates a selector that sets the given joints to zero.
  public init(ignoredJoints: [JointKey]) { self.ignoredJoints = ignoredJoints }

  /// Creates a selector that sets all other joints to zero.
  public init(selectedJoints: [JointKey]) { self.selectedJoints = selectedJoints }

  /// The pose with unselected joints set to zero.
  public func applied(to input: Pose, eventHandler: EventHandler? = nil) -> Pose {
    var output = input
    for key in input.keypoints.keys where !selects(key) {
      output.keypoints[key] = JointPoint(key, position: .zero, confidence: 0)
    }
    return output
  }

  private func selects(_ key: JointKey) -> Bool {
    if let ignoredJoints, ignoredJoints.contains(key) { return false }
    if let selectedJoints, !selectedJoints.contains(key) { return false }
    return true
  }
}
