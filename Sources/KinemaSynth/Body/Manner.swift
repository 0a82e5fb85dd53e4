/// How one person does any movement: what stays the same from one repetition to the next, and differs from
/// what is drawn for a motion.
///
/// Motions are drawn as a coach would show them. People lean, hold one shoulder lower, stand with one foot
/// ahead, and go only a part of the way. On the floor and over planted hands only the head differs, as
/// everything else would leave its support.
package struct Manner: Hashable, Sendable {
  /// An arm's difference in its angles, in radians, and in its reach, as a share of its length.
  package struct Arm: Hashable, Sendable {
    package var raise: Float = 0
    package var forward: Float = 0
    package var reach: Float = 0
  }

  /// How far trunk, hips and feet, and how far the arms go, as a share of the way that is drawn.
  package var (bodyRange, armRange): (Float, Float) = (1, 1)
  /// At which share of the way the arms turn back, instead of at its start.
  package var armStart: Float = 0
  /// Differences of the trunk's and the head's angles, in radians; see ``Posture``.
  package var pitch: Float = 0
  package var roll: Float = 0
  package var twist: Float = 0
  package var nod: Float = 0
  package var turn: Float = 0
  package var leftArm = Arm()
  package var rightArm = Arm()
  /// How much lower the hips are, as a share of the legs' length.
  package var kneeBend: Float = 0
  /// How far each foot is from where it is drawn, as a share of stature.
  package var leftFoot = SIMD2<Float>()
  package var rightFoot = SIMD2<Float>()
  /// How many times as much somebody sways; see ``Sway``.
  package var sway: Float = 1

  /// As the motions are drawn.
  package init() {}

  /// Somebody's manner; most people go most of the way.
  package static func random(using generator: inout SeededGenerator) -> Manner {
    var manner = Manner()
    if generator.chance(0.5) { manner.bodyRange = generator.uniform(0.75...1.1) }
    manner.armRange =
      generator.chance(0.5) ? generator.uniform(0.55...1.1) : generator.uniform(0.85...1.05)
    if generator.chance(0.4) { manner.armStart = generator.uniform(0...0.3) }
    manner.pitch = 0.03 + 0.07 * generator.normal()
    manner.roll = 0.04 * generator.normal()
    manner.twist = 0.06 * generator.normal()
    manner.nod = 0.15 * generator.normal()
    manner.turn = 0.2 * generator.normal()
    let both = (0.08 * generator.normal(), 0.15 * generator.normal(), 0.04 * generator.normal())
    func arm(_ generator: inout SeededGenerator) -> Arm {
      Arm(
        raise: both.0 + 0.05 * generator.normal(), forward: both.1 + 0.1 * generator.normal(),
        reach: both.2 - 0.02 + 0.02 * generator.normal())
    }
    manner.leftArm = arm(&generator)
    manner.rightArm = arm(&generator)
    manner.kneeBend = abs(0.02 * generator.normal())
    manner.leftFoot = 0.02 * SIMD2(generator.normal(), generator.normal())
    manner.rightFoot = 0.02 * SIMD2(generator.normal(), generator.normal())
    manner.sway = generator.uniform(1...3)
    return manner
  }

  // MARK: - Doing a motion

  /// A choreography as this person does it.
  package func applied(to choreography: Choreography, by person: SyntheticPerson) -> Choreography {
    var result = choreography
    let hasSupport = choreography.postures.contains {
      $0.isOnFloor(person) || $0.left.planted > 0 || $0.right.planted > 0
    }
    let rest = choreography.rest
    let ranges = Self.ranges(
      body: choreography.advance == 0 ? bodyRange : 1, arms: armRange * (1 - armStart))
    let start = armStart * armRange * Self.arms * (farthest(of: choreography).lanes - rest.lanes)
    result.postures = choreography.postures.map { posture in
      guard !hasSupport else { return turned(posture) }
      let lanes = rest.lanes + start + (posture.lanes - rest.lanes) * ranges
      return turned(placed(Posture(lanes: lanes), by: person))
    }
    return result
  }

  /// The posture that differs most from the first.
  private func farthest(of choreography: Choreography) -> Posture {
    let rest = choreography.rest.lanes
    func distance(_ posture: Posture) -> Float {
      let way = (posture.lanes - rest) * Self.arms
      return (way * way).sum()
    }
    return choreography.postures.max { distance($0) < distance($1) } ?? choreography.rest
  }

  private func turned(_ posture: Posture) -> Posture {
    posture.changed { posture in
      posture.nod += nod
      posture.turn += turn
    }
  }

  private func placed(_ posture: Posture, by person: SyntheticPerson) -> Posture {
    posture.changed { posture in
      posture.pitch += pitch
      posture.roll += roll
      posture.twist += twist
      posture.pelvis.y -= kneeBend * person.leg
      posture.left = limbs(posture.left, leftArm, leftFoot * person.stature)
      posture.right = limbs(posture.right, rightArm, rightFoot * person.stature)
    }
  }

  private func limbs(_ limbs: Posture.Limbs, _ arm: Arm, _ foot: SIMD2<Float>) -> Posture.Limbs {
    var limbs = limbs
    limbs.armRaise = max(0, limbs.armRaise + arm.raise)
    limbs.armForward += arm.forward
    limbs.armReach = min(0.99, max(0.3, limbs.armReach + arm.reach))
    limbs.ankle += Vector(foot.x, 0, foot.y)
    return limbs
  }

  // MARK: - Lanes

  /// 1 in the lanes of free arms, 0 elsewhere; see ``Posture/lanes``.
  private static let arms: SIMD32<Float> = {
    let arm = ArmHold(raise: 1, forward: 1, reach: 1)
    let none = ArmHold(raise: 0, forward: 0, reach: 0)
    let base = Posture(lanes: .zero)
    return base.arms(arm).lanes - base.arms(none).lanes
  }()

  private static func ranges(body: Float, arms range: Float) -> SIMD32<Float> {
    SIMD32(repeating: body) + arms * (range - body)
  }
}
