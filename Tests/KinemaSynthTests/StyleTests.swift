import KinemaPose
import KinemaSynth
import Testing

/// The postures that motions start from, as bodies.
@Suite("Postures to start from")
struct StyleTests {
  private static let seeds = Array(1...12 as ClosedRange<UInt64>)

  private static func style(_ seed: UInt64) -> Style {
    var generator = SeededGenerator(seed: seed)
    let person = SyntheticPerson.random(using: &generator)
    return Style(person: person, generator: generator)
  }

  private static func body(_ posture: Posture, _ style: Style) -> Skeleton {
    BodySolver(person: style.person).skeleton(for: posture)
  }

  @Test("who stands is upright on both feet, with hanging arms", arguments: seeds)
  func standing(_ seed: UInt64) {
    var style = Self.style(seed)
    let body = Self.body(style.standing(), style)
    let person = style.person
    #expect(body.neck.y > body.root.y + 0.99 * person.trunk)
    #expect(body.root.y > 0.97 * person.leg + person.ankleHeight)
    for side in [body.left, body.right] {
      #expect(abs(side.ankle.y - person.ankleHeight) < 0.01)
      #expect(side.wrist.y < side.shoulder.y - 0.85 * person.arm)
      #expect((side.shoulder - side.wrist).length > 0.9 * person.arm)
    }
    // The person's left is at x above 0.
    #expect(body.left.shoulder.x > 0 && body.right.shoulder.x < 0)
    #expect(body.nose.z > body.head.z && body.chestForward.z > 0.9)
  }

  @Test(
    "who sits has thighs that are nearly level, and knees at right angles or so", arguments: seeds)
  func sitting(_ seed: UInt64) {
    var style = Self.style(seed)
    let body = Self.body(style.sitting(), style)
    for side in [body.left, body.right] {
      let (thigh, shank) = ((side.knee - side.hip).normalized, (side.ankle - side.knee).normalized)
      #expect(thigh.z > 0.6 && abs(thigh.y) < 0.6)
      #expect(abs(thigh.dot(shank)) < 0.75)
    }
    #expect(body.neck.y > body.root.y + 0.9 * style.person.trunk)
  }

  @Test("who lies on the back faces the ceiling, on the front the floor", arguments: seeds)
  func lying(_ seed: UInt64) {
    var style = Self.style(seed)
    let (back, front) = (
      Self.body(style.supine(), style), Self.body(style.prone(), style)
    )
    for body in [back, front] {
      #expect(abs(body.neck.y - body.root.y) < 0.25 * style.person.trunk)
      #expect(body.root.y < 0.2 * style.person.stature)
    }
    #expect(back.chestForward.y > 0.9 && front.chestForward.y < -0.9)
    // On the back the knees are bent, on the front the legs are straight.
    #expect(back.left.knee.y > back.left.hip.y + 0.1)
    #expect((front.left.ankle - front.left.hip).length > 0.97 * style.person.leg)
  }

  @Test("on all fours hands and knees are on the floor below shoulders and hips", arguments: seeds)
  func onAllFours(_ seed: UInt64) {
    var style = Self.style(seed)
    let body = Self.body(style.onAllFours(), style)
    for side in [body.left, body.right] {
      #expect(side.wrist.y < 0.12 && side.knee.y < 0.12)
      #expect(abs(side.wrist.z - side.shoulder.z) < 0.15 * style.person.stature)
      #expect(abs(side.knee.z - side.hip.z) < 0.1 * style.person.stature)
    }
    #expect(body.chestForward.y < -0.6)
  }

  @Test("who kneels has knees on the floor and an upright trunk", arguments: seeds)
  func kneeling(_ seed: UInt64) {
    var style = Self.style(seed)
    let body = Self.body(style.kneeling(), style)
    for side in [body.left, body.right] {
      #expect(side.knee.y < 0.1 * style.person.stature)
      #expect(side.ankle.z < side.knee.z - 0.5 * style.person.shank)
    }
    #expect(body.neck.y > body.root.y + 0.95 * style.person.trunk)
  }

