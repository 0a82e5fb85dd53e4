import Foundation

extension Motion {
  /// Other ways in which people do the exercises: slower, deeper, with weights or on equipment; each
  /// is only drawn by name.
  static let variants: [Motion] = [
    Motion(
      "barbell_deadlifts", "a bar from the floor up to the hips, knees bent", cycle: 1.8...6,
      weight: 0, yaw: 60
    ) { style in
      let rest = style.standing(stance: 0.04...0.2).arms(
        raise: style.uniform(0.05...0.2), forward: style.uniform(1...1.6), reach: 0.98)
      let lean = style.uniform(0.6...1.25)
      let low = rest.changed { posture in
        posture.pelvis.y = style.hips(0.5...0.86)
        posture.pelvis.z = -style.stature(0.06...0.14)
        posture.pitch = lean
        posture.nod = -style.uniform(0.1...0.6)
      }.arms(raise: style.uniform(0.05...0.3), forward: 1.57, reach: 0.98)
      let pause = style.uniform(0.05...1)
      let half = Posture(lanes: (rest.lanes + low.lanes) * 0.5).changed { posture in
        // The knees straighten before the trunk does.
        posture.pelvis.y = style.hips(0.86...0.96)
        posture.pitch = lean * style.uniform(0.5...0.9)
      }
      return Choreography([
        (rest, 1), (half, 0.8), (low, pause), (low, 0.8), (half, 1), (rest, 0.4),
      ])
    },
    Motion(
      "cossack_lunges", "feet wide apart, down on one leg and then on the other", cycle: 1.2...4.5,
      weight: 0
    ) { style in
      let wide = style.stature(0.22...0.36)
      let rest = style.standing().arms(
        style.pick([.atChest, .inFront, .onHips, ArmHold(raise: 0.2, forward: 1.4, reach: 0.95)])
      ).changed { posture in
        posture.left.ankle.x = wide
        posture.right.ankle.x = -wide
        posture.pelvis.y = style.hips(0.75...0.9)
        posture.pitch = style.uniform(0.05...0.3)
      }
      let reachesDown = style.chance(0.5)
      let low = rest.changed { posture in
        // Not so far that the straight leg would pull its foot along.
        posture.pelvis.x = min(wide * style.uniform(0.55...0.9), style.person.leg * 0.9 - wide)
        posture.pelvis.y = style.hips(0.4...0.65)
        posture.pelvis.z = -style.stature(0.03...0.1)
        posture.pitch = style.uniform(0.3...0.9)
      }
      let down =
        reachesDown
        ? low.arms(raise: style.uniform(0.1...0.5), forward: 1.5, reach: 0.97) : low
      return Choreography(
        [(rest, 1), (down, style.uniform(0.02...0.4)), (down, 1)], alternates: true)
    },
    Motion(
      "hanging_leg_raises", "hanging from a bar or between two, the legs go up in front",
      cycle: 1.2...4.5, weight: 0, yaw: 70
    ) { style in
      let person = style.person
      let isSupported = style.chance(0.5)
      let grip = person.shoulderWidth * style.uniform(0.5...(isSupported ? 0.7 : 1))
      let height = isSupported ? person.leg * 1.6 : person.leg + person.trunk + person.arm
      let hand = Vector(grip, height + style.stature(0.1...0.2), style.stature(0...0.08))
      let reach =
        isSupported
        ? person.arm * style.uniform(0.6...0.97) : -person.arm * style.uniform(0.9...0.98)
      let hanging = style.hanging(pitch: -0.15...0.15).planted(hand)
        .shoulders(person, above: hand, by: reach, feetHang: true)
      let bend = style.chance(0.5) ? style.uniform(0.45...0.7) : 0.97
      let angle = style.uniform(bend < 0.9 ? 0.9...1.9 : 0.7...1.8)
      let high = hanging.changed { posture in
        posture.setAnkles { ankle in
          ankle.y = hanging.pelvis.y - person.leg * bend * cos(angle)
          ankle.z = hanging.pelvis.z + person.leg * bend * sin(angle)
        }
        posture.pitch -= style.uniform(0...0.25)
        posture.nod = style.uniform(0...0.5)
      }
      return Choreography([
        (hanging, 1), (high, style.uniform(0.02...0.4)), (high, 1),
        (hanging, style.uniform(0.02...0.6)),
      ])
    },
    Motion(
      "hip_thrusts", "shoulders on a bench, the hips go down and up", cycle: 1.4...5, weight: 0,
      yaw: 80
    ) { style in
      let person = style.person
      let bench = style.stature(0.18...0.27)
      let top = style.supine(bend: 0.4...0.6).changed { posture in
        posture.pelvis.y = bench + style.stature(-0.03...0.03)
        posture.pitch = style.uniform(-1.65...(-1.4))
        posture.nod = style.uniform(0...0.5)
        posture.setAnkles { $0.y = person.ankleHeight }
      }.arms(raise: style.uniform(0.5...1.4), forward: style.uniform(0.6...1.6), reach: 0.85)
      let low = top.changed { posture in
        let drop = style.stature(0.08...0.17)
        posture.pelvis.y -= drop
        posture.pitch += asin(min(0.9, drop / person.trunk))
        posture.pelvis.z -= drop * 0.2
      }
      return Choreography([
        (low, 1), (top, style.uniform(0.05...0.6)), (top, 1), (low, style.uniform(0.05...0.4)),
      ])
    },
    Motion(
      "incline_climbers", "hands on a step, knees to the chest in turn", cycle: 0.4...2.2,
      weight: 0, yaw: 70
    ) { style in
      let place = PlankPlace(&style, handRise: style.uniform(0...0.22))
      let reach = style.stature(0.2...0.45)
      // Hips above the line need feet nearer to the hands.
      let pike = style.stature(0...0.16)
      let base = place.top.changed { posture in
        posture.pelvis.y += pike
        posture.pitch += pike / place.person.trunk
        posture.setAnkles { $0.z += pike }
      }
      let climb = base.changed { posture in
        posture.left.ankle.z += reach
        posture.left.ankle.y += style.stature(0...0.08)
        posture.pelvis.y += style.stature(0...0.04)
      }
      let keys: [(Posture, Float)] = [(base, style.uniform(0.2...1)), (climb, 1)]
      return Choreography(style.chance(0.5) ? keys : [keys[1]], alternates: true)
    },
    Motion(
      "one_arm_circles", "one straight arm draws large circles", cycle: 0.7...3, weight: 0
    ) { style in
      let base = style.standing().arms(style.pick([.hanging, .onHips, .withWeights]))
      let turn = style.side()
      let aside = style.uniform(0...0.6)
      let keys: [(Posture, Float)] = (0..<6).map { index in
        let angle = turn * Float(index) * .pi / 3
        // From hanging over the front to straight up and down behind.
        let lift = (1 - cos(angle)) / 2 * 2.9 + 0.1
        let forward = sin(angle) >= 0 ? Float.pi / 2 - aside : -0.5
        return (base.leftArm(raise: lift, forward: forward, reach: 0.97), 1)
      }
      return Choreography(style.onEitherSide(keys))
    },
    Motion(
      "one_arm_presses",
      "one hand, or each in turn, goes from the shoulder up",
      cycle: 1...4, weight: 0
    ) { style in
      let base = style.chance(0.3) ? style.sitting() : style.standing(stance: 0.04...0.14)
      let low = base.arms(
        raise: style.uniform(1.6...2), forward: style.uniform(0.2...1), reach: 0.38)
      let high = low.leftArm(raise: style.uniform(2.8...3.1), forward: 0.3, reach: 0.98)
      let keys: [(Posture, Float)] = [
        (low, 1), (high, style.uniform(0.02...0.3)), (high, 1), (low, style.uniform(0.02...0.5)),
      ]
      return Choreography(
        style.onEitherSide(keys), alternates: style.chance(0.6))
    },
    Motion(
      "one_arm_rows", "bent forward over one hand, the other is pulled to the hip",
      cycle: 1...4, weight: 0, yaw: 60
    ) { style in
      let person = style.person
      let stride = style.stature(0...0.4)
      let low = style.standing(stance: 0.04...0.1).changed { posture in
        posture.left.ankle.z = stride
        posture.right.ankle.z = -stride * style.uniform(0.2...0.8)
        posture.pelvis.y = style.hips(0.7...0.92)
        posture.pelvis.z = -style.stature(0...0.08)
        posture.pitch = style.uniform(0.5...1.35)
        posture.nod = -style.uniform(0...0.6)
        let shoulder =
          posture.pelvis + Vector(0, cos(posture.pitch), sin(posture.pitch)) * person.trunk
        posture.left.hand =
          shoulder + Vector(style.uniform(0...0.25), -person.arm * style.uniform(0.5...0.95), 0.08)
        posture.left.planted = 1
      }.rightArm(raise: 0.12, forward: 1.57, reach: 0.97)
      let up = low.rightArm(raise: style.uniform(0.1...0.3), reach: style.uniform(0.3...0.5))
        .changed {
          $0.twist = -style.uniform(0...0.4)
        }
      let keys: [(Posture, Float)] = [
        (low, 1), (up, style.uniform(0.02...0.3)), (up, 1), (low, style.uniform(0.02...0.5)),
      ]
      return Choreography(style.onEitherSide(keys))
    },
    Motion(
      "seated_twists", "leant back on the floor, trunk and arms turn to each side",
      cycle: 0.8...4, weight: 0, yaw: 60
    ) { style in
      let swing = style.uniform(0.4...1.2)
      let raise = style.uniform(0.6...1.2)
      let reach = style.uniform(0.4...0.85)
      let twisted = style.supine(bend: 0.5...0.9).changed { posture in
        posture.pitch = style.uniform(-0.9...(-0.25))
        posture.twist = style.uniform(0.5...1.35)
        posture.turn = -posture.twist * style.uniform(0...0.5)
        posture.nod = style.uniform(0...0.4)
        let lift = style.chance(0.4) ? style.stature(0.03...0.15) : 0
        posture.setAnkles { $0.y += lift }
      }.leftArm(raise: raise, forward: 1.6 - swing * 0.6, reach: reach)
        .rightArm(raise: raise, forward: 1.6 + swing * 0.5, reach: reach)
      return Choreography([(twisted, 1), (twisted, style.uniform(0.05...0.5))], alternates: true)
    },
    Motion(
      "skipping_rope", "over a rope from one foot to the other", cycle: 0.3...0.7, weight: 0
    ) { style in
      let hold = ArmHold(
        raise: style.uniform(0.2...0.9), forward: style.uniform(-0.2...1.2),
        reach: style.uniform(0.5...0.95))
      let hop = style.stature(0.01...0.06)
      let lift = style.stature(0.02...0.16)
      let landing = style.standing(stance: 0.02...0.06).arms(hold).changed { posture in
        posture.pelvis.y = style.hips(0.92...0.98)
        posture.right.ankle.y += lift
        posture.right.ankle.z -= lift * style.uniform(-0.3...1)
      }
      let flight = landing.moved(by: Vector(0, hop, 0)).arms(raise: hold.raise + 0.06)
      return Choreography([(landing, 1), (flight, 0.8)], alternates: true)
    },
    Motion(
      "slow_butt_kicks", "on the spot, one heel after the other up to the seat", cycle: 0.5...1.6,
      weight: 0, yaw: 60
    ) { style in
      let hold = style.pick([
        .hanging, .onHips, .atChest, ArmHold(raise: 0.5, forward: -1.3, reach: 0.85),
      ])
      let sway = style.stature(0...0.04)
      let rest = style.standing(stance: 0.03...0.13).arms(hold)
      let up = rest.changed { posture in
        posture.right.ankle.y += style.stature(0.18...0.42)
        posture.right.ankle.z = -style.stature(0.1...0.25)
        posture.pelvis.x = sway
        posture.pitch = style.uniform(-0.05...0.25)
      }
      let bend = style.uniform(0...0.5)
      let pulled = up.arms(raise: hold.raise + bend, reach: hold.reach)
      return Choreography([(rest, style.uniform(0.2...1)), (pulled, 1)], alternates: true)
    },
    Motion(
      "slow_high_knees", "on the spot, one knee after the other up to the chest", cycle: 0.5...1.7,
      weight: 0, yaw: 40
    ) { style in
      let hold = style.pick([
        .hanging, .onHips, .atChest, .inFront, ArmHold(raise: 1.2, forward: 0.6, reach: 0.8),
        ArmHold(raise: 2.6, forward: 1, reach: 0.9),
      ])
      let rest = style.standing(stance: 0.03...0.08).arms(hold)
      let up = rest.changed { posture in
        posture.right.ankle.y += style.stature(0.2...0.45)
        posture.right.ankle.z = style.stature(0...0.15)
        posture.pitch = style.uniform(-0.15...0.25)
      }
      let meets = style.chance(0.5)
      let high =
        meets ? up.arms(raise: 0.8, forward: style.uniform(1.4...1.8), reach: 0.75) : up
      return Choreography([(rest, style.uniform(0.2...1)), (high, 1)], alternates: true)
    },
    Motion(
      "swaying_walk", "walking on the spot, hips and shoulders sway",
      cycle: 0.45...1.6, weight: 0, yaw: 60, counted: false
    ) { style in
      var gait = style.gait(step: 0.06...0.22, lift: 0.01...0.09, swing: 0.05...0.6)
      let (sway, tilt) = (style.stature(0...0.025), style.uniform(0...0.08))
      let twist = style.uniform(0...0.25)
      gait.postures = gait.postures.enumerated().map { index, posture in
        posture.changed { posture in
          // Over the foot that stands while the other one passes.
          posture.pelvis.x += index == 1 ? sway : 0
          posture.roll += index == 1 ? tilt : 0
          posture.twist += index == 0 ? twist : 0
        }
      }
      if style.chance(0.7) { gait.advance = 0 }
      return gait
    },
    Motion(
      "swinging_crunches", "on the back, the arms swing ahead and the shoulders come up",
      cycle: 1.4...5, weight: 0, yaw: 80
    ) { style in
      let low = style.supine(bend: 0.35...0.9).arms(
        raise: style.uniform(2.4...3.1), forward: style.uniform(0.8...1.5), reach: 0.95)
      let high = low.changed { posture in
        posture.pitch = style.uniform(-1.25...(-0.6))
        posture.nod = 0.3
      }.arms(raise: style.uniform(0.9...1.6), forward: 1.5, reach: 0.95)
      return Choreography([(low, 1), (high, style.uniform(0.05...0.5)), (high, 1), (low, 0.3)])
    },
    Motion(
      "trunk_twists", "shoulders and hips turn far to each side",
      cycle: 0.8...4, weight: 0
    ) { style in
      let hold = style.pick([
        ArmHold(raise: 1.4, forward: 1.9, reach: 0.4), .atChest, .onHips, .behindHead,
        ArmHold(raise: 1.5, forward: 0.1, reach: 0.95), .inFront,
      ])
      let twisted = style.standing(stance: 0.05...0.16).arms(hold).changed { posture in
        posture.twist = style.uniform(0.5...1.2)
        posture.heading = style.uniform(0...0.5)
        posture.turn = style.uniform(-0.8...0.3)
        posture.pitch = style.uniform(-0.05...0.15)
      }
      return Choreography([(twisted, style.uniform(0.02...0.4)), (twisted, 1)], alternates: true)
    },
    Motion(
      "v_sits", "sitting leant back, the knees come to the chest and go away", cycle: 1...3.5,
      weight: 0, yaw: 80
    ) { style in
      let leg = style.person.leg
      let hold = style.pick([
        ArmHold(raise: 0.4, forward: -1.2, reach: 0.8), .inFront, .atChest,
        ArmHold(raise: 0.7, forward: 1.5, reach: 0.95),
      ])
      let lift = style.stature(0.05...0.2)
      let away = style.supine(bend: 0.85...0.98).arms(hold).changed { posture in
        posture.pitch = style.uniform(-1.3...(-0.6))
        posture.setAnkles { $0.y += lift }
      }
      let near = away.changed { posture in
        posture.pitch = style.uniform(-0.6...(-0.1))
        posture.setAnkles { $0.z = leg * style.uniform(0.35...0.6) }
      }
      return Choreography([
        (away, 1), (near, style.uniform(0.02...0.3)), (near, 1), (away, style.uniform(0.02...0.3)),
      ])
    },
  ]
}
