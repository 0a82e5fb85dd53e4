import KinemaDepth
import KinemaPose
import Testing

/// The built-in lifter on hand-made poses of a person who faces a level camera.
@Suite("Bodies in three dimensions") struct BodyLifterTests {
  /// A person of 1.7 m who fills two thirds of a square picture, facing the camera with hanging arms.
  private static func standing(at time: Double, armsRaised: Bool = false) -> LiftWindow.Frame {
    // x from the middle and y from the floor, in metres.
    let places: [JointKey: SIMD2<Float>] = [
      .nose: [0, 1.58], .neck: [0, 1.42], .rightEye: [-0.03, 1.61], .leftEye: [0.03, 1.61],
      .rightEar: [-0.07, 1.59], .leftEar: [0.07, 1.59], .rightShoulder: [-0.18, 1.42],
      .leftShoulder: [0.18, 1.42], .rightElbow: armsRaised ? [-0.47, 1.42] : [-0.2, 1.13],
      .leftElbow: armsRaised ? [0.47, 1.42] : [0.2, 1.13],
      .rightWrist: armsRaised ? [-0.72, 1.42] : [-0.21, 0.88],
      .leftWrist: armsRaised ? [0.72, 1.42] : [0.21, 0.88], .rightHip: [-0.1, 0.92],
      .leftHip: [0.1, 0.92], .rightKnee: [-0.1, 0.5], .leftKnee: [0.1, 0.5],
      .rightAnkle: [-0.1, 0.08], .leftAnkle: [0.1, 0.08],
    ]
    let points = places.map { key, place in
      (
        key,
        JointPoint(
          key, position: SIMD2(0.5 + place.x * 0.4, 0.16 + place.y * 0.4), confidence: 0.98)
      )
    }
    return LiftWindow.Frame(
      Pose(from: Dictionary(uniqueKeysWithValues: points)), time: time)
  }

  private static func frames(armsRaised: Bool = false) -> [LiftWindow.Frame] {
    (0..<60).map { standing(at: Double($0) / 30, armsRaised: armsRaised) }
  }

