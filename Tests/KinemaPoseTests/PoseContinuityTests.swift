import Foundation
import KinemaPose
import KinemaSynth
import Testing

@Suite("Left and right from frame to frame")
struct PoseContinuityTests {
  private static let legs = ["Knee", "Ankle"]
  private static let all = ["Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle", "Eye", "Ear"]

  /// Exact poses of a moving person.
  private func poses(
    _ motion: Motion, yawDegrees: Float, count: Int = 120, frameRate: Double = 30
  ) -> [Pose] {
    let session = SyntheticSession([.motion(motion, seconds: 6)], seed: 5)
    let view = Viewpoint.framing(session, yawDegrees: yawDegrees)
    return (0..<count).map { index in
      view.pose(
        of: session.skeleton(at: Double(index) / frameRate), aspectRatio: 4 / 3, personID: 1)
    }
  }

  /// The same people through a fresh stage.
  private func repaired(_ poses: [[Pose]], frameRate: Double = 30) -> [[Pose]] {
    var stage = PoseContinuity()
    return poses.enumerated().map { index, poses in
      stage.filtered(poses, at: Double(index) / frameRate)
    }
  }

  private func exchanged(_ pose: Pose, _ names: [String]) -> Pose {
    var result = pose
    for name in names {
      let keys = (JointKey(rawValue: "left" + name), JointKey(rawValue: "right" + name))
      guard let left = pose.keypoints[keys.0], let right = pose.keypoints[keys.1] else { continue }
      result.keypoints[keys.0] = JointPoint(
        keys.0, position: right.position, confidence: right.confidence)
      result.keypoints[keys.1] = JointPoint(
        keys.1, position: left.position, confidence: left.confidence)
    }
    return result
  }

  private func distance(_ pose: Pose, _ left: JointKey, _ right: JointKey) -> Float {
    guard let a = pose.keypoints[left], let b = pose.keypoints[right] else { return 0 }
    return abs(a.position.x - b.position.x)
  }

