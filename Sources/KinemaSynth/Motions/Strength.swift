import Foundation

extension Motion {
  /// Exercises with bars, weights, benches and chairs; each is only drawn by name.
  static let strength: [Motion] = [
    Motion(
      "bench_dips", "hands on a bench behind, the hips go down and up", cycle: 1.2...4, weight: 0,
      yaw: 70
    ) { style in
      let person = style.person
      let seat = style.stature(0.2...0.3)
      let hand = Vector(person.shoulderWidth * style.uniform(0.5...0.75), seat, -0.08)
      let top = style.supine(bend: 0.6...0.98).changed { posture in
        let ahead = person.leg * style.uniform(0.45...0.95)
        let rise = style.chance(0.15) ? style.stature(0.15...0.25) : 0
        let pelvis = Vector(0, seat + style.stature(0...0.05), style.stature(0.02...0.1))
        posture.pelvis = pelvis
        posture.setAnkles { ankle in
          ankle.y = person.ankleHeight + rise
          ankle.z = pelvis.z + ahead
        }
        posture.pitch = style.uniform(-0.15...0.15)
        posture.nod = style.uniform(-0.2...0.3)
      }.planted(hand).shoulders(person, above: hand, by: person.arm * 0.96, feetHang: false)
      let low = top.shoulders(
        person, above: hand, by: person.arm * style.uniform(0.5...0.75), feetHang: false)
      return Choreography([
        (top, 1), (low, style.uniform(0.02...0.4)), (low, 1), (top, style.uniform(0.02...0.5)),
      ])
    },
    Motion(
      "bar_dips", "between two bars, the body goes down and up", cycle: 1.2...4, weight: 0, yaw: 60
    ) { style in
      let person = style.person
      // High enough for straight legs at the lowest point.
      let hand = Vector(
        person.shoulderWidth * style.uniform(0.5...0.75), person.leg * style.uniform(1.35...1.6),
        style.stature(0...0.06))
      let top = style.hanging(pitch: 0...0.5).planted(hand)
        .shoulders(person, above: hand, by: person.arm * 0.97, feetHang: true)
      let low = top.changed { $0.pitch += style.uniform(0...0.3) }
        .shoulders(person, above: hand, by: person.arm * style.uniform(0.4...0.7), feetHang: true)
      return Choreography([
        (top, 1), (low, style.uniform(0.02...0.4)), (low, 1), (top, style.uniform(0.02...0.5)),
      ])
    },
    Motion(
      "bench_press", "on a bench on the back, the hands go up from the chest", cycle: 1...4,
      weight: 0, yaw: 70
    ) { style in
      let bench = style.stature(style.chance(0.2) ? 0.02...0.05 : 0.22...0.28)
      let base = style.supine(bend: 0.5...0.75).changed { posture in
        posture.pelvis.y += bench
        posture.pitch = style.uniform(-1.57...(-1.1))
        posture.nod = style.uniform(0...0.3)
      }
      let ahead = style.uniform(0.1...1.4)
      let low = base.arms(
        raise: style.uniform(2...2.6), forward: ahead, reach: style.uniform(0.4...0.6))
      let high = base.arms(raise: style.uniform(2.8...3.1), forward: ahead, reach: 0.97)
      return Choreography([
        (high, 1), (low, style.uniform(0.02...0.3)), (low, 1), (high, style.uniform(0.02...0.6)),
      ])
    },
    Motion(
      "cable_curls", "over a bench or before a cable, the forearms come up", cycle: 1...4, weight: 0
    ) { style in
      let base = style.standing(stance: 0.03...0.12).changed { posture in
        posture.pitch = style.chance(0.4) ? style.uniform(0.3...0.9) : style.uniform(-0.15...0.3)
        posture.pelvis.y = style.hips(0.85...0.98)
        posture.pelvis.z = -style.stature(0...0.06)
        posture.left.ankle.z = -style.stature(0...0.15)
        posture.right.ankle.z = style.stature(0...0.1)
      }
      let down = base.arms(
        raise: style.uniform(0.1...1), forward: style.uniform(0.6...1.7),
        reach: style.uniform(0.8...0.98))
      return style.curling(from: down, oneByOne: style.chance(0.3))
    },
    Motion("front_raises", "straight arms up to the front, and down", cycle: 1.2...4.5, weight: 0) {
      style in
      style.raising(
        forward: style.uniform(1.3...1.75), top: style.chance(0.15) ? 2.4...3.1 : 1.15...1.9,
        oneByOne: style.chance(0.35))
    },
    Motion(
      "lateral_raises", "straight arms up to the sides, and down", cycle: 1.2...4.5, weight: 0
    ) { style in
      style.raising(
        forward: style.uniform(-0.1...0.5), top: style.chance(0.1) ? 2.2...3 : 1.15...1.85,
        oneByOne: style.chance(0.1))
    },
    Motion(
      "pull_ups", "hanging from a bar, the chin goes up to it", cycle: 1.2...5, weight: 0, yaw: 20
    ) { style in
      let person = style.person
      let grip = person.shoulderWidth * style.uniform(0.35...1.25)
      let bar = person.leg + person.trunk + person.arm + style.stature(0.05...0.15)
      let hand = Vector(grip, bar, style.stature(0...0.05))
      let hanging = style.hanging(pitch: -0.25...0.1).planted(hand)
        .shoulders(
          person, above: hand, by: -person.arm * style.uniform(0.88...0.98), feetHang: true)
      let depth = style.chance(0.2) ? style.uniform(0.5...0.7) : style.uniform(0.15...0.5)
      let swing = style.stature(style.chance(0.25) ? 0.02...0.15 : 0...0.03)
      let high = hanging.shoulders(person, above: hand, by: -person.arm * depth, feetHang: true)
        .changed {
          posture in
          posture.pitch -= style.uniform(0...0.3)
          posture.nod = style.uniform(-0.4...0.1)
          posture.setAnkles { $0.z += swing }
        }
      return Choreography([
        (hanging, 1), (high, style.uniform(0.02...0.4)), (high, 1),
        (hanging, style.uniform(0.02...0.8)),
      ])
    },
    Motion(
      "pushdowns", "before a cable, the forearms go down from the chest", cycle: 1...3, weight: 0
    ) { style in
      let base = style.standing(stance: 0.04...0.1).changed { posture in
        posture.pitch = style.uniform(0.05...0.5)
        posture.pelvis.y = style.hips(0.94...0.985)
      }
      let high = base.arms(
        raise: style.uniform(0.6...1.1), forward: style.uniform(1.4...1.8),
        reach: style.uniform(0.45...0.7))
      let low = base.arms(raise: style.uniform(0.15...0.4), forward: 1.4, reach: 0.97)
      return Choreography([
        (high, 1), (low, style.uniform(0.02...0.4)), (low, 1), (high, style.uniform(0.02...0.4)),
      ])
    },
    Motion(
      "seated_curls", "sitting, the forearms come up, both or in turn", cycle: 1...4, weight: 0
    ) { style in
      let lean = style.chance(0.4) ? style.uniform(0.1...0.7) : 0
      let down = style.sitting().changed { $0.pitch += lean }.arms(
        raise: style.uniform(0.1...0.9), forward: style.uniform(0.8...1.6),
        reach: style.uniform(0.85...0.97))
      return style.curling(from: down, oneByOne: style.chance(0.5))
    },
    Motion(
      "sit_to_stand", "from a chair up to standing and down again", cycle: 1.6...5.5, weight: 0,
      yaw: 50
    ) { style in
      let hold = style.pick([
        ArmHold.atChest, .atChest, .inFront, ArmHold(raise: 0.5, forward: 1.4, reach: 0.85),
        ArmHold(raise: 0.25, forward: 1.7, reach: 0.92),
      ])
      let rest = style.standing(stance: 0.05...0.12).arms(style.chance(0.7) ? hold : .hanging)
      let seat = style.uniform(0.45...0.58)
      let back = style.stature(0.16...0.26)
      let seated = rest.changed { posture in
        posture.pelvis.y = style.hips(seat)
        posture.pelvis.z = -back
        posture.pitch = style.uniform(-0.1...0.25)
      }.arms(hold)
      let leaning = seated.changed { posture in
        posture.pelvis.y = style.hips(seat + 0.06)
        posture.pelvis.z = -back * 0.8
        posture.pitch = style.uniform(0.5...0.95)
        posture.nod = -posture.pitch * 0.5
      }
      return Choreography([
        (rest, 0.9), (leaning, 0.5), (seated, style.uniform(0.05...0.6)), (seated, 0.4),
        (leaning, 0.9), (rest, style.uniform(0.05...0.6)),
      ])
    },
    Motion(
      "single_leg_bridges", "on the back, the hips go up on one foot", cycle: 1.4...5, weight: 0,
      yaw: 80
    ) { style in
      let person = style.person
      let low = style.supine(bend: 0.4...0.6).changed { posture in
        let angle = style.uniform(0.3...1.2)
        posture.left.ankle = Vector(
          posture.left.ankle.x, posture.pelvis.y + person.leg * 0.95 * sin(angle),
          person.leg * 0.95 * cos(angle))
      }
      let rise = style.stature(0.08...0.2)
      let high = low.changed { posture in
        posture.pelvis.y += rise
        posture.pitch = -1.5 - asin(min(0.9, rise / person.trunk))
        posture.left.ankle.y += rise
      }
      return Choreography([(low, 1), (high, style.uniform(0.05...0.6)), (high, 1), (low, 0.3)])
    },
    Motion(
      "single_leg_raises", "on the back, one straight leg up and down", cycle: 1.2...4, weight: 0,
      yaw: 80
    ) { style in
      let leg = style.person.leg * 0.985
      let bent = style.person.leg * style.uniform(0.45...0.7)
      let restBends = style.chance(0.5)
      let low = style.supine(bend: 0.97...0.98).changed { posture in
        if restBends { posture.right.ankle.z = bent }
      }
      let angle = style.uniform(0.5...1.5)
      func raised(_ angle: Float) -> Posture {
        low.changed { posture in
          posture.left.ankle.y = low.pelvis.y + leg * sin(angle)
          posture.left.ankle.z = leg * cos(angle)
        }
      }
      return Choreography(
        [
          (low, 1), (raised(angle / 2), 1), (raised(angle), style.uniform(0.1...0.5)),
          (raised(angle), 1), (raised(angle / 2), 1),
        ], alternates: !restBends && style.chance(0.5))
    },
  ]
}

