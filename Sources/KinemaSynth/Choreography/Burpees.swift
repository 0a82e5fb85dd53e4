import Foundation

/// Hands to the floor, feet back to a plank, often a push-up, feet forward, and a jump.
struct Burpees: Choreography {
  let rest: Posture
  private let person: SyntheticPerson
  private let hand: Vector
  private let plankAnkle: Vector
  private let shoulderHeight: Float
  private let pushUpDepth: Float
  private let jump: Float
  private let jumpRaise: Float
  private let crouchHeight: Float

  init(_ person: SyntheticPerson, using generator: inout SeededGenerator) {
    self.person = person
    let size = person.stature
    hand = Vector(person.shoulderWidth * 0.6, 0.055, generator.uniform(0.24...0.32) * size)
    shoulderHeight = hand.y + person.arm * 0.97
    let low = 0.085 * size
    let body = person.leg * 0.995 + person.trunk
    let rise = shoulderHeight - low
    plankAnkle = Vector(
      generator.uniform(0.04...0.08) * size, low,
      hand.z - (body * body - rise * rise).squareRoot())
    pushUpDepth = generator.chance(0.5) ? generator.uniform(0.4...0.65) : 0
    jump = generator.chance(0.8) ? generator.uniform(0.05...0.13) * size : 0
    jumpRaise = generator.chance(0.85) ? generator.uniform(2.4...3) : 0.3
    crouchHeight = generator.uniform(0.36...0.5)
    var upright = Posture.standing(person, stance: plankAnkle.x)
    let planted = hand
    upright.forBothSides { limbs, mirror in limbs.hand = mirror(planted) }
    rest = upright
  }

  func repetition(_ index: Int, depth: Float) -> [KeyPose] {
    let top = plank(lowered: 0)
    let low = plank(lowered: pushUpDepth * depth)
    let half = plank(lowered: pushUpDepth * depth / 2)
    return [
      KeyPose(0.15, crouched), KeyPose(0.19, crouched), KeyPose(0.25, kickingBack),
      KeyPose(0.32, top), KeyPose(0.38, half), KeyPose(0.43, low), KeyPose(0.49, half),
      KeyPose(0.55, top), KeyPose(0.61, kickingBack), KeyPose(0.68, crouched),
      KeyPose(0.72, crouched), KeyPose(0.83, jumping(depth)), KeyPose(0.92, landed),
      KeyPose(1, rest),
    ]
  }

  private var crouched: Posture {
    var posture = rest
    posture.pelvis = Vector(
      0, person.leg * crouchHeight + person.ankleHeight, -0.05 * person.stature)
    // As far forward as brings the hands to the floor.
    posture.pitch = crouchPitch
    posture.nod = -0.4
    posture.forBothSides { limbs, _ in
      limbs.planted = 1
      limbs.ankle.y += 0.02 * person.stature
    }
    return posture
  }

  private var crouchPitch: Float {
    let hips = Vector(0, person.leg * crouchHeight + person.ankleHeight, -0.05 * person.stature)
    let pitches = stride(from: Float(0.8), through: 2, by: 0.02)
    return pitches.first { pitch in
      let shoulders = hips + Vector(0, cos(pitch), sin(pitch)) * person.trunk
      return (Vector(0, hand.y, hand.z) - shoulders).length < person.arm * 0.95
    } ?? 1.4
  }

  /// Both feet in the air between the crouch and the plank; the hands carry.
  private var kickingBack: Posture {
    let crouched = crouched
    let top = plank(lowered: 0)
    var posture = top
    posture.pelvis = blend(crouched.pelvis, top.pelvis, 0.5)
    posture.pelvis.y += 0.04 * person.stature
    posture.pitch = blend(crouched.pitch, top.pitch, 0.5)
    let ankle = blend(crouched.left.ankle, plankAnkle, 0.5)
    posture.forBothSides { limbs, mirror in
      limbs.ankle = mirror(ankle + Vector(0, 0.05 * person.stature, 0))
    }
    return posture
  }

  private func plank(lowered share: Float) -> Posture {
    .plank(
      person, hand: hand, ankle: plankAnkle, shoulderHeight: shoulderHeight * (1 - share))
  }

  private func jumping(_ height: Float) -> Posture {
    var posture = rest
    posture.pelvis.y += jump * height
    posture.forBothSides { limbs, _ in
      limbs.ankle.y += jump * height
      limbs.armRaise = jumpRaise
      limbs.armForward = 0.7
    }
    return posture
  }

  /// The knees give when the feet meet the floor.
  private var landed: Posture {
    var posture = rest
    guard jump > 0 else { return posture }
    posture.pelvis.y -= 0.05 * person.leg
    posture.pitch = 0.12
    posture.forBothSides { limbs, _ in limbs.armRaise = 0.6 }
    return posture
  }
}
