import Foundation

/// Works out where the joints are from a posture: inverse kinematics for arms and legs, forward
/// kinematics for trunk and head.
///
/// Bones keep their lengths whatever the posture asks for: a wrist or an ankle that is too far away
/// is brought within reach, the pelvis sinks until both legs reach their feet, and a body that
/// would go through the floor is lifted.
package struct BodySolver: Sendable {
  let person: SyntheticPerson
  /// How far the knees point outwards: 0 straight ahead.
  private let kneeSpread: Float
  /// How far the elbows point outwards: 0 straight back.
  private let elbowSpread: Float

  package init(person: SyntheticPerson, kneeSpread: Float = 0.2, elbowSpread: Float = 0.7) {
    self.person = person
    self.kneeSpread = kneeSpread
    self.elbowSpread = elbowSpread
  }

  /// A leg is never quite straight, or its knee would not know where to point.
  private static let straightest: Float = 0.998

  private struct Trunk {
    let up, chestLeft, chestForward, hipLeft: Vector

    init(_ posture: Posture) {
      let (sine, cosine) = (sin(posture.pitch), cos(posture.pitch))
      up = Vector(sin(posture.roll) * cosine, cos(posture.roll) * cosine, sine)
      let left = up.cross(Vector(0, -sine, cosine)).normalized
      chestLeft = left * cos(posture.twist) - left.cross(up) * sin(posture.twist)
      chestForward = chestLeft.cross(up)
      // The hips follow the trunk's roll by a third, but fully in a person lying on the side.
      let follow = min(max((abs(posture.roll) - 0.8) / 0.3, 0), 1)
      let hipRoll = posture.roll * blend(1 / 3, 1, follow)
      hipLeft = Vector(cos(hipRoll), -sin(hipRoll), 0)
    }
  }

  package func skeleton(for posture: Posture) -> Skeleton {
    let trunk = Trunk(posture)
    var body = Skeleton()
    body.root = pelvis(of: posture, hipLeft: trunk.hipLeft)
    body.neck = body.root + trunk.up * person.trunk
    body.chestForward = trunk.chestForward
    body.left = side(posture.left, outward: 1, of: body, trunk: trunk)
    body.right = side(posture.right, outward: -1, of: body, trunk: trunk)
    placeHead(of: &body, posture: posture, trunk: trunk)
    body.lift(to: Self.clearance)
    return posture.heading == 0 ? body : body.turned(by: posture.heading)
  }

  /// How far every joint stays above the floor, in metres.
  private static let clearance: Float = 0.02

  private func side(
    _ limbs: Posture.Limbs, outward: Float, of body: Skeleton, trunk: Trunk
  ) -> Skeleton.Side {
    var side = Skeleton.Side()
    side.hip = body.root + trunk.hipLeft * (outward * person.hipWidth / 2)
    // Knees bend forwards of the leg, wherever it points.
    let kneeForward = (limbs.ankle - side.hip).cross(trunk.hipLeft).normalized
    (side.knee, side.ankle) = Self.bend(
      from: side.hip, to: limbs.ankle, lengths: (person.thigh, person.shank),
      towards: kneeForward + trunk.hipLeft * (outward * kneeSpread))
    side.ball = ball(at: side.ankle, outward: outward)

    side.shoulder = body.neck + trunk.chestLeft * (outward * person.shoulderWidth / 2)
    let direction = Vector(
      outward * sin(limbs.armRaise) * cos(limbs.armForward),
      -cos(limbs.armRaise),
      sin(limbs.armRaise) * sin(limbs.armForward))
    var free = side.shoulder + direction * (limbs.armReach * person.arm)
    free.y = max(free.y, 0.04)
    (side.elbow, side.wrist) = Self.bend(
      from: side.shoulder, to: blend(free, limbs.hand, limbs.planted),
      lengths: (person.upperArm, person.forearm),
      towards: trunk.chestLeft * (outward * elbowSpread) - trunk.up * 0.7
        - trunk.chestForward * 0.3)
    if side.elbow.y < Self.clearance {
      // The floor keeps the elbow up.
      (side.elbow, side.wrist) = Self.bend(
        from: side.shoulder, to: blend(free, limbs.hand, limbs.planted),
        lengths: (person.upperArm, person.forearm),
        towards: .up + trunk.chestLeft * outward)
    }
    let forearm = (side.wrist - side.elbow).normalized
    let flatOnTheFloor = Vector(0, -0.12, 1)
    let pointing = blend(forearm, flatOnTheFloor, limbs.planted).normalized
    side.fingertips = side.wrist + pointing * person.hand
    return side
  }

  /// The pelvis, lowered as far as the shorter reach of the two legs asks for.
  private func pelvis(of posture: Posture, hipLeft: Vector) -> Vector {
    var pelvis = posture.pelvis
    let reach = person.leg * Self.straightest
    for (limbs, outward) in [(posture.left, Float(1)), (posture.right, -1)] {
      let hip = pelvis + hipLeft * (outward * person.hipWidth / 2)
      let away = hip - limbs.ankle
      let level = away.x * away.x + away.z * away.z
      guard level < reach * reach else { continue }
      pelvis.y -= max(0, away.y - (reach * reach - level).squareRoot())
    }
    return pelvis
  }

  /// The ball of the foot rests on the floor while the ankle is low enough, so that a heel that
  /// rises turns the foot about it; in the air the toes hang.
  private func ball(at ankle: Vector, outward: Float) -> Vector {
    let sole = Self.soleThickness * person.stature
    let drop = min(max(ankle.y - sole, 0), person.foot * 0.95)
    let ahead = (person.foot * person.foot - drop * drop).squareRoot()
    let splay: Float = 0.12
    return ankle + Vector(outward * sin(splay) * ahead, -drop, cos(splay) * ahead)
  }

  /// From the floor to the middle of the ball of the foot, as a share of stature.
  static let soleThickness: Float = 0.018

  private func placeHead(of body: inout Skeleton, posture: Posture, trunk: Trunk) {
    let chest = trunk.chestForward
    body.headUp = trunk.up * cos(posture.nod) + chest * sin(posture.nod)
    let level = chest * cos(posture.nod) - trunk.up * sin(posture.nod)
    body.headForward = level * cos(posture.turn) + trunk.chestLeft * sin(posture.turn)
    let forward = body.headForward * person.stature
    body.head = body.neck + body.headUp * person.neck + forward * 0.012
    body.placeFace(stature: person.stature)
  }

  /// The middle joint and the end of a limb of two bones that reaches for a place, bent to `pole`.
  static func bend(
    from root: Vector, to target: Vector, lengths: (upper: Float, lower: Float),
    towards pole: Vector
  ) -> (middle: Vector, end: Vector) {
    let (upper, lower) = lengths
    let line = target - root
    let shortest = abs(upper - lower) + 0.05 * (upper + lower)
    let distance = min(max(line.length, shortest), (upper + lower) * straightest)
    let along = line.normalized
    let foot = (upper * upper - lower * lower + distance * distance) / (2 * distance)
    let height = max(0, upper * upper - foot * foot).squareRoot()
    let aside = pole.perpendicular(to: along).normalized
    return (root + along * foot + aside * height, root + along * distance)
  }
}
