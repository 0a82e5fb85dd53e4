import Foundation
package import KinemaPose

/// Where everything of a body is, in metres: y up from the floor, z where the person faces before
/// being placed in a scene, x to the person's left.
package struct Skeleton: Hashable, Sendable {
  package struct Side: Hashable, Sendable {
    package var shoulder = SIMD3<Float>()
    package var elbow = SIMD3<Float>()
    package var wrist = SIMD3<Float>()
    package var fingertips = SIMD3<Float>()
    package var hip = SIMD3<Float>()
    package var knee = SIMD3<Float>()
    package var ankle = SIMD3<Float>()
    package var ball = SIMD3<Float>()
    package var eye = SIMD3<Float>()
    package var ear = SIMD3<Float>()
  }

  package var left = Side()
  package var right = Side()
  package var nose = SIMD3<Float>()
  /// The middle of the line between the shoulders.
  package var neck = SIMD3<Float>()
  /// The middle of the line between the hips.
  package var root = SIMD3<Float>()
  package var head = SIMD3<Float>()
  /// The direction of the face, of length 1.
  package var headForward = SIMD3<Float>(0, 0, 1)
  /// From the chin to the crown, of length 1.
  package var headUp = SIMD3<Float>(0, 1, 0)
  /// The direction of the chest, of length 1.
  package var chestForward = SIMD3<Float>(0, 0, 1)

  /// The place of a joint of the body; `nil` for any other joint.
  package subscript(key: JointKey) -> SIMD3<Float>? {
    key == .root ? root : JointKey.body.firstIndex(of: key).map { bodyJoints[$0] }
  }

  /// The 18 joints in the order of `JointKey.body`.
  package var bodyJoints: [SIMD3<Float>] {
    [
      nose, neck, right.shoulder, right.elbow, right.wrist, left.shoulder, left.elbow, left.wrist,
      right.hip, right.knee, right.ankle, left.hip, left.knee, left.ankle, right.eye, left.eye,
      right.ear, left.ear,
    ]
  }

  /// Puts nose, eyes and ears about the head, as it is turned, in proportion to a stature in metres.
  package mutating func placeFace(stature: Float) {
    let forward = headForward * stature
    let up = headUp * stature
    let side = headUp.cross(headForward) * stature
    nose = head + forward * 0.064 - up * 0.008
    left.eye = head + forward * 0.048 + up * 0.012 + side * 0.0185
    right.eye = head + forward * 0.048 + up * 0.012 - side * 0.0185
    left.ear = head - forward * 0.004 + side * 0.043
    right.ear = head - forward * 0.004 - side * 0.043
  }

  /// Lifts a body of which something is lower than a height, in metres.
  mutating func lift(to clearance: Float) {
    var lowest = min(neck.y, root.y, head.y, nose.y)
    for side in [left, right] {
      lowest = min(lowest, side.elbow.y, side.wrist.y, side.knee.y)
      lowest = min(lowest, side.ankle.y, side.ball.y, side.shoulder.y)
      lowest = min(lowest, side.hip.y, side.ear.y, side.eye.y)
    }
    guard lowest < clearance else { return }
    let way = Vector(0, clearance - lowest, 0)
    left = left.mapped { $0 + way }
    right = right.mapped { $0 + way }
    nose += way
    neck += way
    root += way
    head += way
  }

  /// The same body turned to its left about the upright line through its root, in radians.
  func turned(by angle: Float) -> Skeleton {
    let turned = placed(at: .zero, headingDegrees: angle * 180 / .pi)
    let way = root - turned.root
    return turned.placed(at: SIMD2(way.x, way.z), headingDegrees: 0)
  }

  /// The same body somewhere else.
  package func placed(at position: SIMD2<Float>, headingDegrees: Float) -> Skeleton {
    let angle = headingDegrees * .pi / 180
    let (sine, cosine) = (sin(angle), cos(angle))
    func turned(_ direction: SIMD3<Float>) -> SIMD3<Float> {
      SIMD3(
        direction.x * cosine + direction.z * sine, direction.y,
        direction.z * cosine - direction.x * sine)
    }
    let shift = SIMD3(position.x, 0, position.y)
    func moved(_ place: SIMD3<Float>) -> SIMD3<Float> { turned(place) + shift }
    return Skeleton(
      left: left.mapped(moved), right: right.mapped(moved),
      nose: moved(nose), neck: moved(neck), root: moved(root), head: moved(head),
      headForward: turned(headForward), headUp: turned(headUp),
      chestForward: turned(chestForward))
  }
}

extension Skeleton.Side {
  fileprivate func mapped(_ transform: (SIMD3<Float>) -> SIMD3<Float>) -> Skeleton.Side {
    Skeleton.Side(
      shoulder: transform(shoulder), elbow: transform(elbow), wrist: transform(wrist),
      fingertips: transform(fingertips), hip: transform(hip), knee: transform(knee),
      ankle: transform(ankle), ball: transform(ball), eye: transform(eye), ear: transform(ear))
  }
}
