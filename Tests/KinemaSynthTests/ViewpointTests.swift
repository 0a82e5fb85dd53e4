import KinemaPose
import KinemaSynth
import KinemaTestSupport
import Testing

@Suite struct ViewpointTests {
  @Test("from the front, the person's left is on the right of the picture")
  func handedness() throws {
    let session = SyntheticSession([.standing(seconds: 3)], seed: 1)
    for (yaw, sign) in [(Float(0), Float(1)), (180, -1)] {
      let view = Viewpoint.framing(session, yawDegrees: yaw)
      let pose = view.pose(of: session.skeleton(at: 1), aspectRatio: 4 / 3)
      let left = try #require(pose.keypoints[.leftShoulder]).position
      let right = try #require(pose.keypoints[.rightShoulder]).position
      #expect((left.x - right.x) * sign > 0.05)
      #expect(try #require(pose.keypoints[.nose]).position.y > left.y)
    }
  }

  @Test("the target is in the middle of the picture")
  func target() {
    let view = Viewpoint(target: SIMD3(1, 2, 3), yawDegrees: 50, pitchDegrees: 20)
    let place = view.projected(view.target, aspectRatio: 1.5)
    #expect(abs(place.x - 0.5) < 1e-5 && abs(place.y - 0.5) < 1e-5)
    #expect(abs(distance(view.position, view.target) - view.distance) < 1e-4)
  }

  @Test(
    "all joints are in the picture at the default viewpoint",
    arguments: [Motion.jumpingJacks, .lunges, .burpees, .squats, .pushUps, .standing])
  func framing(motion: Motion) {
    let part = SyntheticSession.Part.motion(motion, repetitions: 3)
    for aspectRatio in [4 / 3, 16 / 9, 9 / 16] as [Float] {
      let session = SyntheticSession([part], seed: 2)
      let view = Viewpoint.framing(session, aspectRatio: aspectRatio)
      for sample in session.poses(frameRate: 30, from: view, aspectRatio: aspectRatio) {
        #expect(sample.poses[0].keypoints.count == 18)
        #expect(
          sample.poses[0].keypoints.values.allSatisfy { point in
            point.confidence == 1 && point.position.min() > 0.02 && point.position.max() < 0.98
          }, "at \(sample.time) s")
      }
    }
  }

  @Test("a joint outside the picture has confidence 0")
  func outside() throws {
    let session = SyntheticSession([.standing(seconds: 3)], seed: 1)
    let view = Viewpoint(target: SIMD3(0, 1.5, 0), yawDegrees: 0, distance: 1)
    let pose = view.pose(of: session.skeleton(at: 1), aspectRatio: 1)
    #expect(try #require(pose.keypoints[.leftAnkle]).confidence == 0)
    #expect(try #require(pose.keypoints[.nose]).confidence == 1)
  }
}
