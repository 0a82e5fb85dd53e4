/// A joint's location and confidence.
public struct JointPoint: Hashable, Codable, Sendable {
  /// The joint.
  public let key: JointKey
  /// The location, normalised to the frame: (0, 0) is the lower left corner, (1, 1) the upper
  /// right.
  public var position: SIMD2<Float>
  /// The confidence in the location, from 0 (not found) to 1.
  public var confidence: Float

  /// Creates a joint from a location in pose coordinates.
  public init(_ key: JointKey, position: SIMD2<Float>, confidence: Float) {
    self.key = key
    self.position = position
    self.confidence = confidence
  }
}
