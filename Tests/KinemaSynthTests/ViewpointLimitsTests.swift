import Foundation
import KinemaPose
import KinemaSynth
import Testing

/// Projections computed by hand, and viewpoints at their limits.
@Suite("Viewpoints at their limits")
struct ViewpointLimitsTests {
  /// Half a frame's height is as long as the way to it: the focal length is half a frame.
  private static func view(yaw: Float, pitch: Float = 0) -> Viewpoint {
    Viewpoint(
      target: Vector(0, 1, 0), yawDegrees: yaw, pitchDegrees: pitch, distance: 4,
      verticalFieldOfViewDegrees: 90)
  }

  @Test("a place is projected as computed by hand")
  func byHand() {
    // From (0, 1, 4), the place is 1 to the right, 1 up and 2 ahead.
    let front = Self.view(yaw: 0).projected(Vector(1, 2, 2), aspectRatio: 2)
    #expect((front - SIMD2(0.625, 0.75)).max().magnitude < 1e-5)
    #expect((front - SIMD2(0.625, 0.75)).min().magnitude < 1e-5)
    // From the person's left, at (4, 1, 0), z runs to the left: 2 ahead, 1 to the left.
    let left = Self.view(yaw: 90)
    #expect((left.position - Vector(4, 1, 0)).length < 1e-5)
    let side = left.projected(Vector(2, 0, 1), aspectRatio: 1)
    #expect(abs(side.x - 0.25) < 1e-5 && abs(side.y - 0.25) < 1e-5)
    // From above, what is ahead of the person is at the bottom.
    let above = Self.view(yaw: 0, pitch: 90)
    #expect((above.position - Vector(0, 5, 0)).length < 1e-5)
    let down = above.projected(Vector(0, 1, 2), aspectRatio: 1)
    #expect(abs(down.x - 0.5) < 1e-5 && abs(down.y - 0.25) < 1e-5)
  }

  @Test("a full turn changes nothing, and half a turn mirrors the middle plane")
  func turns() {
    let place = Vector(0.4, 1.7, 0)
    for yaw in [-1000, -180, -40, 0, 77, 350] as [Float] {
      let one = Self.view(yaw: yaw).projected(place, aspectRatio: 1.5)
      let other = Self.view(yaw: yaw + 720).projected(place, aspectRatio: 1.5)
      #expect(abs(one.x - other.x) < 1e-3 && abs(one.y - other.y) < 1e-3, "\(yaw)")
    }
    let (front, back) = (Self.view(yaw: 0), Self.view(yaw: 180))
    let (one, other) = (
      front.projected(place, aspectRatio: 1), back.projected(place, aspectRatio: 1)
    )
    #expect(abs(one.x + other.x - 1) < 1e-5 && abs(one.y - other.y) < 1e-5)
  }

  @Test("what is behind the camera has finite coordinates, outside the picture unless in its axis")
  func behind() {
    let view = Self.view(yaw: 0)
    for place in [Vector(0.3, 1, 4), Vector(0.3, 1, 5), Vector(-2, 3, 40)] {
      let projected = view.projected(place, aspectRatio: 1)
      #expect(projected.x.isFinite && projected.y.isFinite)
      #expect(projected.x < 0 || projected.x > 1)
    }
  }

  @Test("a joint on the picture's edge is in it, one just beyond is not")
  func edge() throws {
    let view = Self.view(yaw: 0)
    // At the target's depth the picture reaches 4 m up and down, with its ratio to the sides.
    let joints: [(JointKey, Vector)] = [
      (.nose, Vector(0, 4.99, 0)), (.neck, Vector(0, 5.01, 0)),
      (.leftWrist, Vector(7.99, 1, 0)), (.rightWrist, Vector(-8.01, 1, 0)),
    ]
    let pose = view.pose(of: joints, aspectRatio: 2, personID: 7)
    #expect(pose.personID == 7)
    let confidences = [JointKey.nose, .neck, .leftWrist, .rightWrist].map {
      pose.keypoints[$0]?.confidence
    }
    #expect(confidences == [1, 0, 1, 0])
    let wrist = try #require(pose.keypoints[.rightWrist])
    #expect(wrist.position.x < 0 && wrist.position.x > -0.01)
  }

  @Test(
    "from anywhere all of a body is in the picture, and fills it unless it would be too near",
    arguments: [-170, -90, 0, 45, 180, 400] as [Float], [-60, 0, 30, 80] as [Float])
  func framing(yaw: Float, pitch: Float) {
    for (motion, aspectRatio) in [(Motion.lunges, Float(0.5)), (.pushUps, 1), (.walking, 2.4)] {
      let session = SyntheticSession([.motion(motion, seconds: 4)], seed: 5)
      let view = Viewpoint.framing(
        session, yawDegrees: yaw, pitchDegrees: pitch, aspectRatio: aspectRatio, margin: 0.1)
      let places = stride(from: 0, through: session.duration, by: 0.1).flatMap { time in
        session.skeleton(at: time).extent.map { view.projected($0, aspectRatio: aspectRatio) }
      }
      let low = places.reduce(places[0], pointwiseMin)
      let high = places.reduce(places[0], pointwiseMax)
      #expect(low.min() > 0.08 && high.max() < 0.92, "\(motion.name)")
      // Who walks towards the camera is small at first.
      let fills = abs((high - low).max() - 0.8) < 0.03
      #expect(fills || view.distance < 2.81 || motion == .walking, "\(motion.name)")
    }
  }

  @Test("a session is seen well from where its motions are, from the side if one is on the floor")
  func goodYaw() {
    func yaw(_ motions: [Motion]) -> Float {
      SyntheticSession(motions.map { .motion($0, repetitions: 1) }, seed: 1).goodYawDegrees
    }
    for motion in [Motion.squats, .pushUps, .jumpingJacks] {
      #expect(yaw([motion]) == motion.goodYawDegrees)
    }
    let (jacks, pushUps) = (Motion.jumpingJacks.goodYawDegrees, Motion.pushUps.goodYawDegrees)
    #expect(yaw([.jumpingJacks, .pushUps]) == jacks + (pushUps - jacks) * 2 / 3)
    // What is not counted matters only by itself.
    #expect(yaw([.standing, .squats]) == Motion.squats.goodYawDegrees)
    #expect(yaw([.walking, .standing]) == Motion.walking.goodYawDegrees)
  }
}
