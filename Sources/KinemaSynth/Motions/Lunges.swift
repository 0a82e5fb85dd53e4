extension Motion {
  /// A long step forward until the rear knee is just above the floor, and back again.
  package static let lunges = Motion(
    "lunges", of: .lunges, "a long step forward, down on it, and back", cycle: 1.3...4, weight: 3,
    yaw: 50
  ) { style in
    let rest = style.lungeRest()
    let low = style.lunge(rest, front: style.stature(0.28...0.52), rear: 0)
    return style.steppingLunge(rest, low: low, foot: \.left)
  }

  static let lungeVariants: [Motion] = [
    Motion(
      "jump_lunges", of: .lunges, "from one lunge to the other in a jump", cycle: 0.7...1.8,
      weight: 0, yaw: 60
    ) { style in
      let rest = style.lungeRest()
      let step = style.stature(0.3...0.5)
      let low = style.lunge(rest, front: step / 2, rear: -step / 2)
      let jump = style.stature(0.03...0.1)
      let flight = rest.changed { posture in
        posture.pelvis.y += jump
        posture.setAnkles { $0.y += jump * 1.2 }
      }
      return Choreography([(low, 1), (flight, 1)], alternates: true)
    },
    lunges,
    Motion(
      "reverse_lunges", of: .lunges, "a long step back, down on it, and forward again",
      cycle: 1.3...4, weight: 3, yaw: 50
    ) { style in
      let rest = style.lungeRest()
      let low = style.lunge(rest, front: 0, rear: -style.stature(0.28...0.52))
      return style.steppingLunge(rest, low: low, foot: \.right)
    },
    Motion(
      "side_lunges", of: .lunges, "a long step aside, down on it, and back", cycle: 1.3...4,
      weight: 0.4
    ) { style in
      let rest = style.lungeRest()
      let step = style.stature(0.28...0.45)
      let low = rest.changed { posture in
        posture.left.ankle.x = step
        posture.pelvis.x = step * style.uniform(0.6...0.85)
        posture.pelvis.y = style.hips(0.5...0.75)
        posture.pelvis.z = -style.stature(0.04...0.12)
        posture.pitch = style.uniform(0.3...0.8)
      }
      let lifted = rest.changed { posture in
        posture.left.ankle.x = step * 0.5
        posture.left.ankle.y += style.stature(0.02...0.06)
      }
      return Choreography(
        [(rest, 0.6), (lifted, 0.6), (low, style.uniform(0.02...0.4)), (low, 0.6), (lifted, 0.6)],
        alternates: style.chance(0.6))
    },
    Motion(
      "split_squats", of: .lunges, "one foot in front, up and down in place", cycle: 1.2...4,
      weight: 3, yaw: 50
    ) { style in
      let rest = style.lungeRest()
      let step = style.stature(0.28...0.52)
      let low = style.lunge(rest, front: step / 2, rear: -step / 2)
      let high = low.changed { posture in
        posture.pelvis.y = style.hips(0.86...0.95)
        posture.pitch *= 0.3
      }
      let (hold, pause) = (style.uniform(0.02...0.4), style.uniform(0.02...0.5))
      let keys = [(high, Float(1)), (low, hold), (low, 1), (high, pause)]
      return Choreography(style.onEitherSide(keys))
    },
    Motion(
      "walking_lunges", of: .lunges, "lunge after lunge, getting ahead or on the spot",
      cycle: 1...3, weight: 2, yaw: 60
    ) { style in
      let rest = style.lungeRest()
      let step = style.stature(0.28...0.52)
      let low = style.lunge(rest, front: step / 2, rear: -step / 2)
      let passing = rest.changed { posture in
        posture.right.ankle.y += style.stature(0.02...0.2)
        posture.right.ankle.z = -0.05 * style.person.stature
      }
      let advance = style.chance(0.6) ? step * style.uniform(0.6...1) : 0
      return Choreography([(low, 1), (passing, 1)], alternates: true, advance: advance)
    },
  ]
}

extension Style {
  /// Standing with the feet as wide as the hips and the arms held in some way.
  mutating func lungeRest() -> Posture {
    let posture = standing(stance: 0.03...0.05)
    return posture.arms(armHold())
  }

  /// Down in a lunge, the left ankle `front` metres ahead and the right one `rear`.
  mutating func lunge(_ rest: Posture, front: Float, rear: Float) -> Posture {
    var posture = rest
    posture.left.ankle.z = front
    // The heel is up and turns about the ball of the foot.
    posture.right.ankle.z = rear + 0.03 * person.stature
    posture.right.ankle.y += stature(0.03...0.06)
    posture.pelvis.y = hips(uniform(0.45...0.74))
    posture.pelvis.z = rear + (front - rear) * uniform(0.35...0.6)
    posture.pitch = uniform(0...0.4)
    posture.nod = -posture.pitch * 0.4
    let handsMeet = rest.left.arm == .hanging && chance(0.4)
    return handsMeet ? posture.arms(raise: uniform(0.6...1.2), reach: 0.7) : posture
  }

  /// A step into a lunge and back, with one leg or with both in turn.
  mutating func steppingLunge(
    _ rest: Posture, low: Posture, foot: WritableKeyPath<Posture, Posture.Limbs>
  ) -> Choreography {
    var stepping = rest
    stepping[keyPath: foot].ankle.z = low[keyPath: foot].ankle.z * 0.5
    stepping[keyPath: foot].ankle.y += stature(0.02...0.14)
    stepping.pelvis.y = hips(0.96)
    stepping.pelvis.z = low.pelvis.z * 0.3
    stepping.pitch = low.pitch * 0.4
    let (hold, pause) = (uniform(0.02...0.4), uniform(0.02...0.5))
    return Choreography(
      [(rest, 0.5), (stepping, 0.6), (low, hold), (low, 0.6), (stepping, 0.5), (rest, pause)],
      alternates: chance(0.65))
  }
}
