import Foundation

extension Motion {
  /// The hips go round over still feet.
  static let hipCircles = Motion(
    "hip_circles", .other, "the hips go round over still feet", cycle: 0.9...3, weight: 0.5
  ) { style in
    let base = style.standing(stance: 0.05...0.12).arms(.onHips)
    let radius = style.stature(0.03...0.08)
    let keys: [(Posture, Float)] = (0..<6).map { index in
      let angle = Float(index) * .pi / 3
      let posture = base.changed { posture in
        posture.pelvis.x = radius * sin(angle)
        posture.pelvis.z = radius * cos(angle)
        posture.pitch = -0.25 * cos(angle)
        posture.roll = -0.25 * sin(angle)
        posture.pelvis.y = style.hips(0.96)
      }
      return (posture, 1)
    }
    return Choreography(keys)
  }
}
