public import KinemaPose

/// A body in three dimensions, estimated from poses in a picture.
///
/// Coordinates are metres from the middle of the hips: y up against gravity, z level towards the camera,
/// x level to the right in the picture.
public struct LiftedBody: Sendable {
  /// Where a joint is.
  public struct Joint: Hashable, Sendable {
    /// In metres.
    public var position: SIMD3<Float>
    /// The covariance of ``position`` in square metres, by columns.
    public var covariance: [SIMD3<Float>]
    /// The standard error in metres: the root of the mean square distance from the true place that is to be
    /// expected.
    public var error: Float
  }

  /// An angle with its standard error, in degrees.
  public struct Angle: Hashable, Codable, Sendable {
    /// The estimate.
    public var value: Float
    /// The standard error of ``value``.
    public var error: Float

    /// Creates an angle in degrees.
    public init(value: Float, error: Float) { (self.value, self.error) = (value, error) }
  }

  /// The joints of ``JointKey/body``.
  public var joints: [JointKey: Joint]
  /// All angles, in degrees.
  public var angles: [BodyAngle: Angle]
  /// The person's height, in metres, as given or estimated.
  public var stature: Float
  /// The direction against gravity in the camera's coordinates: x to the right and y up in the picture, z
  /// towards the camera; of length 1.
  public var up: SIMD3<Float>
  /// The height of the lowest joint, in metres: the floor is just below it where the person touches it.
  public var floorHeight: Float
  /// The id of the person, if tracked.
  public var personID: Int?
}
