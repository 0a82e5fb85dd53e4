import Foundation

extension Motion {
  static let gym: [Motion] = [
    Motion(
      "arm_circles", "straight arms draw circles, small or large", cycle: 0.6...2.5, weight: 0.8
    ) { style in
      let base = style.standing()
      let isLarge = style.chance(0.5)
      let centre = isLarge ? 1.55 : style.uniform(1.3...1.7)
      let radius: Float = isLarge ? 1.3 : style.uniform(0.15...0.5)
      let turn = style.side()
      let keys: [(Posture, Float)] = (0..<6).map { index in
        let angle = turn * Float(index) * .pi / 3
        let posture = base.arms(
          raise: centre - radius * cos(angle), forward: 0.3 + radius * 0.8 * sin(angle), reach: 0.97
        )
        return (posture, 1)
      }
      return Choreography(keys)
    },
    Motion(
      "arm_raises", "straight arms up to the side or the front, and down", cycle: 1.2...4, weight: 3
    ) { style in
      let base = style.chance(0.15) ? style.sitting() : style.standing(stance: 0.03...0.17)
      let forward = style.chance(0.5) ? style.uniform(-0.1...0.3) : style.uniform(1.2...1.6)
      let low = base.arms(raise: style.uniform(0.05...0.25), forward: forward, reach: 0.96)
      let top = style.uniform(1.2...3.1)
      let oneByOne = style.chance(0.3)
      let high = oneByOne ? low.leftArm(raise: top) : low.arms(raise: top)
      return Choreography(
        [(low, 1), (high, style.uniform(0.05...0.6)), (high, 1), (low, style.uniform(0.05...0.6))],
        alternates: oneByOne)
    },
    Motion(
      "arm_swings", "arms swing wide or across the chest, feet in place", cycle: 0.6...2,
      weight: 0.8
    ) { style in
      let base = style.standing()
      let raise = style.uniform(1.2...1.7)
      let wide = base.arms(raise: raise, forward: style.uniform(-0.4...0.1), reach: 0.95)
      let across = base.arms(raise: raise, forward: style.uniform(1.6...2.2), reach: 0.85)
      return Choreography([(wide, 1), (across, 1)])
    },
    Motion(
      "bent_over_rows", "bent forward, the hands are pulled to the trunk", cycle: 1...3.5,
      weight: 0.6, yaw: 60
    ) { style in
      let low = style.standing(stance: 0.05...0.1).changed { posture in
        posture.pelvis.y = style.hips(0.82...0.95)
        posture.pelvis.z = -style.stature(0.06...0.12)
        posture.pitch = style.uniform(0.6...1.3)
        posture.nod = -0.4
      }.arms(raise: 0.15, forward: 1.57, reach: 0.97)
      let pull = style.uniform(0.3...0.5)
      let up = style.chance(0.7) ? low.arms(raise: 0.15, reach: pull) : low.leftArm(reach: pull)
      return Choreography([(low, 1), (up, style.uniform(0.05...0.3)), (up, 1), (low, 0.2)])
    },
    Motion("biceps_curls", "the forearms come up, both or in turn", cycle: 1...4, weight: 2) {
      style in
      let down = style.standing(stance: 0.04...0.12).arms(raise: 0.1, forward: 1.2, reach: 0.98)
      let raise = style.uniform(0.5...1.2)
      let oneByOne = style.chance(0.4)
      var half = down.leftArm(raise: 0.9, forward: 1.5, reach: 0.75)
      var up = down.leftArm(raise: raise, forward: 1.6, reach: 0.35)
      if !oneByOne {
        half = half.rightArm(raise: 0.9, forward: 1.5, reach: 0.75)
        up = up.rightArm(raise: raise, forward: 1.6, reach: 0.35)
      }
      return Choreography(
        [(down, 1), (half, 1), (up, 1), (half, 1), (down, style.uniform(0.02...0.5))],
        alternates: oneByOne)
    },
    Motion(
      "butt_kicks", "running on the spot, heels up to the seat", cycle: 0.25...0.7, weight: 2,
      yaw: 60
    ) { style in
      let rest = style.striding(bend: style.uniform(0.5...0.9))
      let up = rest.changed { posture in
        posture.right.ankle.y += style.stature(0.2...0.42)
        posture.right.ankle.z = -style.stature(0.1...0.25)
      }
      return Choreography([(up, 1), (rest, 0.5)], alternates: true)
    },
    Motion("calf_raises", "up on the toes and down", cycle: 0.8...3, weight: 0.6) { style in
      let rest = style.standing(stance: 0.03...0.08).arms(style.armHold())
      let high = rest.moved(by: Vector(0, style.stature(0.025...0.055), 0))
      return Choreography([(rest, 1), (high, style.uniform(0.05...0.6)), (high, 1), (rest, 0.3)])
    },
    Motion("deadlifts", "a bend in the hips, the hands down to the shins", cycle: 2...6, yaw: 60) {
      style in
      let rest = style.standing(stance: 0.05...0.12).arms(raise: 0.1, forward: 1.2, reach: 0.98)
      let low = rest.changed { posture in
        posture.pelvis.y = style.hips(0.72...0.95)
        posture.pelvis.z = -style.stature(0.07...0.13)
        posture.pitch = style.uniform(0.9...1.45)
        posture.nod = -0.4
      }.arms(raise: 0.3, forward: 1.57)
      return Choreography([(rest, 1), (low, style.uniform(0.05...0.5)), (low, 1), (rest, 0.4)])
    },
    Motion("good_mornings", "a bow with a straight back", cycle: 1.8...5, weight: 0.5, yaw: 60) {
      style in
      let hold = style.pick([ArmHold.behindHead, .onHips, .atChest])
      let rest = style.standing(stance: 0.05...0.12).arms(hold)
      let low = rest.changed { posture in
        posture.pelvis.y = style.hips(0.9...0.97)
        posture.pelvis.z = -style.stature(0.06...0.12)
        posture.pitch = style.uniform(0.9...1.5)
      }
      return Choreography([(rest, 1), (low, style.uniform(0.05...0.5)), (low, 1), (rest, 0.4)])
    },
    Motion(
      "high_knees", "running on the spot, knees up to the hips", cycle: 0.25...0.7, weight: 3,
      yaw: 40
    ) { style in
      let rest = style.striding(bend: 0.65)
      let swing = style.uniform(0.05...0.6)
      let up = rest.changed { posture in
        posture.right.ankle.y += style.stature(0.08...0.45)
        posture.right.ankle.z = style.stature(0...0.25)
        posture.pelvis.y += style.stature(0...0.03)
      }.rightArm(raise: swing * 0.8, forward: -.pi / 2).leftArm(raise: swing, forward: .pi / 2)
      return Choreography([(rest, 1), (up, 1)], alternates: true)
    },
    Motion("hops", "jumps on the spot or from side to side", cycle: 0.5...1.4, weight: 0.8) {
      style in
      let aside = style.stature(0...0.14)
      let hop = style.stature(0.03...0.12)
      let rest = style.standing(stance: 0.02...0.06).arms(style.armHold())
      let low = rest.changed { posture in
        posture.pelvis.y = style.hips(0.8...0.95)
        posture.pitch = style.uniform(0...0.4)
      }.moved(by: Vector(aside, 0, 0))
      let high = rest.moved(by: Vector(0, hop, 0))
      return Choreography([(low, 1), (high, 1)], alternates: true)
    },
    Motion("jogging_on_the_spot", "jogging on the spot", cycle: 0.22...0.6, weight: 4, yaw: 40) {
      style in
      let rest = style.striding(bend: style.uniform(0.5...0.9)).changed {
        $0.pitch = style.uniform(0...0.25)
      }
      let swing = style.uniform(0.05...0.6)
      let up = rest.changed { posture in
        posture.right.ankle.y += style.stature(0.04...0.28)
        posture.right.ankle.z = style.stature(-0.2...0.2)
        posture.pelvis.y += style.stature(0...0.05)
      }.rightArm(raise: swing * 0.8, forward: -.pi / 2).leftArm(raise: swing, forward: .pi / 2)
      return Choreography([(rest, 1), (up, 1)], alternates: true)
    },
    Motion("jump_rope", "small jumps over a rope", cycle: 0.3...0.8, weight: 3) { style in
      let low = style.standing(stance: 0.02...0.06).arms(
        raise: style.uniform(0.2...1), forward: style.uniform(-0.2...1.2),
        reach: style.uniform(0.5...0.95)
      ).changed { $0.pelvis.y = style.hips(0.9...0.98) }
      let hop = style.stature(0.02...0.09)
      let bend = style.chance(0.4) ? style.stature(0...0.15) : 0
      let high = low.changed { posture in
        posture.pelvis.y = style.hips(0.985) + hop
        posture.setAnkles { ankle in
          ankle.y += hop + bend * 0.5
          ankle.z -= bend
        }
      }.arms(raise: low.left.armRaise + 0.06)
      return Choreography([(low, 1), (high, 1)])
    },
    Motion(
      "kettlebell_swings", "hips thrust, arms swing from between the legs to the front",
      cycle: 1.1...2.4, yaw: 60
    ) { style in
      let base = style.standing(stance: 0.08...0.13)
      let high = base.arms(raise: style.uniform(1.2...2.2), forward: 1.57, reach: 0.97)
      let low = base.changed { posture in
        posture.pelvis.y = style.hips(0.78...0.92)
        posture.pelvis.z = -style.stature(0.08...0.13)
        posture.pitch = style.uniform(0.7...1.2)
        posture.nod = -0.3
      }.arms(raise: 0.15, forward: -1.2, reach: 0.97)
      return Choreography([(high, 1), (low, 1)])
    },
    Motion("kicks", "kicks to the front", cycle: 0.7...2.2, weight: 0.8, yaw: 50) { style in
      let rest = style.standing(stance: 0.04...0.07).arms(.atChest)
      let chambered = rest.changed { posture in
        posture.left.ankle = Vector(posture.left.ankle.x, style.hips(0.5), style.person.thigh * 0.5)
      }
      let kicking = rest.changed { posture in
        posture.left.ankle = Vector(
          posture.left.ankle.x, style.hips(0.3...0.9), style.person.leg * 0.8)
        posture.pitch = -style.uniform(0...0.35)
      }
      return Choreography(
        [(rest, 1), (chambered, 0.6), (kicking, 0.6), (chambered, 1)], alternates: style.chance(0.6)
      )
    },
    Motion(
      "knees_to_elbows", "a knee comes up to the other side's elbow", cycle: 0.7...2, weight: 0.7
    ) { style in
      let rest = style.standing(stance: 0.04...0.08).arms(.behindHead)
      let crunch = rest.changed { posture in
        posture.left.ankle = Vector(0, style.hips(0.25...0.5), style.person.thigh * 0.7)
        posture.pitch = style.uniform(0.1...0.5)
        posture.twist = style.uniform(0.2...0.6)
      }
      return Choreography([(rest, 1), (crunch, 1)], alternates: true)
    },
    Motion("marching", "marching on the spot", cycle: 0.35...1, weight: 2, yaw: 40) { style in
      let rest = style.striding(bend: style.chance(0.3) ? 0.65 : 0.95)
      let swing = style.uniform(0.05...0.9)
      let up = rest.changed { posture in
        posture.right.ankle.y += style.stature(0.06...0.3)
        posture.right.ankle.z = style.stature(0...0.15)
      }.rightArm(raise: swing * 0.6, forward: -.pi / 2).leftArm(raise: swing, forward: .pi / 2)
      return Choreography([(rest, 0.6), (up, 1)], alternates: true)
    },
    Motion(
      "overhead_presses", "the hands go from the shoulders straight up", cycle: 1.2...4, weight: 2
    ) { style in
      let base = style.chance(0.3) ? style.sitting() : style.standing(stance: 0.04...0.14)
      let low = base.arms(raise: style.uniform(1.7...2), forward: 0.3, reach: 0.35)
      let high = base.arms(raise: style.uniform(2.8...3.1), forward: 0.3, reach: 0.98)
      return Choreography([(low, 1), (high, 0.2), (high, 1), (low, style.uniform(0.05...0.5))])
    },
    Motion(
      "punches", "straight punches from a boxer's stance", cycle: 0.35...1.3, weight: 2, yaw: 40
    ) { style in
      let guardRaise = style.uniform(1...1.7)
      let base = style.standing(stance: 0.05...0.09).changed { posture in
        posture.left.ankle.z = style.stature(0.05...0.12)
        posture.right.ankle.z = -style.stature(0.05...0.12)
        posture.pelvis.y = style.hips(0.9...0.97)
        posture.pitch = style.uniform(0...0.25)
      }.arms(raise: guardRaise, forward: 1.7, reach: style.uniform(0.35...0.5))
      let turn = style.uniform(0.2...0.5)
      let left = base.leftArm(raise: 1.5, forward: 1.6, reach: 0.98).changed { $0.twist = -turn }
      let right = base.rightArm(raise: 1.5, forward: 1.6, reach: 0.98).changed { $0.twist = turn }
      let pause = style.uniform(0.2...1)
      return Choreography(
        [(base, 1), (left, 1), (base, pause), (right, 1)], repetitionsPerCycle: 2)
    },
    Motion(
      "standing_leg_raises", "a straight leg up to the side or back, standing", cycle: 0.9...3,
      weight: 0.5
    ) { style in
      let rest = style.standing(stance: 0.03...0.06).arms(style.armHold())
      let angle = style.uniform(0.4...1)
      let isBack = style.chance(0.4)
      let leg = style.person.leg * 0.985
      let up = rest.changed { posture in
        let reach = leg * sin(angle)
        posture.left.ankle.y = posture.pelvis.y - leg * cos(angle)
        if isBack { posture.left.ankle.z = -reach } else { posture.left.ankle.x += reach }
        posture.roll = isBack ? 0 : -angle * 0.2
        posture.pitch = isBack ? angle * 0.4 : 0
      }
      return Choreography(
        [(rest, 1), (up, style.uniform(0.05...0.4)), (up, 1), (rest, 0.2)],
        alternates: style.chance(0.4))
    },
    Motion("skaters", "wide leaps from one leg to the other", cycle: 0.6...1.6, weight: 0.5) {
      style in
      let aside = style.stature(0.12...0.3)
      let land = style.standing(stance: 0.03...0.06).changed { posture in
        posture.pelvis.x = aside
        posture.left.ankle.x = aside
        posture.right.ankle = Vector(aside * 1.2, style.hips(0.1), -style.stature(0.1...0.25))
        posture.pelvis.y = style.hips(0.75...0.92)
        posture.pitch = style.uniform(0.2...0.7)
      }.leftArm(raise: 0.6, forward: -1).rightArm(raise: 0.9, forward: 2, reach: 0.8)
      let flight = style.standing().changed { posture in
        posture.pelvis.y += style.stature(0...0.04)
        posture.setAnkles { $0.y += style.stature(0.02...0.06) }
      }
      return Choreography([(land, 1), (flight, 1)], alternates: true)
    },
    Motion(
      "toe_touches", "straight legs, hands down to the toes", cycle: 1.2...3.5, weight: 0.8, yaw: 40
    ) { style in
      let isAcross = style.chance(0.5)
      let rest = style.standing(stance: isAcross ? 0.12...0.2 : 0.03...0.08).arms(
        raise: style.uniform(0.3...3), forward: style.uniform(0...1))
      let low = rest.changed { posture in
        posture.pelvis.z = -style.stature(0.05...0.1)
        posture.pelvis.y = style.hips(0.95)
        posture.pitch = style.uniform(1.3...1.9)
        posture.twist = isAcross ? style.uniform(0.4...0.9) : 0
      }.arms(raise: 0.25, forward: 1.57, reach: 0.97)
      let across = low.leftArm(raise: 2.2, forward: -0.5)
      return Choreography(
        [
          (rest, 1), (isAcross ? across : low, style.uniform(0.1...0.5)),
          (isAcross ? across : low, 1),
        ],
        alternates: isAcross)
    },
    Motion("torso_twists", "shoulders turn from side to side", cycle: 0.8...3, weight: 0.8) {
      style in
      let angle = style.uniform(0.4...1)
      let twisted = style.standing().arms(
        raise: style.uniform(0.6...1.6), forward: style.uniform(0...1.6),
        reach: style.uniform(0.4...0.95)
      ).changed { posture in
        posture.twist = angle
        posture.turn = angle * 0.3
      }
      return Choreography([(twisted, 1)], alternates: true)
    },
    Motion(
      "windmills", "bent with wide arms, one hand down after the other", cycle: 0.7...2.2,
      weight: 0.4
    ) { style in
      let low = style.standing(stance: 0.13...0.2).changed { posture in
        posture.pelvis.z = -style.stature(0.05...0.1)
        posture.pelvis.y = style.hips(0.95)
        posture.pitch = style.uniform(1...1.6)
        posture.twist = style.uniform(0.5...1)
      }.leftArm(raise: 2.4, forward: -0.3, reach: 0.97).rightArm(
        raise: 0.3, forward: 0.8, reach: 0.97)
      return Choreography([(low, 1)], alternates: true)
    },
  ]
}

extension Style {
  /// On both feet between two steps on the spot; with a bend of 1 the arms are straight.
  mutating func striding(bend: Float) -> Posture {
    let posture = standing(stance: 0.02...0.06)
    return posture.arms(raise: 0.12, forward: 0.8, reach: bend)
  }

  /// Straight from the ankles to the shoulders, over planted forearms.
  mutating func forearmPlank() -> Posture {
    let shoulderHeight = person.upperArm * 0.98 + 0.06
    let low = 0.085 * person.stature
    let body = person.leg * 0.995 + person.trunk
    let rise = shoulderHeight - low
    let ankle = Vector(stature(0.03...0.07), low, -(body * body - rise * rise).squareRoot())
    let hand = Vector(
      person.shoulderWidth * uniform(0.3...0.6), 0.055, person.forearm * uniform(0.8...0.95))
    return .plank(
      person, hand: hand, ankle: ankle, shoulderHeight: shoulderHeight,
      pike: stature(-0.01...0.08))
  }
}