  @Test("a plank is straight from the ankles over the hips to the shoulders; a pike lifts the hips")
  func plank() {
    let person = SyntheticPerson.average
    func hips(_ pike: Float) -> Float {
      let body = BodySolver(person: person).skeleton(
        for: .plank(
          person, hand: SIMD3(0.25, 0.05, 0.5), ankle: SIMD3(0.1, 0.15, -0.9),
          shoulderHeight: 0.55, pike: pike))
      let ankles = (body.left.ankle + body.right.ankle) / 2
      let line = (body.neck - ankles).normalized
      let away = (body.root - ankles).perpendicular(to: line)
      for side in [body.left, body.right] {
        #expect((side.wrist - SIMD3(side.wrist.x > 0 ? 0.25 : -0.25, 0.05, 0.5)).length < 0.02)
      }
      return away.y < 0 ? -away.length : away.length
    }
    #expect(abs(hips(0)) < 0.02)
    #expect(hips(0.1) > 0.03 && hips(0.2) > hips(0.1))
    #expect(hips(-0.05) < -0.01)
  }

  @Test("an arm points where its angles say, as far as its reach")
  func arms() {
    let person = SyntheticPerson.average
    let solver = BodySolver(person: person)
    let up = Float.pi
    let cases: [(raise: Float, forward: Float, direction: SIMD3<Float>)] = [
      (0, 0, SIMD3(0, -1, 0)), (.pi / 2, 0, SIMD3(1, 0, 0)), (.pi / 2, .pi / 2, SIMD3(0, 0, 1)),
      (up, 0, SIMD3(0, 1, 0)), (.pi / 4, 0, SIMD3(0.7071, -0.7071, 0)),
    ]
    for (raise, forward, direction) in cases {
      for reach in [0.6, 0.9] as [Float] {
        let posture = Posture.standing(person, stance: 0.1)
          .arms(raise: raise, forward: forward, reach: reach)
        let body = solver.skeleton(for: posture)
        let way = body.left.wrist - body.left.shoulder
        #expect((way - direction * (reach * person.arm)).length < 0.01, "\(raise), \(forward)")
        let other = body.right.wrist - body.right.shoulder
        #expect((other - way.mirrored).length < 0.01)
      }
    }
  }

  @Test("one arm can be held by itself")
  func oneArm() {
    let posture = Posture.standing(.average, stance: 0.1).arms(.hanging)
    let left = posture.leftArm(raise: 1.2)
    #expect(left.left.armRaise == 1.2 && left.left.armForward == posture.left.armForward)
    #expect(left.right == posture.right)
    let right = posture.rightArm(forward: 0.8, reach: 0.5)
    #expect(right.right.armForward == 0.8 && right.right.armReach == 0.5)
    #expect(right.left == posture.left && right.right.armRaise == posture.right.armRaise)
    for hold in ArmHold.all {
      #expect(posture.arms(hold).left.arm == hold && posture.arms(hold).right.arm == hold)
    }
  }

  @Test("a posture that is moved takes its feet and planted hands along")
  func moved() {
    var style = Self.style(3)
    let posture = style.onAllFours()
    let way = SIMD3<Float>(0.3, 0.2, -0.1)
    let moved = posture.moved(by: way)
    let (before, after) = (Self.body(posture, style), Self.body(moved, style))
    for (one, other) in zip(before.bodyJoints, after.bodyJoints) {
      #expect((other - one - way).length < 1e-3)
    }
    #expect(posture.unplanted.left.planted == 0 && posture.unplanted.right.planted == 0)
  }

  @Test("draws keep their ranges, and depend on the seed")
  func draws() {
    var (style, again) = (Self.style(4), Self.style(4))
    for _ in 0..<200 {
      let value = style.uniform(0.2...0.4)
      #expect((0.2...0.4).contains(value) && value == again.uniform(0.2...0.4))
      let length = style.stature(0.1...0.2) / style.person.stature
      #expect(length > 0.0999 && length < 0.2001)
      #expect(abs(style.side()) == 1)
      _ = (again.stature(0.1...0.2), again.side())
    }
    #expect((0..<300).count { _ in style.chance(0.3) } < 130)
    #expect(Set((0..<100).map { _ in style.pick([1, 2, 3]) }) == [1, 2, 3])
    for amplitude in [0.2, 1] as [Float] {
      for _ in 0..<50 {
        let arms = style.anyArms(.standing(.average, stance: 0.1), amplitude: amplitude)
        for limbs in [arms.left, arms.right] {
          #expect(limbs.armRaise <= 0.15 + 2.6 * amplitude && limbs.armReach <= 1)
        }
      }
    }
  }
}
