import Foundation

/// One moment of a motion, said in the few numbers that a coach would use.
///
/// Lengths are in metres and angles in radians. The floor is y = 0 and y points up, z points where
/// the person faces, x to the person's left. ``BodySolver`` works out the joints from it; postures
/// blend lane by lane, see ``PostureTrack``.
package struct Posture: Hashable, Sendable {
  package var pelvis: Vector
  /// How far the trunk bends forward; π/2 is level with the floor.
  package var pitch: Float = 0
  /// How far the trunk bends to the person's left.
  package var roll: Float = 0
  /// How far the shoulders turn to the person's left against the hips.
  package var twist: Float = 0
  /// How far the head bends forward against the trunk.
  package var nod: Float = 0
  /// How far the head turns to the person's left against the trunk.
  package var turn: Float = 0
  /// How far the whole body is turned to its left about the pelvis.
  package var heading: Float = 0
  package var left: Limbs
  package var right: Limbs

  /// The arm and the leg of one side.
  package struct Limbs: Hashable, Sendable {
    package var ankle: Vector
    /// How far the arm is lifted from hanging down; π is straight up.
    package var armRaise: Float = 0.15
    /// Which way it is lifted: 0 to the side, π/2 to the front.
    package var armForward: Float = 0.4
    /// The distance from shoulder to wrist as a share of the arm's length.
    package var armReach: Float = 0.96
    /// Where the wrist is while the hand is planted.
    package var hand: Vector
    /// Whether the wrist is at ``hand`` (1), follows the angles (0), or is in between.
    package var planted: Float = 0
  }
}

extension Posture {
  /// Standing upright with hanging arms, `stance` metres from the middle to each ankle.
  package static func standing(_ person: SyntheticPerson, stance: Float) -> Posture {
    let ankle = Vector(stance, person.ankleHeight, 0)
    let hand = Vector(person.shoulderWidth * 0.55, 0.055, 0.28 * person.stature)
    return Posture(
      pelvis: Vector(0, person.leg * 0.992 + person.ankleHeight, 0),
      left: Limbs(ankle: ankle, hand: hand),
      right: Limbs(ankle: ankle.mirrored, hand: hand.mirrored))
  }

  /// Straight from the ankles to the shoulders, over planted hands.
  ///
  /// - Parameters:
  ///   - hand: Where the left wrist is; the right one is its mirror image.
  ///   - ankle: Where the left ankle is; the right one is its mirror image.
  ///   - shoulderHeight: How high the shoulders are, in metres.
  ///   - pike: How far the hips are above the straight line, in metres.
  package static func plank(
    _ person: SyntheticPerson, hand: Vector, ankle: Vector, shoulderHeight: Float, pike: Float = 0
  ) -> Posture {
    let straight = person.leg * 0.995
    let slope = asin((shoulderHeight - ankle.y) / (straight + person.trunk))
    var posture = standing(person, stance: ankle.x)
    posture.pelvis = Vector(0, ankle.y + straight * sin(slope), ankle.z + straight * cos(slope))
    posture.pelvis.y += pike
    let rise = shoulderHeight - posture.pelvis.y
    posture.pitch = acos(max(-1, min(1, rise / person.trunk)))
    posture.nod = -0.35
    posture.forBothSides { limbs, mirror in
      limbs.ankle = mirror(ankle)
      limbs.hand = mirror(hand)
      limbs.planted = 1
      limbs.armRaise = 0.5
      limbs.armForward = .pi / 2
    }
    return posture
  }

  /// Changes both sides alike; places go through `mirror`, which is the identity on the left.
  package mutating func forBothSides(_ change: (inout Limbs, (Vector) -> Vector) -> Void) {
    change(&left) { $0 }
    change(&right) { $0.mirrored }
  }

  /// The same with left and right exchanged.
  package var mirrored: Posture {
    var other = self
    other.pelvis = pelvis.mirrored
    other.roll = -roll
    other.twist = -twist
    other.turn = -turn
    other.heading = -heading
    other.left = right.mirrored
    other.right = left.mirrored
    return other
  }

  /// Whether the person is on the floor rather than on their feet.
  package func isOnFloor(_ person: SyntheticPerson) -> Bool { pelvis.y < 0.6 * person.leg }
}

extension Posture.Limbs {
  fileprivate var mirrored: Posture.Limbs {
    var other = self
    other.ankle = ankle.mirrored
    other.hand = hand.mirrored
    return other
  }
}

extension Vector {
  package var mirrored: Vector { Vector(-x, y, z) }
}

// MARK: - Blending

extension Posture {
  /// All numbers in a row, so that they blend at once; the last three lanes are not used.
  package var lanes: SIMD32<Float> {
    SIMD32(
      lowHalf: SIMD16(
        lowHalf: SIMD8(pelvis.x, pelvis.y, pelvis.z, pitch, roll, twist, nod, turn),
        highHalf: left.angleLanes),
      highHalf: SIMD16(
        lowHalf: right.angleLanes,
        highHalf: SIMD8(
          left.armReach, left.planted, right.armReach, right.planted, heading, 0, 0, 0)))
  }

  package init(lanes: SIMD32<Float>) {
    let trunk = lanes.lowHalf.lowHalf
    let ends = lanes.highHalf.highHalf
    pelvis = Vector(trunk[0], trunk[1], trunk[2])
    pitch = trunk[3]
    roll = trunk[4]
    twist = trunk[5]
    nod = trunk[6]
    turn = trunk[7]
    heading = ends[4]
    left = Limbs(lanes.lowHalf.highHalf, reach: ends[0], planted: ends[1])
    right = Limbs(lanes.highHalf.lowHalf, reach: ends[2], planted: ends[3])
  }
}

extension Posture.Limbs {
  fileprivate var angleLanes: SIMD8<Float> {
    SIMD8(ankle.x, ankle.y, ankle.z, hand.x, hand.y, hand.z, armRaise, armForward)
  }

  fileprivate init(_ lanes: SIMD8<Float>, reach: Float, planted: Float) {
    ankle = Vector(lanes[0], lanes[1], lanes[2])
    hand = Vector(lanes[3], lanes[4], lanes[5])
    armRaise = lanes[6]
    armForward = lanes[7]
    armReach = reach
    self.planted = planted
  }
}
