extension Motion {
  static let dance: [Motion] = [
    Motion(
      "arm_dance", "arms high and low in turn, feet nearly still", cycle: 1.5...5, weight: 1.5,
      counted: false
    ) { style in
      let base = style.standing(stance: 0.04...0.14)
      return style.fidgeting(5) { style in
        style.anyArms(base).changed { posture in
          posture.pelvis.x = style.stature(-0.03...0.03)
          posture.pelvis.y = style.hips(0.93...0.985)
          posture.twist = style.uniform(-0.3...0.3)
        }
      }
    },
    Motion(
      "free_dance", "dancing in any way: arms, steps, turns", cycle: 2...8, weight: 4,
      counted: false
    ) { style in
      let lowest = style.uniform(0.75...0.97)
      let amplitude = style.uniform(0.2...1)
      let keys: [(Posture, Float)] = (0..<6).map { _ in
        let posture = style.anyArms(style.standing(stance: 0.03...0.14)).changed { posture in
          posture.pelvis.y = style.hips(lowest...0.985)
          posture.pitch = style.uniform(-0.1...0.35) * amplitude
          posture.roll = style.uniform(-0.25...0.25) * amplitude
          posture.twist = style.uniform(-0.5...0.5) * amplitude
          posture.heading = style.uniform(-0.8...0.8) * amplitude
          posture.setAnkles { $0.z = style.stature(-0.1...0.15) * amplitude }
          let lift = style.chance(0.6) ? style.stature(0.02...0.35) * amplitude : 0
          if style.chance(0.5) {
            posture.left.ankle.y += lift
          } else {
            posture.right.ankle.y += lift
          }
        }.moved(by: Vector(style.stature(-0.2...0.2) * amplitude, 0, 0))
        return (posture, style.uniform(0.6...1.4))
      }
      return Choreography(keys)
    },
    Motion(
      "grapevine", "side steps, the other foot crossing behind, a clap", cycle: 1.6...4,
      weight: 0.8, counted: false
    ) { style in
      let step = style.stature(0.1...0.22)
      let base = style.standing(stance: 0.03...0.05)
      let open = base.changed { posture in
        posture.left.ankle.x += step
        posture.pelvis.x += step * 0.5
        posture.pelvis.y = style.hips(0.96)
      }.arms(raise: style.uniform(0.3...1.4), forward: 0.2)
      let crossed = base.changed { posture in
        posture.left.ankle.x = step
        posture.right.ankle = Vector(step * 1.4, posture.right.ankle.y, -0.12)
        posture.pelvis.x = step * 1.2
        posture.pelvis.y = style.hips(0.96)
      }
      let closed = base.moved(by: Vector(step * 2, 0, 0)).arms(
        raise: style.uniform(0.5...1.5), forward: 1.7, reach: 0.7)
      return Choreography(
        [(base, 1), (open, 1), (crossed, 1), (closed, 1), (closed, 0.6)], alternates: true)
    },
    Motion("groove", "from foot to foot to the beat", cycle: 0.4...1.1, weight: 1.5, counted: false)
    { style in
      let sway = style.stature(0.01...0.06)
      let bounce = style.uniform(0.86...0.97)
      let base = style.anyArms(
        style.standing(stance: 0.05...0.12), amplitude: style.uniform(0.1...0.6))
      let over = base.changed { posture in
        posture.pelvis.x = sway
        posture.roll = -style.uniform(0...0.2)
        posture.twist = style.uniform(-0.3...0.3)
        posture.right.ankle.y += style.stature(0...0.05)
      }
      let low = base.changed { posture in
        posture.pelvis.y = style.hips(bounce)
        posture.pitch = style.uniform(0...0.2)
      }
      return Choreography([(over, 1), (low, 0.8)], alternates: true)
    },
    Motion(
      "mambo", "one foot steps forward and back, the hips follow", cycle: 0.8...2.4, weight: 1.2,
      yaw: 40, counted: false
    ) { style in
      let step = style.stature(0.06...0.25)
      let base = style.standing(stance: 0.03...0.06).arms(
        raise: style.uniform(0.2...0.7), forward: 1, reach: style.uniform(0.5...0.8))
      let ahead = base.changed { posture in
        posture.left.ankle.z = step
        posture.pelvis.z = step * 0.5
        posture.pelvis.y = style.hips(0.95)
        posture.heading = -style.uniform(0...0.3)
      }
      let behind = base.changed { posture in
        posture.left.ankle.z = -step
        posture.pelvis.z = -step * 0.4
        posture.pelvis.y = style.hips(0.95)
        posture.heading = style.uniform(0...0.3)
      }
      return Choreography(
        [(ahead, 1), (base, 0.7), (behind, 1), (base, 0.7)], alternates: style.chance(0.3))
    },
    Motion("modern_dance", "wide low steps, bends and turns", cycle: 2.5...8, counted: false) {
      style in
      let keys: [(Posture, Float)] = (0..<5).map { _ in
        let posture = style.anyArms(style.standing(stance: 0.05...0.22)).changed { posture in
          posture.pelvis.y = style.hips(0.6...0.97)
          posture.pelvis.z = style.stature(-0.08...0.08)
          posture.left.ankle.z = style.stature(-0.2...0.2)
          posture.pitch = style.uniform(-0.3...0.9)
          posture.roll = style.uniform(-0.5...0.5)
          posture.twist = style.uniform(-0.6...0.6)
          posture.heading = style.uniform(-1.2...1.2)
        }
        return (posture, style.uniform(0.6...1.4))
      }
      return Choreography(keys)
    },
    Motion(
      "twist", "hips and shoulders turn against each other", cycle: 0.35...0.9, weight: 0.7,
      counted: false
    ) { style in
      let angle = style.uniform(0.2...0.6)
      let twisted = style.standing(stance: 0.05...0.1).changed { posture in
        posture.heading = angle
        posture.twist = -angle * style.uniform(1...1.8)
        posture.pelvis.y = style.hips(0.75...0.95)
        posture.pitch = style.uniform(0...0.3)
      }.arms(raise: style.uniform(0.5...1.3), forward: 1.2, reach: style.uniform(0.5...0.8))
      return Choreography([(twisted, 1)], alternates: true)
    },
  ]
}
