extension Motion {
  /// Standing about: the weight goes from leg to leg, the head looks around.
  public static let standing = Motion(
    "standing", .other, "standing about, looking around", cycle: 2.4...8, weight: 4, yaw: 10,
    counted: false
  ) { style in
    let hold = style.chance(0.6) ? ArmHold.hanging : style.armHold()
    let slouch = style.chance(0.3) ? style.uniform(0...0.3) : 0
    let base = style.standing(stance: 0.03...0.09).arms(hold).changed { posture in
      posture.pitch = slouch
      posture.pelvis.y = style.hips(style.uniform(0.95...0.985))
      posture.left.ankle.z = style.stature(-0.05...0.05)
    }
    let keys: [(Posture, Float)] = (0..<4).map { _ in
      let shift = style.stature(-0.018...0.018)
      let posture = base.changed { posture in
        posture.pelvis.x = shift
        posture.roll = -shift
        posture.pitch += style.uniform(-0.04...0.06)
        posture.nod = style.uniform(-0.2...0.3)
        posture.turn = style.uniform(-0.4...0.4)
        posture.twist = style.uniform(-0.15...0.15)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
