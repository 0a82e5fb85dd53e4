import Glibc
import KinemaPose

/// An angle of the body, in degrees.
///
/// The joints are points, so these are angles between the lines that join them, not those of bones'
/// coordinate systems; their names and neutral positions follow the recommendations of the International
/// Society of Biomechanics (Wu et al., *J. Biomech.* 35, 2002, and 38, 2005) as far as points allow.
public enum BodyAngle: String, CaseIterable, Codable, Sendable {
  /// Between thigh and shank: 180 is straight.
  case leftKnee, rightKnee
  /// Between trunk and thigh: 180 is straight.
  case leftHip, rightHip
  /// Between upper arm and forearm: 180 is straight.
  case leftElbow, rightElbow
  /// Between the upper arm and the trunk: 0 is the arm at the side, 180 overhead.
  case leftShoulder, rightShoulder
  /// Between the trunk and upright, in any direction: 0 is upright.
  case trunkLean
  /// How far the trunk leans to where the pelvis is turned; below 0 backwards.
  case trunkForwardLean
  /// How far the trunk leans to the person's left; below 0 to the right.
  case trunkSideLean
  /// By how much the shoulders are turned to the left against the hips, about the trunk.
  case trunkRotation
  /// How far the line of the hips, or of the shoulders, is from level: above 0 where the left is higher.
  case pelvisObliquity, shoulderObliquity
  /// How far the thigh points outwards, away from the other side: 0 in the plane of the trunk's middle.
  case leftHipAbduction, rightHipAbduction
  /// How far the upper arm points outwards.
  case leftShoulderAbduction, rightShoulderAbduction

  /// The angles of a body in radians, in the order of `allCases`.
  ///
  /// - Parameters:
  ///   - joints: The places of the 18 joints in the order of ``JointKey/body``, in any unit and any
  ///     right-handed coordinates.
  ///   - up: The direction against gravity in these coordinates.
  package static func values(of joints: [Vector3], up: Vector3) -> [Float] {
    let body = Body(joints, up: up.direction ?? Vector3(0, 1, 0))
    return allCases.map { body.angle($0) }
  }
}

/// What all angles of one body are made of.
private struct Body {
  let joints: [Vector3]
  let up, trunk, hips, shoulders: Vector3
  /// Where the front of the pelvis points, level.
  let forward: Vector3

  init(_ joints: [Vector3], up: Vector3) {
    self.joints = joints
    self.up = up
    hips = joints[.leftHip] - joints[.rightHip]
    shoulders = joints[.leftShoulder] - joints[.rightShoulder]
    trunk =
      (joints[.leftShoulder] + joints[.rightShoulder] - joints[.leftHip] - joints[.rightHip]) / 2
    let left = hips.direction ?? shoulders.direction ?? Vector3(1, 0, 0)
    forward = left.cross(trunk).direction ?? Vector3(0, 0, 1)
  }

  func angle(_ angle: BodyAngle) -> Float {
    switch angle {
    case .leftKnee: bend(.leftHip, .leftKnee, .leftAnkle)
    case .rightKnee: bend(.rightHip, .rightKnee, .rightAnkle)
    case .leftHip: bend(.leftShoulder, .leftHip, .leftKnee)
    case .rightHip: bend(.rightShoulder, .rightHip, .rightKnee)
    case .leftElbow: bend(.leftShoulder, .leftElbow, .leftWrist)
    case .rightElbow: bend(.rightShoulder, .rightElbow, .rightWrist)
    case .leftShoulder: (-trunk).angle(to: joints[.leftElbow] - joints[.leftShoulder])
    case .rightShoulder: (-trunk).angle(to: joints[.rightElbow] - joints[.rightShoulder])
    case .trunkLean: trunk.angle(to: up)
    case .trunkForwardLean: asin(of: trunk, along: level(forward))
    case .trunkSideLean: asin(of: trunk, along: level(hips))
    case .trunkRotation: rotation
    case .pelvisObliquity: asin(of: hips, along: up)
    case .shoulderObliquity: asin(of: shoulders, along: up)
    case .leftHipAbduction: asin(of: joints[.leftKnee] - joints[.leftHip], along: across(hips))
    case .rightHipAbduction: asin(of: joints[.rightKnee] - joints[.rightHip], along: across(-hips))
    case .leftShoulderAbduction:
      asin(of: joints[.leftElbow] - joints[.leftShoulder], along: across(shoulders))
    case .rightShoulderAbduction:
      asin(of: joints[.rightElbow] - joints[.rightShoulder], along: across(-shoulders))
    }
  }

  private func bend(_ near: BodyJoint, _ middle: BodyJoint, _ far: BodyJoint) -> Float {
    (joints[near] - joints[middle]).angle(to: joints[far] - joints[middle])
  }

  /// The angle of a line above the plane that a direction is normal to.
  private func asin(of line: Vector3, along direction: Vector3) -> Float {
    .pi / 2 - line.angle(to: direction)
  }

  /// A direction without its part against gravity.
  private func level(_ way: Vector3) -> Vector3 { way - up * way.dot(up) }

  /// A direction without its part along the trunk.
  private func across(_ way: Vector3) -> Vector3 {
    guard let axis = trunk.direction else { return way }
    return way - axis * way.dot(axis)
  }

  /// The signed angle from the hips to the shoulders about the trunk.
  private var rotation: Float {
    guard let axis = trunk.direction, let from = across(hips).direction,
      let to = across(shoulders).direction
    else { return 0 }
    return atan2f(from.cross(to).dot(axis), from.dot(to))
  }
}
