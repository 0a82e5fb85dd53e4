extension Motion {
  /// Walking past, towards, away or on a treadmill.
  package static let walking = Motion(
    "walking", "walking past, towards, away or on a treadmill", cycle: 0.4...0.8, weight: 8,
    yaw: 60, counted: false
  ) { style in
    style.gait(step: 0.1...0.3, lift: 0.02...0.12, swing: 0.05...0.6)
  }

  static let walkingVariants: [Motion] = [
    Motion(
      "carrying", "walking with something in both hands or on the head", cycle: 0.45...1, yaw: 60,
      counted: false
    ) { style in
      var gait = style.gait(step: 0.08...0.22, lift: 0.02...0.1, swing: 0...0.1)
      let hold = style.pick([
        ArmHold(raise: 0.7, forward: 1.6, reach: 0.7), .atChest, .withWeights,
        ArmHold(raise: 2.7, forward: 0.2, reach: 0.8),
      ])
      let lean = style.uniform(-0.1...0.2)
      gait.postures = gait.postures.map { posture in
        posture.arms(hold).changed { $0.pitch = lean }
      }
      return gait
    },
    Motion(
      "leaving", "walking out of the picture", cycle: 0.4...0.8, weight: 0.8, yaw: 80,
      counted: false, sighting: .leaving
    ) { style in
      var gait = style.gait(step: 0.12...0.3, lift: 0.02...0.1, swing: 0.1...0.6)
      gait.advance = style.stature(0.15...0.5)
      return gait
    },
    Motion(
      "running", "running past or on a treadmill", cycle: 0.28...0.5, weight: 1.5, yaw: 70,
      counted: false
    ) { style in
      var gait = style.gait(
        step: 0.2...0.4, lift: 0.12...0.35, swing: 0.4...0.9, hop: 0.01...0.05, bend: 0.6)
      let lean = style.uniform(0.05...0.3)
      gait.postures = gait.postures.map { posture in posture.changed { $0.pitch = lean } }
      return gait
    },
    Motion("side_stepping", "side steps to and fro", cycle: 0.8...2.6, weight: 3, counted: false) {
      style in
      let way = style.stature(0.05...0.3)
      let stance = style.stature(0.08...0.22)
      let narrow = style.anyArms(style.standing(stance: 0.03...0.05), amplitude: 0.5)
      let wide = style.anyArms(style.standing(), amplitude: 0.5).changed { posture in
        posture.pelvis.y = style.hips(0.95)
        posture.left.ankle.x = stance
        posture.right.ankle.x = -stance
      }
      return Choreography([
        (narrow.moved(by: Vector(-way, 0, 0)), 1), (wide, 1),
        (narrow.moved(by: Vector(way, 0, 0)), 1),
        (wide, 1),
      ])
    },
    Motion("step_ups", "up a step and down again", cycle: 1.4...3.5, weight: 0.8, yaw: 50) {
      style in
      let rise = style.stature(0.08...0.2)
      let ahead = style.stature(0.12...0.2)
      let rest = style.standing(stance: 0.03...0.06).arms(
        style.pick([.hanging, .onHips, .atChest]))
      let way = Vector(0, rise, ahead)
      let first = rest.changed { posture in
        posture.left.ankle += way
        posture.pelvis.z = ahead * 0.5
        posture.pitch = style.uniform(0.1...0.35)
      }
      let up = rest.moved(by: way)
      return Choreography(
        [(rest, 1), (first, 0.8), (up, 0.3), (up, 1), (first, 0.8)], alternates: style.chance(0.5))
    },
    Motion(
      "strolling", "small slow steps, the hands busy or still", cycle: 0.55...1.1, yaw: 60,
      counted: false
    ) { style in
      var gait = style.gait(step: 0.05...0.15, lift: 0.01...0.05, swing: 0.02...0.1)
      let hold = style.pick([
        ArmHold.onHips, .atChest, ArmHold(raise: 0.4, forward: -1.4, reach: 0.8),
      ])
      gait.postures = gait.postures.map { $0.arms(hold) }
      return gait
    },
    Motion(
      "turning", "turning on the spot in small steps", cycle: 1.5...5, weight: 1.2, counted: false
    ) { style in
      let rest = style.standing(stance: 0.03...0.06)
      let angle = style.uniform(0.8...3.1)
      let keys: [(Posture, Float)] = (0..<6).map { index in
        let posture = rest.changed { posture in
          posture.heading = angle * Float(index) / 5
          if index % 2 == 1 { posture.left.ankle.y += 0.05 } else { posture.right.ankle.y += 0.03 }
          posture.turn = 0.2
        }
        return (posture, index == 5 ? style.uniform(1...4) : 1)
      }
      return Choreography(keys)
    },
    walking,
    Motion(
      "walking_backwards", "walking backwards", cycle: 0.5...1, weight: 0.5, yaw: 60, counted: false
    ) { style in
      var gait = style.gait(step: 0.07...0.18, lift: 0.02...0.08, swing: 0.03...0.3)
      gait.postures.reverse()
      gait.shares.reverse()
      gait.advance *= -1
      return gait
    },
  ]
}

extension Style {
  /// Step after step, getting ahead or, as on a treadmill or before a camera that follows, not.
  ///
  /// - Parameters:
  ///   - step: From the middle to each foot when both are on the floor, as a share of stature.
  ///   - lift: How high the foot in the air gets, as a share of stature.
  ///   - swing: How far the arms swing, in radians.
  ///   - hop: How high both feet get, as a share of stature.
  ///   - bend: How far the arms are stretched; 1 is straight.
  package mutating func gait(
    step: ClosedRange<Float>, lift: ClosedRange<Float>, swing: ClosedRange<Float>,
    hop: ClosedRange<Float> = 0...0, bend: Float? = nil
  ) -> Choreography {
    let half = stature(step)
    let reach = bend ?? (chance(0.15) ? 0.65 : uniform(0.9...0.98))
    let (swing, lean) = (uniform(swing), uniform(0...0.15))
    let base = standing(stance: 0.015...0.045)
    let touching = base.changed { posture in
      let share = min(0.9, half / person.leg)
      posture.pelvis.y = hips((1 - share * share).squareRoot() * 0.99)
      posture.left.ankle.z = half
      posture.right.ankle.z = -half
      posture.right.ankle.y += 0.02 * person.stature
      posture.pitch = lean
      posture.twist = swing * 0.2
    }
    .leftArm(raise: swing, forward: -.pi / 2, reach: reach)
    .rightArm(raise: swing, forward: .pi / 2, reach: reach)
    let high = stature(hop)
    let passing = base.changed { posture in
      posture.right.ankle.z = stature(-0.15...0.08)
      posture.right.ankle.y += stature(lift)
      posture.pitch = lean
    }
    .moved(by: Vector(0, high, 0)).arms(raise: 0.1, forward: .pi / 2, reach: reach)
    let advance = chance(0.6) ? 2 * half * uniform(0.5...1.1) : 0
    return Choreography([(touching, 1), (passing, 1)], alternates: true, advance: advance)
  }
}
