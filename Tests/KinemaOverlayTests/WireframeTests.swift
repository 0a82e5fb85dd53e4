import KinemaPose
import Testing

@Suite struct WireframeTests {
  @Test("the wireframes join every joint of a body and of a hand, each pair once")
  func topology() {
    for (wireframe, joints) in [(Wireframe.body, JointKey.body), (.hand, JointKey.hand)] {
      #expect(Set(wireframe.limbs.flatMap { [$0.start, $0.end] }) == Set(joints))
      #expect(Set(wireframe.limbs.map { Set([$0.start, $0.end]) }).count == wireframe.limbs.count)
    }
    #expect(Wireframe.body.limbs.count == 18)
    #expect(Wireframe.hand.limbs.count == 20)
  }

  @Test("a segment needs both of its joints, confident and finite")
  func segments() {
    var pose = Pose.standing
    #expect(Wireframe.body.segments(of: pose).count == 18)
    pose.keypoints[.leftWrist]?.confidence = 0.1
    #expect(Wireframe.body.segments(of: pose).count == 17)
    pose.keypoints[.leftKnee]?.position.x = .nan
    #expect(Wireframe.body.segments(of: pose).count == 15)
    pose.keypoints[.leftShoulder] = nil
    #expect(Wireframe.body.segments(of: pose).count == 12)
    #expect(Wireframe.body.segments(of: Pose(from: [:])).isEmpty)
  }

  @Test("a pose with a wrist of a hand is drawn as a hand")
  func choice() {
    #expect(Pose.standing.wireframe == .body)
    let wrist = JointPoint(.wrist, position: SIMD2(0.5, 0.5), confidence: 1)
    #expect(Pose(from: [.wrist: wrist]).wireframe == .hand)
  }
}
