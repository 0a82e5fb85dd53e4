extension Motion {
  /// Standing about: the weight goes from leg to leg, the head looks around.
  package static let standing = Motion(
    "standing", "standing about, looking around", cycle: 2.4...8, weight: 4, yaw: 10,
    counted: false
  ) { style in
    let hold = style.chance(0.6) ? ArmHold.hanging : style.armHold()
    let slouch = style.chance(0.3) ? style.uniform(0...0.3) : 0
    let base = style.standing(stance: 0.03...0.09).arms(hold).changed { posture in
      posture.pitch = slouch
      posture.pelvis.y = style.hips(0.95...0.985)
      posture.left.ankle.z = style.stature(-0.05...0.05)
    }
    return style.fidgeting(4) { style in
      let shift = style.stature(-0.018...0.018)
      return base.changed { posture in
        posture.pelvis.x = shift
        posture.roll = -shift
        posture.pitch += style.uniform(-0.04...0.06)
        posture.nod = style.uniform(-0.2...0.3)
        posture.turn = style.uniform(-0.4...0.4)
        posture.twist = style.uniform(-0.15...0.15)
      }
    }
  }

  /// What else people do before a camera.
  static let everyday: [Motion] = [
    Motion(
      "ball_kicking", "a ball kept up or kicked with the feet", cycle: 0.5...1.5, weight: 0.5,
      yaw: 40, counted: false
    ) { style in
      let base = style.anyArms(style.standing(stance: 0.04...0.08), amplitude: 0.35)
      let kick = base.changed { posture in
        posture.left.ankle.y += style.stature(0.05...0.25)
        posture.left.ankle.z = style.stature(0.1...0.3)
        posture.pitch = style.uniform(-0.15...0.2)
      }
      let back = base.changed { posture in
        posture.left.ankle.y += style.stature(0.03...0.15)
        posture.left.ankle.z = -style.stature(0...0.15)
      }
      return Choreography([(base, 1), (back, 0.7), (kick, 0.8)], alternates: style.chance(0.6))
    },
    Motion(
      "ball_throwing", "a ball thrown and caught with both hands", cycle: 1...3, weight: 0.7,
      counted: false
    ) { style in
      let base = style.standing(stance: 0.05...0.1)
      let held = base.arms(.atChest).changed { posture in
        posture.pelvis.y = style.hips(0.8...0.97)
        posture.pitch = style.uniform(0...0.3)
      }
      let away = base.arms(
        raise: style.uniform(1.4...2.6), forward: 1.6, reach: style.uniform(0.85...0.98)
      ).moved(by: Vector(0, style.chance(0.3) ? style.stature(0.02...0.1) : 0, 0))
      return Choreography([(held, 1), (away, style.uniform(0.2...1)), (away, 1), (held, 0.5)])
    },
    Motion(
      "clapping", "clapping, in front or overhead", cycle: 0.25...1, weight: 0.8, counted: false
    ) { style in
      let base = style.chance(0.3) ? style.sitting() : style.standing()
      let raise = style.chance(0.7) ? style.uniform(0.7...1.4) : style.uniform(2.3...2.8)
      let reach = style.uniform(0.5...0.8)
      let apart = base.arms(raise: raise, forward: style.uniform(0.9...1.3), reach: reach)
      let together = base.arms(raise: raise, forward: style.uniform(1.75...2), reach: reach)
      return Choreography([(apart, 1), (together, 1)])
    },
    Motion(
      "crouching", "staying down in a crouch, hands busy", cycle: 2.5...8, weight: 0.8, yaw: 40,
      counted: false
    ) { style in
      let base = style.standing(stance: 0.06...0.12).changed { posture in
        posture.pelvis.y = style.hips(0.3...0.45)
        posture.pelvis.z = -style.stature(0.1...0.18)
        posture.pitch = style.uniform(0.4...0.9)
        posture.setAnkles { $0.y += 0.03 }
      }
      return style.fidgeting(4) { style in
        base.arms(
          raise: style.uniform(0.5...1.2), forward: style.uniform(1.2...1.9),
          reach: style.uniform(0.5...0.95)
        ).changed { posture in
          posture.pitch += style.uniform(-0.1...0.1)
          posture.turn = style.uniform(-0.4...0.4)
        }
      }
    },
    Motion("desk_work", "at a desk, seen from near", cycle: 2...8, counted: false, sighting: .near)
    { style in
      let base = style.sitting().arms(raise: 0.8, forward: 1.6, reach: style.uniform(0.55...0.8))
      return style.fidgeting(4) { style in
        base.changed { posture in
          posture.left.armReach += style.uniform(-0.12...0.12)
          posture.right.armForward += style.uniform(-0.3...0.3)
          posture.nod = style.uniform(-0.1...0.5)
          posture.turn = style.uniform(-0.4...0.4)
          posture.pitch += style.uniform(-0.08...0.08)
        }
      }
    },
    Motion("dressing", "a shirt or jacket on or off", cycle: 3...8, weight: 0.6, counted: false) {
      style in
      let rest = style.standing()
      let keys: [(Posture, Float)] = (0..<5).map { index in
        let high = index % 2 == 1
        let posture = rest.leftArm(
          raise: high ? style.uniform(1.8...2.8) : style.uniform(0.4...1.4),
          forward: style.uniform(-0.4...1.8), reach: style.uniform(0.35...0.7)
        ).rightArm(
          raise: high ? style.uniform(1.2...2.8) : style.uniform(0.4...1.4),
          forward: style.uniform(-0.4...1.8), reach: style.uniform(0.35...0.7)
        ).changed { posture in
          posture.pitch = style.uniform(0...0.4)
          posture.twist = style.uniform(-0.3...0.3)
          posture.nod = style.uniform(0...0.4)
        }
        return (posture, style.uniform(0.5...1.5))
      }
      return Choreography(keys)
    },
    Motion(
      "dribbling", "a hand bounces a ball", cycle: 0.4...1, weight: 0.6, yaw: 30, counted: false
    ) { style in
      let base = style.standing(stance: 0.06...0.12).changed { posture in
        posture.pelvis.y = style.hips(0.8...0.95)
        posture.pitch = style.uniform(0.1...0.5)
        posture.left.ankle.z = style.stature(-0.05...0.12)
      }.rightArm(raise: 0.6, forward: 1)
      let high = base.leftArm(raise: style.uniform(0.7...1), forward: 1.4, reach: 0.75)
      let low = base.leftArm(raise: 0.4, forward: 1.4, reach: 0.95).changed { $0.pelvis.y -= 0.03 }
      return Choreography([(high, 1), (low, 1)])
    },
    Motion("drinking", "a cup to the mouth and down", cycle: 2...6, weight: 0.8, counted: false) {
      style in
      let base = style.chance(0.5) ? style.sitting() : style.standing()
      let low = base.leftArm(raise: 0.6, forward: 1.5, reach: style.uniform(0.55...0.8))
      let high = low.leftArm(raise: 1.5, forward: 1.7, reach: 0.4).changed {
        $0.nod = -style.uniform(0.1...0.5)
      }
      return Choreography([(low, 1), (high, style.uniform(0.5...2)), (high, 1), (low, 1.5)])
    },
    Motion(
      "empty_room", "no person; poses that a network detects in furniture", cycle: 1...4,
      weight: 1.5, counted: false, sighting: .noPerson
    ) { style in
      let keys: [(Posture, Float)] = (0..<3).map { _ in
        let posture = style.anyArms(style.chance(0.6) ? style.standing() : style.sitting())
        return (posture.changed { $0.pitch = style.uniform(-0.5...0.8) }, style.uniform(0.5...1.5))
      }
      return Choreography(keys)
    },
    Motion(
      "falling", "a fall to the floor, lying there, and up again", cycle: 5...12, weight: 0.7,
      yaw: 60, counted: false
    ) { style in
      let rest = style.standing()
      let stumbling = rest.changed { posture in
        posture.pitch = style.uniform(-0.2...0.6)
        posture.roll = style.uniform(-0.3...0.3)
        posture.left.ankle.z = style.stature(0.05...0.2)
      }.arms(raise: style.uniform(0.8...1.8))
      let isForward = style.chance(0.5)
      let ground = isForward ? style.prone() : style.supine(bend: 0.6...0.95)
      let halfway = Posture(lanes: (stumbling.lanes + ground.lanes) * 0.5).changed { posture in
        posture.pelvis.y = style.hips(0.3)
        posture.setAnkles { $0.y = style.person.ankleHeight }
      }
      return Choreography([
        (rest, 1), (stumbling, 0.4), (halfway, 0.3), (ground, style.uniform(2...6)), (ground, 1.5),
        (halfway, 1), (rest, style.uniform(0.5...2)),
      ])
    },
    Motion(
      "gaming", "a controller in both hands, swaying along", cycle: 1.5...5, weight: 0.6,
      counted: false
    ) { style in
      let base = style.chance(0.7) ? style.sitting() : style.standing()
      return style.fidgeting(4) { style in
        base.arms(raise: style.uniform(0.6...1), forward: 1.9, reach: 0.5).changed {
          posture in
          posture.pitch += style.uniform(-0.1...0.25)
          posture.roll = style.uniform(-0.15...0.15)
          posture.nod = style.uniform(-0.1...0.4)
        }
      }
    },
    Motion(
      "guitar_playing", "one hand strums, the other holds the neck", cycle: 0.3...1.2, weight: 0.4,
      counted: false
    ) { style in
      let base = (style.chance(0.6) ? style.sitting() : style.standing())
        .leftArm(raise: style.uniform(0.8...1.2), forward: 0.6, reach: 0.7)
      let up = base.rightArm(raise: 0.5, forward: 1.4, reach: 0.55)
      let down = base.rightArm(raise: 0.35, forward: 1.6, reach: style.uniform(0.65...0.75))
      return Choreography([(up, 1), (down, 1)])
    },
    Motion(
      "juggling", "hands up and down in turn before the chest", cycle: 0.25...0.6, weight: 0.6,
      counted: false
    ) { style in
      let base = style.standing().changed { $0.nod = -style.uniform(0...0.4) }
      let low = ArmHold(raise: 0.6, forward: 1.5, reach: style.uniform(0.65...0.75))
      let high = ArmHold(raise: style.uniform(0.9...1.2), forward: 1.6, reach: 0.65)
      let toss = base.leftArm(raise: high.raise, forward: high.forward, reach: high.reach)
        .rightArm(raise: low.raise, forward: low.forward, reach: low.reach)
      return Choreography([(toss, 1)], alternates: true)
    },
    Motion(
      "near_talking", "head and shoulders before the camera, talking", cycle: 1.5...6, weight: 1.5,
      counted: false, sighting: .near
    ) { style in
      let base = style.chance(0.5) ? style.sitting() : style.standing()
      let lean = style.uniform(0...0.25)
      return style.fidgeting(5) { style in
        style.anyArms(base, amplitude: style.uniform(0.1...0.7)).changed { posture in
          posture.pitch += style.uniform(-lean...lean)
          posture.roll = style.uniform(-0.1...0.1)
          posture.nod = style.uniform(-0.3...0.4)
          posture.turn = style.uniform(-0.6...0.6)
        }.moved(by: Vector(style.stature(-0.04...0.04), 0, style.stature(-0.04...0.06)))
      }
    },
    Motion("phoning", "a telephone at the ear or before the eyes", cycle: 3...9, counted: false) {
      style in
      let base = style.chance(0.4) ? style.sitting() : style.standing()
      let atEar = style.chance(0.5)
      let held =
        atEar
        ? base.leftArm(raise: 1.9, forward: 1, reach: 0.35)
        : base.arms(raise: 0.8, forward: 1.8, reach: 0.55)
      return style.fidgeting(3) { style in
        held.changed { posture in
          posture.nod = atEar ? style.uniform(-0.2...0.2) : style.uniform(0.2...0.7)
          posture.turn = style.uniform(-0.3...0.3)
          posture.pelvis.x = style.stature(-0.015...0.015)
        }
      }
    },
    Motion(
      "picking_up", "bending or crouching once for something on the floor", cycle: 3...8,
      weight: 1.2, yaw: 50, counted: false
    ) { style in
      let rest = style.standing()
      let bends = style.chance(0.6)
      let low = rest.changed { posture in
        posture.pelvis.y = style.hips(bends ? style.uniform(0.75...0.95) : style.uniform(0.4...0.6))
        posture.pelvis.z = -style.stature(0.05...0.12)
        posture.pitch = bends ? style.uniform(1.1...1.8) : style.uniform(0.5...1.1)
        posture.left.ankle.z = style.stature(0...0.15)
      }.leftArm(raise: 0.3, forward: 1.57, reach: 0.97)
      let carried = rest.arms(raise: 0.7, forward: 1.6, reach: style.uniform(0.5...0.9))
      let after = style.chance(0.5) ? carried : rest
      return Choreography([
        (rest, 1), (low, style.uniform(0.1...0.6)), (low, 1), (after, style.uniform(0.8...3)),
        (after, 0.6), (rest, style.uniform(0.2...2)),
      ])
    },
    Motion("racket_strokes", "strokes with a racket", cycle: 1...3, weight: 0.6, counted: false) {
      style in
      let ready = style.standing(stance: 0.07...0.14).changed { posture in
        posture.pelvis.y = style.hips(0.85...0.95)
        posture.pitch = style.uniform(0.1...0.3)
      }.arms(.atChest)
      let back = ready.leftArm(raise: style.uniform(1...2.4), forward: -0.5, reach: 0.85).changed {
        posture in
        posture.twist = style.uniform(0.4...0.8)
        posture.right.ankle.z = style.stature(0.02...0.15)
      }
      let through = ready.leftArm(raise: style.uniform(1.2...2), forward: 2.1, reach: 0.9).changed {
        posture in
        posture.twist = -style.uniform(0.3...0.7)
        posture.right.ankle.z = style.stature(0.05...0.2)
      }
      return Choreography([(ready, 1), (back, 0.8), (through, 1)])
    },
    Motion("reaching", "reaching up, ahead or aside for something", cycle: 1.6...5, counted: false)
    { style in
      let rest = style.standing()
      let reach = rest.leftArm(
        raise: style.uniform(0.8...3), forward: style.uniform(0...1.7), reach: 0.97
      ).changed { posture in
        posture.pitch = style.uniform(-0.1...0.6)
        posture.roll = style.uniform(-0.2...0.3)
        posture.twist = style.uniform(-0.4...0.2)
        posture.right.ankle.y += style.stature(0...0.05)
      }
      return Choreography(
        [(rest, 1), (reach, style.uniform(0.1...1)), (reach, 1), (rest, style.uniform(0.1...1.5))],
        alternates: style.chance(0.4))
    },
    Motion(
      "sitting", "sitting on a chair, moving little", cycle: 3...10, weight: 3, yaw: 40,
      counted: false
    ) { style in
      let base = style.sitting()
      return style.fidgeting(4) { style in
        base.arms(
          raise: style.uniform(0.2...0.9), forward: 1.4, reach: style.uniform(0.6...0.95)
        ).changed { posture in
          posture.pitch += style.uniform(-0.1...0.15)
          posture.nod = style.uniform(-0.3...0.4)
          posture.turn = style.uniform(-0.3...0.3)
        }
      }
    },
    Motion(
      "sitting_down", "down onto a chair, a while there, and up", cycle: 4.5...14, weight: 2,
      yaw: 40, counted: false
    ) { style in
      let rest = style.standing()
      let seated = rest.changed { posture in
        posture.pelvis.y = style.hips(0.45...0.58)
        posture.pelvis.z = -style.stature(0.12...0.25)
        posture.pitch = style.uniform(-0.1...0.4)
      }.arms(raise: 0.7, forward: .pi / 2, reach: 0.85)
      let leaning = seated.changed { posture in
        posture.pitch += style.uniform(0.3...0.7)
        posture.pelvis.y += 0.1
      }
      let nodding = seated.changed { $0.nod = style.uniform(-0.3...0.3) }
      return Choreography([
        (rest, 0.6), (leaning, 0.4), (seated, style.uniform(2...6)), (nodding, 0.4),
        (leaning, style.uniform(0.6...0.9)), (rest, style.uniform(0.2...3)),
      ])
    },
    standing,
    Motion(
      "sweeping", "both hands on a broom, to and fro", cycle: 0.9...2.4, weight: 0.7, yaw: 40,
      counted: false
    ) { style in
      let base = style.standing(stance: 0.06...0.12).changed { posture in
        posture.pitch = style.uniform(0.1...0.5)
        posture.right.ankle.z = -style.stature(0...0.15)
      }
      let turn = style.uniform(0.2...0.6)
      let near = base.leftArm(raise: 0.7, forward: 1.3, reach: 0.6)
        .rightArm(raise: 0.4, forward: 2, reach: 0.7).changed { $0.twist = turn }
      let far = base.leftArm(raise: 1, forward: 1.7, reach: 0.8)
        .rightArm(raise: 0.7, forward: 1.6, reach: 0.85).changed { $0.twist = -turn }
      return Choreography([(near, 1), (far, 1)])
    },
    Motion(
      "talking", "talking with gestures, standing or seated", cycle: 2...8, weight: 4,
      counted: false
    ) { style in
      let base = style.chance(0.35) ? style.sitting() : style.standing()
      return style.fidgeting(5) { style in
        style.anyArms(base, amplitude: 0.3).changed { posture in
          posture.left.armReach = style.uniform(0.4...0.8)
          posture.right.armReach = style.uniform(0.4...0.8)
          posture.twist = style.uniform(-0.3...0.3)
          posture.turn = style.uniform(-0.4...0.4)
          posture.nod = style.uniform(-0.2...0.3)
        }
      }
    },
    Motion("waving", "waving with one hand or both", cycle: 0.4...1.6, weight: 2, counted: false) {
      style in
      let base = style.chance(0.2) ? style.sitting() : style.standing()
      let (raise, swing) = (style.uniform(1.6...2.8), style.uniform(0.15...0.6))
      let reach = style.uniform(0.6...0.95)
      let both = style.chance(0.3)
      func hand(_ raise: Float) -> Posture {
        let one = base.leftArm(raise: raise, reach: reach)
        return both ? one.rightArm(raise: raise, reach: reach) : one
      }
      return Choreography([(hand(raise + swing), 1), (hand(raise - swing), 1)])
    },
  ]
}
