import Foundation
import KinemaSynth

/// An open hand, palm to the camera, that goes from place to place.
package struct SyntheticHand: Hashable, Sendable {
  /// A place at a time.
  struct Stop: Hashable, Sendable {
    var time: Double
    /// Where the middle of the palm is, in metres.
    var place: Vector
  }

  /// The joints of a right hand in the order of `JointKey.hand`: to the thumb's side and along the
  /// fingers, in lengths of the hand.
  ///
  /// Shares of the hand's length after Buryanov and Kotiuk, *Proportions of Hand Segments*, 2010.
  private static let shape: [SIMD2<Float>] = [
    [0, 0], [0.16, 0.1], [0.27, 0.25], [0.35, 0.38], [0.4, 0.5],
    [0.14, 0.5], [0.17, 0.7], [0.185, 0.82], [0.19, 0.93],
    [0.02, 0.52], [0.025, 0.75], [0.03, 0.88], [0.03, 1],
    [-0.09, 0.49], [-0.11, 0.69], [-0.12, 0.81], [-0.125, 0.92],
    [-0.19, 0.43], [-0.23, 0.58], [-0.25, 0.67], [-0.265, 0.76],
  ]
  /// The radius of each joint, in lengths of the hand, from the wrist on and along a finger.
  private static let wristRadius: Float = 0.13
  private static let palmRadius: Float = 0.09
  private static let fingerRadii: [Float] = [0.062, 0.054, 0.048, 0.042]

  let isRight: Bool
  /// From the wrist to the tip of the middle finger, in metres.
  package let length: Float
  let skin: SIMD3<Float>
  let sleeve: SIMD3<Float>
  /// How fast fingers bend, in radians per second, and how far the hand turns.
  let rhythm: Float
  /// In the order of their times.
  let stops: [Stop]

  /// The joints in metres.
  func joints(at time: Double) -> [Vector] {
    let phase = rhythm * Float(time)
    let turn = 0.2 * sin(0.7 * phase) + (isRight ? -0.15 : 0.15)
    let middle = place(at: time)
    return Self.shape.enumerated().map { index, point in
      // Fingers bend to the camera a little, each by itself.
      let isFinger = index > 4 && (index - 5) % 4 > 0
      let bend: Float = isFinger ? 0.92 + 0.08 * sin(phase + Float((index - 1) / 4)) : 1
      let side = isRight ? point.x : -point.x
      let along = (isFinger ? 0.45 + (point.y - 0.45) * bend : point.y) - 0.35
      return middle + Vector(
        side * cos(turn) - along * sin(turn), along * cos(turn) + side * sin(turn),
        isFinger ? (1 - bend) * 2 * (point.y - 0.45) : 0) * length
    }
  }

  /// The solids of hand and forearm.
  func solids(at time: Double) -> [Solid] {
    let joints = joints(at: time)
    let knuckles = [2, 5, 9, 13, 17]
    let down = (joints[0] - joints[9]).normalized * length
    var solids: [Solid] = [
      .limb(
        joints[0] + down * 0.1, Self.wristRadius * length, joints[0] + down * 0.35,
        Self.wristRadius * length, skin),
      .limb(joints[0] + down * 0.3, 0.17 * length, joints[0] + down * 2.5, 0.22 * length, sleeve),
    ]
    for knuckle in knuckles {
      solids.append(
        .limb(
          joints[0], Self.wristRadius * length, joints[knuckle], Self.palmRadius * length, skin
        ).flattened(along: Vector(0, 0, 1), to: 0.7))
    }
    for finger in 0..<5 {
      let chain = finger == 0 ? [1, 2, 3, 4] : (1...4).map { finger * 4 + $0 }
      for (index, (one, next)) in zip(chain, chain.dropFirst()).enumerated() {
        // Fingers a shade apart, or they would be one surface.
        solids.append(
          .limb(
            joints[one], Self.fingerRadii[index] * length, joints[next],
            Self.fingerRadii[index + 1] * length, skin * (finger % 2 == 0 ? 1 : 0.95)))
      }
    }
    return solids
  }

  private func place(at time: Double) -> Vector {
    guard let next = stops.firstIndex(where: { $0.time > time }) else {
      return stops[stops.count - 1].place
    }
    guard next > 0 else { return stops[0].place }
    let (from, to) = (stops[next - 1], stops[next])
    let share = Float((time - from.time) / (to.time - from.time))
    // Starts and ends gently.
    return blend(from.place, to.place, share * share * (3 - 2 * share))
  }
}

extension SyntheticScene {
  /// Two hands before the camera that cross and uncross, leave the frame one after the other for
  /// one or two seconds, and return, within ten seconds.
  package static func twoHands(seed: UInt64) -> SyntheticScene {
    var generator = SeededGenerator(seed: seed)
    let looks = SyntheticAppearance.random(using: &generator)
    let length = generator.uniform(0.17...0.2)
    let side = generator.uniform(0.13...0.18)
    let crossing = Double(generator.uniform(1...1.5))
    let uncrossing = crossing + Double(generator.uniform(1.2...1.7))
    let leaving = generator.shuffled([
      uncrossing + 1.5, uncrossing + 1.5 + Double(generator.uniform(0.5...2)),
    ])
    let hands = [true, false].enumerated().map { index, isRight -> SyntheticHand in
      let home = Vector(isRight ? -side : side, 1.2, isRight ? 0.06 : -0.06)
      let other = Vector(-home.x, home.y + generator.uniform(-0.04...0.04), home.z)
      let gone = home + Vector(isRight ? -1 : 1, -0.25, 0)
      let pace = Double(generator.uniform(0.7...1))
      let away = Double(generator.uniform(1...2))
      let out = leaving[index]
      let places: [(Double, Vector)] = [
        (0, home), (crossing, home), (crossing + pace, other), (uncrossing, other),
        (uncrossing + pace, home), (out, home), (out + 0.7, gone), (out + 0.7 + away, gone),
        (out + 1.4 + away, home),
      ]
      return SyntheticHand(
        isRight: isRight, length: length, skin: looks.skin, sleeve: looks.shirt,
        rhythm: generator.uniform(1...3), stops: places.map { .init(time: $0.0, place: $0.1) })
    }
    var scene = SyntheticScene(
      [],
      viewpoint: Viewpoint(
        target: SIMD3(0, 1.2, 0), yawDegrees: 0, pitchDegrees: generator.uniform(-5...5),
        distance: generator.uniform(0.75...0.9)))
    scene.hands = hands
    return scene
  }
}
