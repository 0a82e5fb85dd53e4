import Foundation
import KinemaAction
import KinemaLab
import KinemaSynth
import Testing

@Suite("The posture of a body in space")
struct PostureTruthTests {
  /// Somebody 1.7 m tall who takes a step a second with each foot, half a second apart.
  ///
  /// - Parameters:
  ///   - speed: That of the hips, in metres a second.
  ///   - lift: How far feet go up, in metres.
  private func steps(speed: Float, lift: Float) -> [Skeleton] {
    let person = SyntheticPerson(stature: 1.7)
    let upright = BodySolver(person: person).skeleton(for: .standing(person, stance: 0.1))
    return (0..<45).map { frame in
      let time = Float(frame) / Float(PostureTruth.frameRate)
      var body = upright
      let forward = SIMD3<Float>(0, 0, speed * time)
      body.root = [0, 0.9, 0] + forward
      body.neck = [0, 1.45, 0] + forward
      body.head = [0, 1.6, 0] + forward
      body.nose = [0, 1.6, 0.1] + forward
      for (side, sign, phase) in [(\Skeleton.left, Float(1), Float(0)), (\.right, -1, 0.5)] {
        let up = lift * max(0, sinf(2 * .pi * (time + phase)))
        body[keyPath: side].shoulder = [0.18 * sign, 1.4, 0] + forward
        body[keyPath: side].elbow = [0.2 * sign, 1.12, 0] + forward
        body[keyPath: side].wrist = [0.22 * sign, 0.88, 0] + forward
        body[keyPath: side].hip = [0.1 * sign, 0.9, 0] + forward
        body[keyPath: side].knee = [0.1 * sign, 0.5 + up, 0.05] + forward
        body[keyPath: side].ankle = [0.1 * sign, 0.08 + up, 0] + forward
        body[keyPath: side].ball = [0.1 * sign, 0.02 + up, 0.15] + forward
        body[keyPath: side].eye = [0.03 * sign, 1.63, 0.1] + forward
        body[keyPath: side].ear = [0.07 * sign, 1.61, 0] + forward
      }
      return body
    }
  }

  private func kind(speed: Float, lift: Float) -> HumanBodyPosture.Kind {
    PostureTruth(steps(speed: speed, lift: lift), stature: 1.7).kind
  }

  @Test("is walking with steps that get on, and with clear ones on the spot")
  func walking() {
    #expect(kind(speed: 1.2, lift: 0.06) == .walking)
    #expect(kind(speed: 0.5, lift: 0.06) == .walking)
    #expect(kind(speed: 0, lift: 0.15) == .walking)
  }

  @Test("is standing where feet hardly go up, or shift weight without getting on")
  func standing() {
    #expect(kind(speed: 0.5, lift: 0.02) == .standing)
    #expect(kind(speed: 0.3, lift: 0.06) == .standing)
  }

  @Test("is running above 2.2 m a second")
  func running() {
    #expect(kind(speed: 2.6, lift: 0.15) == .running)
  }
}
