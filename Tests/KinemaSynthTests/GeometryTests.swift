import KinemaPose
import KinemaSynth
import Testing

@Suite("Geometry of bodies")
struct GeometryTests {
  private static let session = SyntheticSession([.motion(.squats, repetitions: 2)], seed: 3)

  @Test("products of vectors are those of the formula")
  func vectors() {
    let (a, b) = (Vector(1, 2, 3), Vector(-2, 0.5, 4))
    #expect(a.dot(b) == 11 && a.length == Float(14).squareRoot())
    #expect(a.cross(b) == Vector(6.5, -10, 4.5))
    #expect(Vector(1, 0, 0).cross(Vector(0, 1, 0)) == Vector(0, 0, 1))
    #expect(a.cross(b).dot(a) == 0 && a.cross(b) == -b.cross(a))
    #expect(abs(b.normalized.length - 1) < 1e-6 && Vector().normalized == Vector())
    let rest = a.perpendicular(to: b.normalized)
    #expect(abs(rest.dot(b)) < 1e-5 && (a - rest).cross(b).length < 1e-4)
    #expect(blend(a, b, 0) == a && blend(a, b, 1) == b && blend(a, b, 0.5) == (a + b) / 2)
    #expect(blend(2, 4, 0.25) == 2.5 && a.mirrored == Vector(-1, 2, 3))
  }

  @Test("a person who is turned by a quarter faces x, and nothing changes its height")
  func placing() {
    let body = Self.session.skeleton(at: 1)
    let placed = body.placed(at: SIMD2(2, -1), headingDegrees: 90)
    for (one, other) in zip(body.bodyJoints, placed.bodyJoints) {
      #expect((other - Vector(one.z + 2, one.y, -one.x - 1)).length < 1e-5)
    }
    #expect((placed.chestForward.x - body.chestForward.z).magnitude < 1e-5)
    let around = body.placed(at: .zero, headingDegrees: 360)
    #expect(zip(body.bodyJoints, around.bodyJoints).allSatisfy { ($0 - $1).length < 1e-4 })
    let twice = body.placed(at: .zero, headingDegrees: 35).placed(at: .zero, headingDegrees: 25)
    let once = body.placed(at: .zero, headingDegrees: 60)
    #expect(zip(once.bodyJoints, twice.bodyJoints).allSatisfy { ($0 - $1).length < 1e-4 })
  }

  @Test("joints are found by their names")
  func names() {
    let body = Self.session.skeleton(at: 0.5)
    #expect(body.bodyJoints.count == JointKey.body.count)
    #expect(body[.leftKnee] == body.left.knee && body[.rightWrist] == body.right.wrist)
    #expect(body[.nose] == body.nose && body[.neck] == body.neck && body[.root] == body.root)
    #expect(body[.leftEar] == body.left.ear && body[.rightEye] == body.right.eye)
    #expect(body[.thumbCMC] == nil)
    let middle = (body.left.shoulder + body.right.shoulder) / 2
    #expect((middle - body.neck).length < 1e-5)
    #expect(((body.left.hip + body.right.hip) / 2 - body.root).length < 1e-5)
  }

  @Test("a body's extent holds its joints, fingers, toes and crown")
  func extent() {
    let body = Self.session.skeleton(at: 0)
    let extent = body.extent
    #expect(body.bodyJoints.allSatisfy(extent.contains))
    #expect(extent.contains(body.left.fingertips) && extent.contains(body.right.ball))
    let crown = extent.map(\.y).max() ?? 0
    let person = Self.session.person
    #expect(abs(crown - person.stature) < 0.08 * person.stature)
  }

  @Test(
    "a viewpoint's axes are at right angles, and its back leads to the camera",
    arguments: [0, 30, -135] as [Float], [-20, 0, 40] as [Float])
  func viewpoint(yaw: Float, pitch: Float) {
    let view = Viewpoint(yawDegrees: yaw, pitchDegrees: pitch, distance: 3)
    let axes = view.axes
    for (one, other) in [(axes.right, axes.up), (axes.up, axes.back), (axes.back, axes.right)] {
      #expect(abs(one.dot(other)) < 1e-5 && abs(one.length - 1) < 1e-5)
    }
    #expect((axes.right.cross(axes.up) - axes.back).length < 1e-5)
    #expect((view.position - view.target - axes.back * 3).length < 1e-5)
    #expect(abs(axes.right.y) < 1e-6)
    // A step to the camera's right moves to the right, by focal length over depth.
    let step = view.projected(view.target + axes.right * 0.3, aspectRatio: 2)
    let focal = 0.5 / Float(0.414_213_56)
    #expect(abs(step.x - 0.5 - focal * 0.3 / 3 / 2) < 1e-4 && abs(step.y - 0.5) < 1e-4)
  }

  @Test("sway is small and slow, and leaves pelvis, feet and hands on the floor in place")
  func sway() {
    for seed in 1...8 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let sway = Sway(using: &generator)
      let posture = Posture.standing(.average, stance: 0.1).planted(SIMD3(0.2, 0.05, 0.4))
      var last = sway.applied(to: posture, at: 0)
      var pitches: [Float] = []
      for step in 1...600 {
        let moved = sway.applied(to: posture, at: Double(step) / 10)
        #expect(moved.pelvis == posture.pelvis && moved.left.ankle == posture.left.ankle)
        #expect(moved.left.hand == posture.left.hand && moved.left.planted == 1)
        let (change, away) = (moved.lanes - last.lanes, moved.lanes - posture.lanes)
        // Two waves of at most 0.06 at 0.7 Hz.
        #expect(away.max() < 0.121 && away.min() > -0.121)
        #expect(change.max() < 0.054 && change.min() > -0.054)
        pitches.append(moved.pitch)
        last = moved
      }
      #expect(abs(pitches.reduce(0, +) / 600) < 0.006)
    }
  }
}
