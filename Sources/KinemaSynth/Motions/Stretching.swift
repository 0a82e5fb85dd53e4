import Foundation

extension Motion {
  static let stretching: [Motion] = [
    Motion("forward_folds", "bent forward, hanging, and up again", cycle: 3...9, yaw: 60) { style in
      let rest = style.standing(stance: 0.03...0.12)
      let low = rest.changed { posture in
        posture.pelvis.z = -style.stature(0.05...0.1)
        posture.pelvis.y = style.hips(0.96)
        posture.pitch = style.uniform(0.9...2)
        posture.nod = style.uniform(0...0.5)
      }.arms(raise: 0.2, forward: 1.57, reach: style.uniform(0.8...0.97))
      return Choreography([(rest, 1), (low, style.uniform(0.3...2)), (low, 1), (rest, 0.5)])
    },
    Motion(
      "hamstring_stretch", "one straight leg ahead, bent over it", cycle: 3...9, weight: 0.5,
      yaw: 60
    ) { style in
      let rest = style.standing(stance: 0.03...0.06)
      let low = rest.changed { posture in
        posture.left.ankle.z = style.stature(0.12...0.25)
        posture.pelvis.y = style.hips(0.8...0.92)
        posture.pelvis.z = -style.stature(0.03...0.1)
        posture.pitch = style.uniform(0.6...1.3)
      }.arms(raise: 0.4, forward: 1.57, reach: style.uniform(0.6...0.97))
      return Choreography(
        [(rest, 1), (low, style.uniform(0.5...2)), (low, 1), (rest, 0.5)],
        alternates: style.chance(0.5))
    },
    Motion("hip_circles", "the hips go round over still feet", cycle: 0.9...3, weight: 0.5) {
      style in
      let base = style.standing(stance: 0.05...0.12).arms(.onHips)
      let radius = style.stature(0.03...0.08)
      let keys: [(Posture, Float)] = (0..<6).map { index in
        let angle = Float(index) * .pi / 3
        let posture = base.changed { posture in
          posture.pelvis.x = radius * sin(angle)
          posture.pelvis.z = radius * cos(angle)
          posture.pitch = -0.25 * cos(angle)
          posture.roll = -0.25 * sin(angle)
          posture.pelvis.y = style.hips(0.96)
        }
        return (posture, 1)
      }
      return Choreography(keys)
    },
    Motion("neck_rolls", "the head nods, turns and goes round", cycle: 1.5...5, weight: 0.5) {
      style in
      let base = style.chance(0.4) ? style.sitting() : style.standing().arms(style.armHold())
      let size = style.uniform(0.3...0.7)
      let keys: [(Posture, Float)] = (0..<4).map { index in
        let angle = Float(index) * .pi / 2
        let posture = base.changed { posture in
          posture.nod = size * cos(angle)
          posture.turn = size * sin(angle)
        }
        return (posture, 1)
      }
      return Choreography(keys)
    },
    Motion("overhead_stretches", "arms up high, a little backwards", cycle: 3...9, weight: 0.8) {
      style in
      let rest = style.standing()
      let high = rest.arms(raise: style.uniform(2.7...3.1), forward: 0.3, reach: 0.98).changed {
        posture in
        posture.pitch = style.uniform(-0.3...0)
        posture.nod = -style.uniform(0...0.4)
      }.moved(by: Vector(0, style.chance(0.3) ? style.stature(0.01...0.04) : 0, 0))
      return Choreography([(rest, 1), (high, style.uniform(0.3...2)), (high, 1), (rest, 0.5)])
    },
    Motion(
      "quad_stretch", "on one leg, the other heel held to the seat", cycle: 4...10, weight: 0.6,
      yaw: 60, counted: false
    ) { style in
      let rest = style.standing(stance: 0.03...0.05)
      let person = style.person
      let held = rest.changed { posture in
        posture.left.ankle = Vector(
          posture.left.ankle.x, posture.pelvis.y - person.thigh * 0.35, -person.thigh * 0.55)
        posture.pitch = style.uniform(0...0.2)
      }.leftArm(raise: 0.5, forward: -1.57, reach: 0.85)
      let arm = style.chance(0.4) ? held.rightArm(raise: 1.5, forward: 0.8) : held
      return Choreography(
        [(rest, 0.6), (arm, style.uniform(1...4)), (arm.changed { $0.pelvis.x += 0.02 }, 0.6)],
        alternates: style.chance(0.5))
    },
    Motion(
      "shoulder_stretch", "one arm pulled across the chest or behind the head", cycle: 3...9,
      weight: 0.7, counted: false
    ) { style in
      let rest = style.standing()
      let across = style.chance(0.5)
      let held =
        across
        ? rest.leftArm(raise: 1.5, forward: 2.3, reach: 0.8).rightArm(
          raise: 1, forward: 1.7, reach: 0.5)
        : rest.leftArm(raise: 2.8, forward: -0.5, reach: 0.35).rightArm(raise: 2.6, reach: 0.5)
      let settled = held.changed { posture in
        posture.roll = style.uniform(-0.15...0.15)
        posture.turn = style.uniform(-0.3...0.3)
      }
      return Choreography(
        [(rest, 0.8), (held, 1), (settled, style.uniform(1...3)), (held, 0.8)],
        alternates: style.chance(0.6))
    },
    Motion("side_bends", "the trunk bends to the sides", cycle: 1.5...6) { style in
      let rest = style.standing(stance: 0.05...0.14).arms(
        style.pick([.hanging, .onHips, .behindHead]))
      let reach = style.chance(0.6)
      let bent = rest.changed { posture in
        posture.roll = -style.uniform(0.3...0.75)
        posture.pelvis.x = style.stature(0...0.04)
      }
      let over =
        reach ? bent.leftArm(raise: style.uniform(2.2...3.1), forward: 0.2, reach: 0.93) : bent
      return Choreography(
        [(rest, 1), (over, style.uniform(0.1...1.5)), (over, 1)], alternates: style.chance(0.8))
    },
    Motion(
      "tree_pose", "yoga: on one leg, the other foot at its knee", cycle: 4...10, weight: 0.5,
      counted: false
    ) { style in
      let up = style.chance(0.5)
      let base = style.standing(stance: 0.02...0.04).changed { posture in
        posture.left.ankle = Vector(-0.01, style.hips(0.4...0.6), 0.06)
        posture.pelvis.x = -0.04
      }.arms(up ? ArmHold(raise: 2.9, forward: 0.5, reach: 0.95) : .atChest)
      let keys: [(Posture, Float)] = (0..<3).map { _ in
        let posture = base.changed { posture in
          posture.roll = style.uniform(-0.06...0.06)
          posture.pelvis.x += style.stature(-0.01...0.01)
        }
        return (posture, style.uniform(0.5...1.5))
      }
      return Choreography(style.onEitherSide(keys))
    },
    Motion(
      "triangle_pose", "yoga: bent to the side, one hand down and one up", cycle: 4...10,
      weight: 0.4, counted: false
    ) { style in
      let rest = style.standing(stance: 0.16...0.24).arms(raise: 1.5, forward: 0, reach: 0.97)
      let bent = rest.changed { posture in
        posture.roll = style.uniform(0.6...0.8)
        posture.pelvis.x = -style.stature(0.02...0.06)
        posture.turn = style.uniform(-0.3...0.3)
      }.leftArm(raise: 0.3).rightArm(raise: 2.9)
      return Choreography(
        [(rest, 0.8), (bent, style.uniform(1...3)), (bent, 0.8)], alternates: style.chance(0.5))
    },
    Motion(
      "warrior_pose", "yoga: feet far apart, one knee bent, arms wide, still", cycle: 4...10,
      weight: 0.5, counted: false
    ) { style in
      let step = style.stature(0.22...0.32)
      let base = style.standing().changed { posture in
        posture.left.ankle.x = step
        posture.right.ankle.x = -step
        posture.pelvis.x = step * style.uniform(0.1...0.35)
        posture.pelvis.y = style.hips(0.65...0.8)
        posture.turn = style.uniform(0...1)
      }.arms(raise: style.uniform(1.45...1.65), forward: 0, reach: 0.97)
      let other = base.changed { posture in
        posture.pelvis.y += style.stature(-0.015...0.015)
        posture.roll = style.uniform(-0.08...0.08)
      }
      return Choreography([(base, 1), (other, style.uniform(0.5...1.5))])
    },
  ]
}
