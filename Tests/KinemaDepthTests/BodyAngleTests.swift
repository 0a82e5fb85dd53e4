import Foundation
import KinemaDepth
import KinemaPose
import Testing

/// Angles of hand-made bodies.
@Suite struct BodyAngleTests {
  /// A person who stands upright with hanging arms and faces +z, in metres.
  private static func standing() -> [SIMD3<Float>] {
    var joints = [SIMD3<Float>](repeating: .zero, count: BodyJoint.count)
    let left: [BodyJoint] = [
      .leftShoulder, .leftElbow, .leftWrist, .leftHip, .leftKnee, .leftAnkle,
    ]
    let right: [BodyJoint] = [
      .rightShoulder, .rightElbow, .rightWrist, .rightHip, .rightKnee, .rightAnkle,
    ]
    for (side, names) in [(Float(1), left), (-1, right)] {
      let places: [SIMD3<Float>] = [
        [0.2 * side, 1.4, 0], [0.2 * side, 1.1, 0], [0.2 * side, 0.85, 0], [0.1 * side, 0.9, 0],
        [0.1 * side, 0.5, 0], [0.1 * side, 0.1, 0],
      ]
      for (joint, place) in zip(names, places) { joints[joint] = place }
    }
    joints[.neck] = [0, 1.4, 0]
    return joints
  }

  private func degrees(_ joints: [SIMD3<Float>], _ angle: BodyAngle) -> Float {
    let values = BodyAngle.values(of: joints, up: [0, 1, 0])
    return values[BodyAngle.allCases.firstIndex(of: angle) ?? 0] * 180 / .pi
  }

  @Test func standsStraight() {
    let body = Self.standing()
    for angle in [BodyAngle.leftKnee, .rightKnee, .leftElbow, .rightElbow] {
      #expect(abs(degrees(body, angle) - 180) < 0.1, "\(angle)")
    }
    for angle in [
      BodyAngle.leftShoulder, .rightShoulder, .trunkLean, .trunkRotation, .pelvisObliquity,
    ] {
      #expect(abs(degrees(body, angle)) < 0.1, "\(angle)")
    }
    // The hips are narrower than the shoulders.
    #expect(degrees(body, .leftHip) > 165)
  }

  @Test func bendsAKneeToARightAngle() {
    var body = Self.standing()
    body[.leftAnkle] = body[.leftKnee] + [0, 0, -0.4]
    #expect(abs(degrees(body, .leftKnee) - 90) < 0.1)
    #expect(abs(degrees(body, .rightKnee) - 180) < 0.1)
  }

  @Test func raisesAnArmToTheSide() {
    var body = Self.standing()
    body[.leftElbow] = body[.leftShoulder] + [0.3, 0, 0]
    body[.rightElbow] = body[.rightShoulder] + [0, 0, 0.3]
    #expect(abs(degrees(body, .leftShoulder) - 90) < 0.1)
    #expect(abs(degrees(body, .leftShoulderAbduction) - 90) < 0.1)
    #expect(abs(degrees(body, .rightShoulder) - 90) < 0.1)
    #expect(abs(degrees(body, .rightShoulderAbduction)) < 0.1)
  }

  @Test(arguments: [30, -20] as [Float]) func leansForwardsAndBackwards(by lean: Float) {
    var body = Self.standing()
    let (sine, cosine) = (sin(lean * .pi / 180), cos(lean * .pi / 180))
    for joint in [BodyJoint.leftShoulder, .rightShoulder] {
      let x = body[joint].x
      body[joint] = [x, 0.9 + 0.5 * cosine, 0.5 * sine]
    }
    #expect(abs(degrees(body, .trunkLean) - abs(lean)) < 0.1)
    #expect(abs(degrees(body, .trunkForwardLean) - lean) < 0.1)
    #expect(abs(degrees(body, .trunkSideLean)) < 0.1)
  }

  @Test func doesNotDependOnWhereOneStands() {
    var body = Self.standing()
    body[.leftAnkle] = body[.leftKnee] + [0.1, -0.1, -0.3]
    body[.rightElbow] = body[.rightShoulder] + [-0.2, 0.1, 0.2]
    let turned = body.map { place -> SIMD3<Float> in
      let (sine, cosine) = (sin(Float(0.7)), cos(Float(0.7)))
      return [
        place.x * cosine + place.z * sine + 3, place.y, place.z * cosine - place.x * sine - 2,
      ]
    }
    for (one, other) in zip(
      BodyAngle.values(of: body, up: [0, 1, 0]), BodyAngle.values(of: turned, up: [0, 1, 0]))
    { #expect(abs(one - other) < 1e-3) }
  }
}
