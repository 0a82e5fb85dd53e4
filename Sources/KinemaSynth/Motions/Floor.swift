import Foundation

extension Motion {
  static let floor: [Motion] = [
    Motion("bear_crawl", "on hands and feet, getting ahead", cycle: 0.5...1.4, weight: 0.4, yaw: 80)
    { style in
      let place = PlankPlace(&style)
      let reach = style.stature(0.06...0.12)
      let lift = style.stature(0.02...0.05)
      let crawl = place.top.changed { posture in
        posture.setAnkles { $0.z += place.person.stature * 0.3 }
        posture.pelvis.y = style.hips(0.45...0.7)
        posture.pitch = style.uniform(1.6...1.8)
        posture.left.hand.z += reach
        posture.left.hand.y += lift
        posture.right.ankle.z += reach
        posture.right.ankle.y += lift
        posture.right.hand.z -= reach
        posture.left.ankle.z -= reach
      }
      return Choreography(
        [(crawl, 1)], alternates: true, advance: style.chance(0.5) ? reach * 2 : 0)
    },
    Motion(
      "bicycle_crunches", "on the back, elbow to the other side's knee", cycle: 0.6...2,
      weight: 0.6, yaw: 80
    ) { style in
      let leg = style.person.leg
      let crunch = style.supine().arms(.behindHead).changed { posture in
        posture.pitch = style.uniform(-1.2...(-0.8))
        posture.twist = style.uniform(0.3...0.7)
        posture.left.ankle = Vector(
          0.1, style.stature(0.15...0.25), leg * style.uniform(0.3...0.45))
        posture.right.ankle = Vector(-0.1, style.stature(0.06...0.15), leg * 0.93)
      }
      return Choreography([(crunch, 1)], alternates: true)
    },
    Motion(
      "bird_dogs", "on all fours, an arm and the other leg stretched", cycle: 1.5...5, weight: 0.6,
      yaw: 80
    ) { style in
      let rest = style.onAllFours()
      let person = style.person
      let stretched = rest.changed { posture in
        posture.left.hand = posture.left.hand + Vector(0, person.arm * 0.95, person.arm * 0.85)
        posture.right.ankle = Vector(posture.right.ankle.x, posture.pelvis.y, -person.leg * 0.95)
      }
      return Choreography(
        [(rest, 1), (stretched, style.uniform(0.1...0.8)), (stretched, 1), (rest, 0.2)],
        alternates: true)
    },
    Motion("bridges", "on the back, the hips go up", cycle: 1.4...5, yaw: 80) { style in
      let low = style.supine(bend: 0.4...0.6)
      let rise = style.stature(0.08...0.2)
      let high = low.changed { posture in
        posture.pelvis.y += rise
        posture.pitch = -1.5 - asin(min(0.9, rise / style.person.trunk))
        posture.pelvis.z += rise * 0.15
      }
      return Choreography([(low, 1), (high, style.uniform(0.05...0.6)), (high, 1), (low, 0.3)])
    },
    Motion("cat_cow", "on all fours, back and head up and down", cycle: 2...7, weight: 0.5, yaw: 80)
    { style in
      let rest = style.onAllFours()
      let up = rest.changed { posture in
        posture.nod = style.uniform(-0.9...(-0.3))
        posture.pelvis.z -= style.stature(0...0.04)
      }
      let down = rest.changed { posture in
        posture.nod = style.uniform(0.3...0.9)
        posture.pelvis.z -= style.stature(0...0.1)
        posture.pelvis.y -= style.stature(0...0.02)
      }
      return Choreography([(up, 1), (down, 1)])
    },
    Motion(
      "childs_pose", "kneeling, chest on the thighs", cycle: 4...10, weight: 0.3, yaw: 80,
      counted: false
    ) { style in
      let fold = style.onAllFours().changed { posture in
        posture.pelvis.y = style.stature(0.12...0.17)
        posture.pelvis.z = -style.person.shank * 0.85
        posture.pitch = style.uniform(1.5...1.65)
        posture.nod = 0.3
        posture.left.hand.z = style.stature(0.25...0.4)
        posture.right.hand.z = posture.left.hand.z
      }
      let up = style.chance(0.4) ? style.onAllFours() : fold.changed { $0.pelvis.y += 0.02 }
      return Choreography([(fold, style.uniform(1...2)), (fold, 1), (up, 1)])
    },
    Motion(
      "cobra", "on the front, the chest pushed up, hips down", cycle: 2.5...8, weight: 0.5, yaw: 80
    ) { style in
      let low = style.prone()
      let person = style.person
      let hand = Vector(person.shoulderWidth * 0.6, 0.055, person.trunk * 0.85)
      let flat = low.planted(hand)
      let high = flat.changed { posture in
        posture.pitch = style.uniform(0.55...1)
        posture.nod = -0.3
      }
      return Choreography([(flat, 1), (high, style.uniform(0.3...1.5)), (high, 1), (flat, 0.4)])
    },
    Motion(
      "crunches", "on the back, the shoulders come off the floor", cycle: 1.2...4, weight: 2,
      yaw: 80
    ) { style in
      let hold = style.pick([
        ArmHold.behindHead, .atChest, ArmHold(raise: 1.5, forward: 1.4, reach: 0.95),
      ])
      let low = style.supine(bend: 0.35...0.7).arms(hold)
      let high = low.changed { posture in
        posture.pitch = style.uniform(-1.25...(-0.7))
        posture.nod = 0.3
      }
      return Choreography([(low, 1), (high, style.uniform(0.05...0.5)), (high, 1), (low, 0.3)])
    },
    Motion(
      "donkey_kicks", "on all fours, a leg goes up behind", cycle: 0.9...2.5, weight: 0.4, yaw: 80
    ) { style in
      let rest = style.onAllFours()
      let person = style.person
      let up = rest.changed { posture in
        posture.left.ankle = Vector(
          posture.left.ankle.x, posture.pelvis.y + style.stature(0.02...0.2), -person.thigh * 0.9)
      }
      return Choreography([(rest, 1), (up, 1)], alternates: style.chance(0.3))
    },
    Motion(
      "downward_dog", "hands and feet on the floor, hips high", cycle: 3...9, weight: 0.5, yaw: 80,
      counted: false
    ) { style in
      let place = PlankPlace(&style)
      let dog = place.top.changed { posture in
        posture.pelvis.y = style.hips(0.7...0.85)
        posture.pelvis.z -= style.stature(0.05...0.15)
        posture.setAnkles { $0.z += place.person.stature * 0.18 }
        posture.pitch = style.uniform(2...2.3)
        posture.nod = 0.2
      }
      let other = style.chance(0.4) ? place.top : dog.changed { $0.left.ankle.y += 0.03 }
      return Choreography([(dog, 1), (dog, 1), (other, style.uniform(0.3...1))])
    },
    Motion(
      "floor_sitting", "sitting on the floor", cycle: 3...9, weight: 0.8, yaw: 40, counted: false
    ) { style in
      let isCrossLegged = style.chance(0.4)
      let base = style.supine(bend: isCrossLegged ? 0.25...0.35 : 0.4...0.97).changed { posture in
        posture.pitch = style.uniform(-0.4...0.5)
        if isCrossLegged { posture.setAnkles { $0.x = -$0.x } }
      }.arms(raise: style.uniform(0.3...0.9), forward: style.uniform(-1...1.6), reach: 0.85)
      return style.fidgeting(3) { style in
        base.changed { posture in
          posture.pitch += style.uniform(-0.15...0.15)
          posture.turn = style.uniform(-0.6...0.6)
          posture.twist = style.uniform(-0.2...0.2)
        }
      }
    },
    Motion(
      "flutter_kicks", "on the back, small kicks in turn", cycle: 0.3...0.9, weight: 0.4, yaw: 80
    ) { style in
      let size = style.stature(0.08...0.2)
      let kick = style.supine(bend: 0.95...0.97).changed { posture in
        posture.left.ankle.y += size
        posture.right.ankle.y += 0.03
        posture.pitch = style.uniform(-1.5...(-1.1))
      }
      return Choreography([(kick, 1)], alternates: true)
    },
    Motion(
      "forearm_plank", "straight over the forearms, holding still", cycle: 3...10, weight: 0.8,
      yaw: 80, counted: false
    ) { style in
      let base = style.forearmPlank()
      return style.fidgeting(3) { style in
        base.changed { posture in
          posture.pelvis.y += style.stature(-0.012...0.015)
          posture.nod += style.uniform(-0.2...0.2)
        }
      }
    },
    Motion(
      "getting_down", "down to sit or lie on the floor, and up again", cycle: 6...16, yaw: 50,
      counted: false
    ) { style in
      let person = style.person
      let rest = style.standing()
      let crouched = rest.changed { posture in
        posture.pelvis.y = style.hips(0.45)
        posture.pelvis.z = -0.1 * person.stature
        posture.pitch = style.uniform(0.4...0.9)
        posture.right.ankle.z = -style.stature(0.05...0.2)
      }
      let seated = style.supine(bend: 0.6...0.95).changed { $0.pitch = style.uniform(-1.4...0.3) }
      return Choreography([
        (rest, 0.8), (crouched, 0.8), (seated, style.uniform(2...6)), (seated, 0.8),
        (crouched, 0.8),
        (rest, style.uniform(1...5)),
      ])
    },
    Motion(
      "kneeling", "kneeling, hands busy or at rest", cycle: 2...7, weight: 0.8, yaw: 50,
      counted: false
    ) { style in
      var base = style.kneeling()
      if style.chance(0.5) {
        base.left.ankle = Vector(
          base.left.ankle.x, style.person.ankleHeight, style.person.thigh * 0.8)
      }
      if style.chance(0.4) { base.pelvis.y *= style.uniform(0.55...0.9) }
      return style.fidgeting(3) { style in
        style.anyArms(base, amplitude: 0.4).changed { posture in
          posture.pitch = style.uniform(-0.1...0.7)
          posture.turn = style.uniform(-0.4...0.4)
        }
      }
    },
    Motion("leg_raises", "on the back, straight legs up and down", cycle: 1.4...5, yaw: 80) {
      style in
      let leg = style.person.leg * 0.985
      let low = style.supine(bend: 0.97...0.98)
      let angle = style.uniform(0.8...1.55)
      func raised(_ angle: Float) -> Posture {
        low.changed { posture in
          posture.setAnkles { ankle in
            ankle.y = low.pelvis.y + leg * sin(angle)
            ankle.z = leg * cos(angle)
          }
        }
      }
      let (high, half) = (raised(angle), raised(angle / 2))
      return Choreography([
        (low, 1), (half, 1), (high, style.uniform(0.1...0.5)), (high, 1), (half, 1),
      ])
    },
    Motion(
      "lying", "lying down, moving little", cycle: 3...10, weight: 1.2, yaw: 80, counted: false
    ) { style in
      let base = style.chance(0.7) ? style.supine(bend: 0.5...0.98) : style.prone()
      return style.fidgeting(3) { style in
        base.changed { posture in
          posture.nod += style.uniform(-0.2...0.2)
          posture.turn += style.uniform(-0.5...0.5)
        }.leftArm(
          raise: style.uniform(0.8...1.6), forward: style.uniform(0...2.2),
          reach: style.uniform(0.5...0.95))
      }
    },
    Motion(
      "mountain_climbers", "from a plank, knees to the chest in turn", cycle: 0.3...1.2,
      weight: 1.3, yaw: 80
    ) { style in
      let place = PlankPlace(&style, pike: -0.02...0.12)
      let reach = style.stature(0.2...0.42)
      let climb = place.top.changed { posture in
        posture.left.ankle.z += reach
        posture.left.ankle.y += style.stature(0...0.05)
      }
      return Choreography([(climb, 1)], alternates: true)
    },
    Motion(
      "plank", "straight over stretched arms, holding still", cycle: 3...10, weight: 1.4, yaw: 80,
      counted: false
    ) { style in
      let place = PlankPlace(&style, pike: -0.04...0.1)
      return style.fidgeting(4) { style in
        place.top.changed { posture in
          posture.pelvis.y += style.stature(-0.012...0.012)
          posture.nod += style.uniform(-0.15...0.15)
        }
      }
    },
    Motion(
      "plank_jacks", "in a plank, feet apart and together", cycle: 0.6...1.6, weight: 0.5, yaw: 60
    ) { style in
      let place = PlankPlace(&style)
      let aside = style.stature(0.1...0.2)
      let open = place.top.changed { posture in
        posture.left.ankle.x = aside
        posture.right.ankle.x = -aside
        posture.pelvis.y += style.stature(0...0.03)
      }
      return Choreography([(place.top, 1), (open, 1)])
    },
    Motion(
      "plank_up_downs", "from forearms to hands and down again", cycle: 1.4...4, weight: 0.3,
      yaw: 80
    ) { style in
      let low = style.forearmPlank()
      let place = PlankPlace(&style)
      let shift = low.pelvis.z - place.top.pelvis.z
      let high = place.top.moved(by: Vector(0, 0, shift))
      return Choreography([(low, 1), (high, style.uniform(0.2...0.6)), (high, 1), (low, 0.3)])
    },
    Motion(
      "russian_twists", "sitting leant back, hands from side to side", cycle: 0.6...2, weight: 0.5,
      yaw: 60
    ) { style in
      let twisted = style.supine(bend: 0.5...0.75).changed { posture in
        posture.pitch = style.uniform(-0.8...(-0.4))
        posture.twist = style.uniform(0.4...0.9)
        let lift = style.chance(0.5) ? style.stature(0.03...0.12) : 0
        posture.setAnkles { $0.y += lift }
      }.leftArm(raise: 1, forward: 0.7, reach: 0.6).rightArm(raise: 1, forward: 2, reach: 0.6)
      return Choreography([(twisted, 1)], alternates: true)
    },
    Motion(
      "shoulder_taps", "in a plank, hand to the other shoulder", cycle: 0.7...2, weight: 0.5,
      yaw: 70
    ) { style in
      let place = PlankPlace(&style, spread: 0.5...0.8)
      let tap = place.top.changed { posture in
        posture.left.hand = Vector(
          -place.person.shoulderWidth * 0.2, place.shoulderHeight * 0.85, place.hand.z)
        posture.roll = -style.uniform(0...0.1)
      }
      return Choreography([(place.top, 1), (tap, 1)], alternates: true)
    },
    Motion(
      "side_lying_leg_raises", "on the side, the upper leg up and down", cycle: 1...3, weight: 0.4
    ) { style in
      let person = style.person
      let rest = style.standing(stance: 0.02...0.04).changed { posture in
        posture.roll = 1.35
        posture.pelvis = Vector(0, 0.12, 0)
        posture.left.ankle = Vector(-person.leg * 0.97, 0.06, 0)
        posture.right.ankle = Vector(-person.leg * 0.97, 0.16, 0)
        posture.left.hand = Vector(person.trunk, 0.055, 0.2)
        posture.left.planted = 1
      }.rightArm(raise: 0.5, forward: 1.4, reach: 0.7)
      let angle = style.uniform(0.4...0.9)
      let up = rest.changed { posture in
        posture.right.ankle = Vector(
          -person.leg * 0.97 * cos(angle), 0.2 + person.leg * 0.97 * sin(angle), 0)
      }
      return Choreography([(rest, 1), (up, style.uniform(0.05...0.4)), (up, 1), (rest, 0.2)])
    },
    Motion(
      "side_plank", "straight on one hand and one foot's side", cycle: 2...8, weight: 0.4,
      counted: false
    ) { style in
      let person = style.person
      let shoulder = 0.055 + person.arm * 0.97
      let body = person.leg * 0.99 + person.trunk
      let slope = asin(min(0.7, (shoulder - 0.1) / body))
      let base = style.standing(stance: 0.02...0.04).changed { posture in
        posture.roll = .pi / 2 - slope
        posture.pelvis = Vector(0, 0.1 + person.leg * 0.99 * sin(slope), 0)
        let feet = Vector(-person.leg * 0.99 * cos(slope), 0.08, 0)
        posture.left.ankle = feet
        posture.right.ankle = feet + Vector(0, 0.12, 0)
        posture.left.hand = Vector(person.trunk * cos(slope) + 0.05, 0.055, 0)
        posture.left.planted = 1
      }.rightArm(raise: style.pick([0.2, 3]), forward: 0.3, reach: 0.95)
      let dip = base.changed { $0.pelvis.y -= style.stature(0...0.06) }
      let keys: [(Posture, Float)] = [(base, 1), (dip, 1)]
      return Choreography(style.onEitherSide(keys))
    },
    Motion("sit_ups", "from lying on the back up to sitting", cycle: 1.6...5, weight: 2, yaw: 80) {
      style in
      let hold = style.pick([ArmHold.behindHead, .atChest, .inFront])
      let low = style.supine(bend: 0.4...0.75).arms(hold)
      let high = low.changed { $0.pitch = style.uniform(-0.3...0.5) }.arms(
        style.chance(0.5) ? hold : .inFront)
      return Choreography([(low, 1), (high, style.uniform(0.05...0.5)), (high, 1), (low, 0.4)])
    },
    Motion(
      "supermans", "on the front, arms and legs come off the floor", cycle: 1.5...5, weight: 0.6,
      yaw: 80
    ) { style in
      let low = style.prone()
      let high = low.changed { posture in
        posture.pitch = style.uniform(1.15...1.4)
        posture.nod = -0.4
        let lift = style.stature(0.03...0.12)
        posture.setAnkles { $0.y += lift }
      }.arms(raise: style.uniform(1.5...2), forward: style.uniform(1...1.6), reach: 0.95)
      return Choreography([(low, 1), (high, style.uniform(0.1...0.8)), (high, 1), (low, 0.3)])
    },
  ]
}
