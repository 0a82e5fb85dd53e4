import Foundation
import KinemaPose
import KinemaSynth
import Testing

@Suite struct BodySolverTests {
  private static let person = SyntheticPerson()
  private static let solver = BodySolver(person: person)

  private static func length(_ one: SIMD3<Float>, _ other: SIMD3<Float>) -> Float {
    ((one - other) * (one - other)).sum().squareRoot()
  }

  private static func standing(_ change: (inout Posture) -> Void) -> Skeleton {
    solver.skeleton(for: Posture.standing(person, stance: 0.1).changed(change))
  }

  @Test("feet and planted hands that are within reach are where the posture puts them")
  func reach() {
    let hand = SIMD3<Float>(0.2, 1.3, 0.3)
    let body = Self.standing { $0 = $0.planted(hand) }
    #expect(Self.length(body.left.wrist, hand) < 1e-3)
    #expect(Self.length(body.right.wrist, SIMD3(-hand.x, hand.y, hand.z)) < 1e-3)
    #expect(Self.length(body.left.ankle, SIMD3(0.1, Self.person.ankleHeight, 0)) < 0.02)
  }

  @Test("what is out of reach is brought within it, with a straight limb", arguments: [1.2, 3, 9])
  func outOfReach(metres: Float) {
    let hand = SIMD3<Float>(metres, 1.4, 0)
    let body = Self.standing { $0 = $0.planted(hand) }
    let arm = Self.length(body.left.shoulder, body.left.wrist)
    #expect(arm <= Self.person.arm && arm > 0.99 * Self.person.arm)
    let way = hand - body.left.shoulder
    let direction = (body.left.wrist - body.left.shoulder) / arm
    #expect((direction * way).sum() / Self.length(.zero, way) > 0.999)
  }

  @Test("a pelvis that is too high sinks until the legs reach the feet")
  func pelvis() {
    let body = Self.standing { $0.pelvis.y += 1 }
    #expect(body.root.y <= Self.person.leg + Self.person.ankleHeight + 1e-3)
    #expect(abs(body.left.ankle.y - Self.person.ankleHeight) < 0.01)
  }

  @Test("a body that would go through the floor is lifted as a whole")
  func floor() {
    let body = Self.standing { posture in
      posture.pelvis.y = -0.5
      posture.setAnkles { $0.y = -0.9 }
    }
    #expect(body.bodyJoints.allSatisfy { $0.y > 0.015 })
    #expect(abs(Self.length(body.neck, body.root) - Self.person.trunk) < 1e-3)
  }

  @Test("a bend, a roll and a twist turn the trunk as far as they say")
  func angles() {
    for angle in stride(from: -0.6, through: 1.2, by: 0.3) as StrideThrough<Float> {
      let bent = Self.standing { $0.pitch = angle }
      let up = (bent.neck - bent.root) / Self.person.trunk
      #expect(abs(up.z - sin(angle)) < 1e-3 && abs(up.y - cos(angle)) < 1e-3)
      let twisted = Self.standing { $0.twist = angle }
      let across = (twisted.left.shoulder - twisted.right.shoulder) / Self.person.shoulderWidth
      #expect(abs(across.x - cos(angle)) < 1e-3 && abs(across.z + sin(angle)) < 1e-3)
    }
    let rolled = Self.standing { $0.roll = 0.5 }
    #expect(rolled.neck.x > rolled.root.x)
  }

  @Test("a heading turns the whole body and changes no distance")
  func heading() {
    let ahead = Self.standing { $0.pitch = 0.4 }.bodyJoints
    let turned = Self.standing {
      $0.pitch = 0.4; $0.heading = 1.1
    }.bodyJoints
    for one in BodyJoint.allCases {
      #expect(abs(ahead[one].y - turned[one].y) < 1e-4)
      for other in BodyJoint.noseAndLimbs {
        #expect(
          abs(Self.length(ahead[one], ahead[other]) - Self.length(turned[one], turned[other]))
            < 1e-4)
      }
    }
  }

  @Test("a mirrored posture is the mirror image of the body")
  func mirror() {
    var style = Style(person: Self.person, generator: SeededGenerator(seed: 8))
    for _ in 0..<20 {
      let posture = style.anyArms(style.standing())
      let (one, other) = (
        Self.solver.skeleton(for: posture), Self.solver.skeleton(for: posture.mirrored)
      )
      #expect(Self.length(one.left.wrist * SIMD3(-1, 1, 1), other.right.wrist) < 1e-4)
      #expect(Self.length(one.right.knee * SIMD3(-1, 1, 1), other.left.knee) < 1e-4)
    }
  }
}