  @Test(
    "legs that are mistaken for each other for some frames are put right", arguments: [1, 4, 8])
  func legs(length: Int) throws {
    let truth = poses(.lunges, yawDegrees: 90)
    // The moment when the feet are furthest apart.
    let middle = try #require(
      truth.indices.dropFirst(5).dropLast(20).max {
        distance(truth[$0], .leftAnkle, .rightAnkle) < distance(truth[$1], .leftAnkle, .rightAnkle)
      })
    var wrong = truth
    for index in middle..<middle + length { wrong[index] = exchanged(truth[index], Self.legs) }
    let found = repaired(wrong.map { [$0] }).map { $0[0] }
    for index in truth.indices {
      for key in [JointKey.leftKnee, .rightKnee, .leftAnkle, .rightAnkle] {
        #expect(found[index].keypoints[key] == truth[index].keypoints[key], "frame \(index)")
      }
    }
  }

  @Test("a body whose front is taken for its back for some frames is put right")
  func wholeBody() {
    let truth = poses(.jumpingJacks, yawDegrees: 180)
    var wrong = truth
    for index in [20, 21, 22, 50, 71, 72] { wrong[index] = exchanged(truth[index], Self.all) }
    let found = repaired(wrong.map { [$0] }).map { $0[0] }
    for (pose, expected) in zip(found, truth) {
      // Feet that are together may stay exchanged.
      for (key, point) in expected.keypoints {
        let way = (pose.keypoints[key]?.position ?? .zero) - point.position
        #expect(abs(way.x) < 0.06 && abs(way.y) < 0.06, "\(key)")
      }
    }
  }

  @Test(
    "a front that is taken for a back for most of a second is put right, through a torn frame, too")
  func front() throws {
    let truth = poses(.jumpingJacks, yawDegrees: 0)
    var wrong = truth
    for index in 40..<64 { wrong[index] = exchanged(truth[index], Self.all) }
    // Seen from the side for a moment: left and right coincide.
    for name in Self.all {
      let (left, right) = (JointKey(rawValue: "left" + name), JointKey(rawValue: "right" + name))
      let places = try [left, right].map { try #require(wrong[52].keypoints[$0]?.position) }
      let middle = (places[0] + places[1]) / 2
      for (key, place) in zip([left, right], places) {
        wrong[52].keypoints[key]?.position = middle + (place - middle) * 0.05
      }
    }
    let found = repaired(wrong.map { [$0] }).map { $0[0] }
    for index in truth.indices where index != 52 {
      for name in ["Shoulder", "Hip", "Eye"] {
        let key = JointKey(rawValue: "left" + name)
        #expect(
          found[index].keypoints[key] == truth[index].keypoints[key], "\(name), frame \(index)")
      }
    }
  }

  @Test(
    "nothing that moves by itself is changed, from any side and at low rates",
    arguments: [30.0, 15])
  func unchanged(frameRate: Double) throws {
    let motions: [Motion] = [
      .jumpingJacks, .lunges, .burpees, .squats, try #require(.named("jump_lunges")),
      try #require(.named("turning")), try #require(.named("high_knees")),
      try #require(.named("walking")), try #require(.named("free_dance")),
    ]
    for motion in motions {
      for yaw in [0, 90, 180] as [Float] {
        let truth = poses(motion, yawDegrees: yaw, frameRate: frameRate)
        let found = repaired(truth.map { [$0] }, frameRate: frameRate).map { $0[0] }
        let changed = truth.indices.filter { truth[$0] != found[$0] }
        #expect(changed.isEmpty, "\(motion.name), \(yaw)°: frames \(changed)")
      }
    }
  }

  @Test("a person who turns on the spot is unchanged", arguments: [1.0, 2.5])
  func turning(seconds: Double) {
    let session = SyntheticSession([.standing(seconds: 6)], seed: 2)
    let view = Viewpoint.framing(session, yawDegrees: 0)
    let truth = (0..<150).map { index in
      let turn = Float(Double(index) / 30 / seconds * 360)
      let skeleton = session.skeleton(at: Double(index) / 30).placed(
        at: .zero, headingDegrees: turn)
      return view.pose(of: skeleton, aspectRatio: 4 / 3, personID: 1)
    }
    #expect(repaired(truth.map { [$0] }).map { $0[0] } == truth)
  }

  @Test("a lasting opinion of the network is accepted")
  func lasting() {
    let truth = poses(.jumpingJacks, yawDegrees: 0)
    let wrong = truth.enumerated().map { $0 < 30 ? $1 : exchanged($1, Self.all) }
    let found = repaired(wrong.map { [$0] }).map { $0[0] }
    #expect(found[33] == truth[33])
    let end = 30 + Int((PoseContinuity.longestTrunkRepair * 30).rounded(.up)) + 1
    #expect(Array(found[end...]) == Array(wrong[end...]))
  }

  @Test("a mistake in the first frames does not last")
  func firstFrame() {
    let truth = poses(.jumpingJacks, yawDegrees: 0)
    let wrong = truth.enumerated().map { $0 > 1 ? $1 : exchanged($1, Self.all) }
    let found = repaired(wrong.map { [$0] }).map { $0[0] }
    let end = 2 + Int((PoseContinuity.longestTrunkRepair * 30).rounded(.up)) + 1
    #expect(Array(found[end...]) == Array(truth[end...]))
  }

  @Test("history is dropped after a pause and is separate for each person")
  func pauses() {
    let truth = poses(.jumpingJacks, yawDegrees: 0)
    var stage = PoseContinuity()
    _ = stage.filtered([truth[0]], at: 0)
    let turned = exchanged(truth[1], Self.all)
    #expect(stage.filtered([turned], at: 1) == [turned])
    var other = exchanged(truth[2], Self.all)
    other.personID = 2
    #expect(stage.filtered([other], at: 1.03) == [other])
    stage.reset()
    #expect(stage.filtered([truth[3]], at: 1.06) == [truth[3]])
    #expect(stage.exchangeCount == 0)
  }

  @Test("each person has their own past")
  func severalPeople() {
    let truth = poses(.jumpingJacks, yawDegrees: 0)
    let both = truth.map { pose in
      var other = pose
      other.personID = 2
      for key in other.keypoints.keys { other.keypoints[key]?.position.x += 0.3 }
      return [pose, other]
    }
    var wrong = both
    wrong[10][1] = exchanged(both[10][1], Self.all)
    #expect(repaired(wrong) == both)
  }

  @Test("poses that lack joints, or have wild ones, do no harm")
  func hostile() {
    let truth = poses(.lunges, yawDegrees: 90, count: 4)
    var wild = truth[1]
    wild.keypoints[.leftKnee]?.position = SIMD2(.nan, .infinity)
    let hand = Pose(from: [.wrist: JointPoint(.wrist, position: SIMD2(0.5, 0.5), confidence: 1)])
    let poses = [[truth[0]], [wild], [.empty], [hand], [truth[2]], []]
    var stage = PoseContinuity(aspectRatio: .nan)
    for (index, poses) in poses.enumerated() {
      #expect(stage.filtered(poses, at: Double(index) / 30).count == poses.count)
    }
  }
}