extension Style {
  /// With the legs off the floor, straight down or bent back.
  mutating func hanging(pitch: ClosedRange<Float>) -> Posture {
    let reach = person.leg * (chance(0.5) ? 0.985 : uniform(0.6...0.95))
    let back = person.leg * uniform(-0.15...0.5)
    var posture = standing(stance: 0.01...0.05)
    let height = posture.pelvis.y - max(reach * reach - back * back, 0.04).squareRoot()
    posture.setAnkles { ankle in
      ankle.y = height
      ankle.z = -back
    }
    posture.pitch = uniform(pitch)
    return posture
  }

  /// The forearms come up to the shoulders, both or in turn.
  fileprivate mutating func curling(from down: Posture, oneByOne: Bool) -> Choreography {
    let high = ArmHold(
      raise: uniform(0.5...1.3), forward: uniform(1.2...2), reach: uniform(0.3...0.5))
    let low = down.left.arm
    let middle = ArmHold(
      raise: blend(low.raise, max(high.raise, 0.9), 0.9),
      forward: blend(low.forward, high.forward, 0.75), reach: 0.75)
    var (half, up) = (down, down)
    for side in [\Posture.left, \Posture.right] where !oneByOne || side == \Posture.left {
      half[keyPath: side].arm = middle
      up[keyPath: side].arm = high
    }
    return Choreography(
      [(down, 1), (half, 1), (up, 1), (half, 1), (down, uniform(0.02...0.5))],
      alternates: oneByOne)
  }