  private static func body(_ frames: [LiftWindow.Frame], future: Double = 0.5) throws -> LiftedBody
  {
    try #require(
      try BodyLifter().body(at: 30, in: frames, aspectRatio: 1, future: future))
  }

  @Test(
    "who stands has nearly straight knees, hanging arms and no lean, live and in files",
    arguments: [0, 0.5])
  func standing(future: Double) throws {
    let body = try Self.body(Self.frames(), future: future)
    // Knees of people who stand are bent by 5 to 20° in motion capture, which can't be seen from the front.
    for (angle, value) in [
      (BodyAngle.leftKnee, 170), (.rightKnee, 170), (.leftShoulder, 5), (.rightShoulder, 5),
      (.trunkLean, 0), (.trunkRotation, 0), (.pelvisObliquity, 0),
    ] as [(BodyAngle, Float)] {
      let found = try #require(body.angles[angle])
      #expect(abs(found.value - value) < 3 * found.error, "\(angle): \(found)")
      #expect((0.1...20).contains(found.error), "\(angle): \(found)")
    }
    #expect(try #require(body.angles[.trunkLean]).value < 8)
  }

  @Test("the mirror image of a person is lifted to the mirror image of their body")
  func mirrorImage() throws {
    let plain = Self.frames(armsRaised: true).map { frame in
      // One arm hangs, and the person is not in the middle.
      var values = frame.values
      let count = BodyJoint.count
      for joint in [BodyJoint.leftElbow, .leftWrist] { values[joint.rawValue] = 0.6 }
      values[BodyJoint.leftElbow.rawValue + count] = 0.6
      values[BodyJoint.leftWrist.rawValue + count] = 0.5
      for joint in 0..<count { values[joint] -= 0.07 }
      return LiftWindow.Frame(time: frame.time, values: values)
    }
    let mirrored = plain.map { frame in
      var values = frame.values
      for joint in BodyJoint.allCases {
        for row in 0..<3 {
          let value = frame.values[row * BodyJoint.count + joint.otherSide.rawValue]
          values[row * BodyJoint.count + joint.rawValue] = row == 0 ? 1 - value : value
        }
      }
      return LiftWindow.Frame(time: frame.time, values: values)
    }
    let (body, image) = (try Self.body(plain), try Self.body(mirrored))
    for joint in BodyJoint.allCases {
      let place = try #require(body.joints[joint.key]).position
      let other = try #require(image.joints[joint.otherSide.key]).position
      let away = place - other * Vector3(-1, 1, 1)
      #expect((away * away).sum() < 1e-6, "\(joint)")
    }
    let shoulder = try #require(body.angles[.leftShoulder]).value
    let other = try #require(image.angles[.rightShoulder]).value
    #expect(abs(shoulder - other) < 0.1)
    #expect(shoulder < 60)
    let lean = try #require(body.angles[.trunkSideLean]).value
    let otherLean = try #require(image.angles[.trunkSideLean]).value
    #expect(abs(lean + otherLean) < 0.1)
  }

  @Test("places are metres from the hips, y up, x to the right in the picture")
  func places() throws {
    let body = try Self.body(Self.frames())
    #expect(body.joints.count == JointKey.body.count)
    let ankle = try #require(body.joints[.leftAnkle])
    let shoulder = try #require(body.joints[.rightShoulder])
    #expect((-1.0 ... -0.65).contains(ankle.position.y) && ankle.position.x > 0)
    #expect((0.35...0.65).contains(shoulder.position.y) && shoulder.position.x < 0)
    #expect(body.up.y > 0.97)
    #expect(body.floorHeight < -0.6)
    for joint in body.joints.values {
      #expect((0.001...0.3).contains(joint.error))
      // The trace of the covariance is the square of the error.
      let trace = (0..<3).reduce(Float(0)) { $0 + joint.covariance[$1][$1] }
      #expect(abs(trace - joint.error * joint.error) < 1e-4)
    }
  }

  @Test("a height that is known scales all lengths")
  func stature() throws {
    let frames = Self.frames()
    let lifter = try BodyLifter()
    let small = try #require(lifter.body(at: 30, in: frames, aspectRatio: 1, stature: 1))
    let tall = try #require(lifter.body(at: 30, in: frames, aspectRatio: 1, stature: 2))
    #expect(small.stature == 1 && tall.stature == 2)
    for key in JointKey.body {
      let (one, other) = (try #require(small.joints[key]), try #require(tall.joints[key]))
      #expect(abs(other.position.y - 2 * one.position.y) < 1e-4)
      #expect(abs(other.error - 2 * one.error) < 1e-4)
    }
  }

  @Test("raised arms are found raised")
  func armsRaised() throws {
    let body = try Self.body(Self.frames(armsRaised: true))
    for angle in [BodyAngle.leftShoulder, .rightShoulder, .leftShoulderAbduction] {
      #expect(abs(try #require(body.angles[angle]).value - 90) < 15, "\(angle)")
    }
  }

  @Test("what is not seen has a larger error")
  func hiddenLegs() throws {
    let legs: [BodyJoint] = [.leftKnee, .rightKnee, .leftAnkle, .rightAnkle]
    let frames = Self.frames().map { frame in
      var values = frame.values
      for joint in legs {
        for row in 0..<3 { values[row * BodyJoint.count + joint.rawValue] = 0 }
      }
      return LiftWindow.Frame(time: frame.time, values: values)
    }
    let (seen, hidden) = (try Self.body(Self.frames()), try Self.body(frames))
    for angle in [BodyAngle.leftKnee, .rightKnee] {
      #expect(
        try #require(hidden.angles[angle]).error > 1.5 * (try #require(seen.angles[angle]).error))
    }
  }

  @Test("too little of a body gives none; neither do joints that are all in one place")
  func tooLittle() throws {
    let lifter = try BodyLifter()
    let empty = LiftWindow.Frame(.empty, time: 0)
    #expect(lifter.body(at: 0, in: [empty], aspectRatio: 1) == nil)
    var values = [Float](repeating: 0.5, count: 3 * BodyJoint.count)
    for joint in 0..<BodyJoint.count { values[2 * BodyJoint.count + joint] = 1 }
    #expect(lifter.body(at: 0, in: [.init(time: 0, values: values)], aspectRatio: 1) == nil)
  }

  @Test("a stream gives what the whole file gives, each person for themselves, half a second later")
  func stream() throws {
    let lifter = try BodyLifter()
    let frames = Self.frames()
    var stream = BodyLiftingStream(lifter)
    func poses(_ index: Int) -> [Pose] {
      [3, 7].map { Pose(multiArray: frames[index].values, personID: $0) }
    }
    var lifted = 0
    for index in frames.indices {
      stream.add(poses(index), at: frames[index].time)
      while lifted < index, stream.isReady(frames[lifted].time, newest: frames[index].time) {
        let bodies = stream.bodies(
          of: poses(lifted), at: frames[lifted].time, aspectRatio: 1)
        #expect(bodies.map { $0?.personID } == [3, 7])
        let whole = try #require(lifter.body(at: lifted, in: frames, aspectRatio: 1))
        for body in bodies {
          #expect(
            try #require(body?.angles[.leftKnee]).value == whole.angles[.leftKnee]?.value)
        }
        lifted += 1
      }
    }
    #expect((43...46).contains(lifted))
  }
}
