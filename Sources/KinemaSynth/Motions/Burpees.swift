import Foundation

extension Motion {
  /// Hands to the floor, feet back to a plank in a jump, often a push-up, feet forward, and a jump.
  package static let burpees = Motion(
    "burpees", of: .burpees, "down to a plank and up, often with a push-up and a jump",
    cycle: 2...6.5, weight: 4, yaw: 60
  ) { style in
    style.burpee(stepping: false)
  }

  static let burpeeVariants: [Motion] = [
    burpees,
    Motion(
      "step_back_burpees", of: .burpees, "burpees without a jump back: the feet step",
      cycle: 2.6...7, yaw: 60
    ) { style in
      style.burpee(stepping: true)
    },
  ]
}

extension Style {
  /// Upright, hands to the floor, a plank, perhaps a push-up, and up again, perhaps in a jump.
  mutating func burpee(stepping: Bool) -> Choreography {
    let place = PlankPlace(&self, spread: 0.5...0.8, reach: 0.14...0.3, pike: -0.03...0.1)
    let upright = standing(stance: 0.04...0.09).planted(place.hand).unplanted
    let crouched = crouch(upright, hand: place.hand)
    let hasPushUp = chance(0.45)
    let low = place.lowered(by: hasPushUp ? uniform(0.45...0.78) : 0.01)
    let back = way(from: crouched, to: place.top, stepping: stepping)
    let forward = way(from: crouched, to: place.top, stepping: stepping).mirrored
    let press: Float = hasPushUp ? 0.8 : 0.25
    return Choreography([
      (upright, 1), (crouched, 0.25), (back, 0.25), (place.top, press), (low, press),
      (place.top, 0.3), (forward, 0.3), (crouched, 0.7), (top(upright), 0.6),
    ])
  }

  /// Hands on the floor, knees bent.
  private mutating func crouch(_ upright: Posture, hand: Vector) -> Posture {
    var posture = upright.planted(hand)
    posture.pelvis = Vector(0, hips(uniform(0.35...0.65)), -stature(0...0.12))
    posture.setAnkles { $0.y += 0.02 * person.stature }
    posture.nod = uniform(-0.6...0)
    // As far forward as brings the hands to the floor.
    let pitches = stride(from: Float(0.8), through: 2.2, by: 0.02)
    let pelvis = posture.pelvis
    posture.pitch =
      pitches.first { pitch in
        let shoulders = pelvis + Vector(0, cos(pitch), sin(pitch)) * person.trunk
        return (Vector(0, hand.y, hand.z) - shoulders).length < person.arm * 0.95
      } ?? 1.5
    return posture
  }

  /// Half way between crouch and plank: both feet in the air, or one foot back.
  private mutating func way(from crouched: Posture, to plank: Posture, stepping: Bool) -> Posture {
    var posture = plank
    posture.pelvis = blend(crouched.pelvis, plank.pelvis, 0.5)
    posture.pelvis.y += stature(0.02...0.05)
    posture.pitch = blend(crouched.pitch, plank.pitch, 0.5)
    let lift = Vector(0, stature(0.03...0.06), 0)
    for side in [\Posture.left, \Posture.right] {
      let (near, far) = (crouched[keyPath: side].ankle, plank[keyPath: side].ankle)
      posture[keyPath: side].ankle = blend(near, far, 0.5) + lift
    }
    if stepping {
      posture.left.ankle = plank.left.ankle
      posture.right.ankle = crouched.right.ankle
    }
    return posture
  }

  /// In the air with the arms up, or upright.
  private mutating func top(_ upright: Posture) -> Posture {
    guard chance(0.7) else { return upright }
    let jumping = upright.moved(by: Vector(0, stature(0.03...0.15), 0))
    guard chance(0.8) else { return jumping }
    return jumping.arms(raise: uniform(1.9...3.1), forward: uniform(0.2...1.4), reach: 0.95)
  }
}