  /// Arms up to a height and down again, a little bent, both or in turn.
  fileprivate mutating func raising(
    forward: Float, top: ClosedRange<Float>, oneByOne: Bool
  ) -> Choreography {
    var base = chance(0.12) ? sitting() : standing(stance: 0.03...0.14)
    if chance(0.4) {
      base.pitch += uniform(0...0.3)
      base.pelvis.y -= stature(0...0.02)
    }
    let reach = uniform(0.82...0.98)
    let low = base.arms(
      raise: uniform(0.05...0.35), forward: blend(forward, uniform(0...1.6), 0.5), reach: reach)
    let height = uniform(top)
    let rise = low.leftArm(raise: height, forward: forward, reach: min(0.98, reach + 0.04))
    let high =
      oneByOne
      ? rise : rise.rightArm(raise: height, forward: forward, reach: min(0.98, reach + 0.04))
    return Choreography(
      [(low, 1), (high, uniform(0.02...0.6)), (high, 1), (low, uniform(0.02...0.6))],
      alternates: oneByOne)
  }
}

extension Posture {
  /// The same, moved until the shoulders are a height above a hand's place; the feet stay where they
  /// are, or hang.
  func shoulders(
    _ person: SyntheticPerson, above hand: Vector, by height: Float, feetHang: Bool
  ) -> Posture {
    let aside = abs(hand.x) - person.shoulderWidth / 2
    let length = (max(height * height - aside * aside, 0.01)).squareRoot()
    let shoulder = hand.y + (height < 0 ? -length : length)
    let way = Vector(
      0, shoulder - (pelvis.y + person.trunk * cos(pitch)),
      hand.z - (pelvis.z + person.trunk * sin(pitch)))
    return changed { posture in
      posture.pelvis += way
      if feetHang { posture.setAnkles { $0 += way } }
    }
  }
}
