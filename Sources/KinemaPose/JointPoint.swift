public import Foundation

/// A joint's location and confidence.
public struct JointPoint: Hashable, Codable, Sendable {
  /// The joint.
  public let key: JointKey
  /// The location, normalised to the frame: (0, 0) is the lower left corner, (1, 1) the upper
  /// right.
  public var position: SIMD2<Float>
  /// The confidence in the location, from 0 (not found) to 1.
  public var confidence: Float

  /// The confidence from which a joint counts as seen, rather than inferred: it is drawn and measured.
  public static let leastConfidence: Float = 0.2

  /// Creates a joint from a location in pose coordinates.
  public init(_ key: JointKey, position: SIMD2<Float>, confidence: Float) {
    self.key = key
    self.position = position
    self.confidence = confidence
  }

  /// Creates a joint from a location in pose coordinates.
  public init(_ key: JointKey, location: CGPoint, confidence: Float) {
    self.init(key, position: SIMD2(Float(location.x), Float(location.y)), confidence: confidence)
  }

  /// ``position`` as a point.
  public var location: CGPoint {
    get { CGPoint(x: CGFloat(position.x), y: CGFloat(position.y)) }
    set { position = SIMD2(Float(newValue.x), Float(newValue.y)) }
  }
}
