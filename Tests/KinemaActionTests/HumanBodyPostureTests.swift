import Foundation
import KinemaAction
import KinemaErrors
import KinemaPose
import KinemaTestSupport
import Testing

/// A person of joints by hand, from the side or the front, in metres above the floor.
private enum Figure {
  /// x and y of each joint of one side, the right one beside it.
  typealias Places = [(left: JointKey, right: JointKey, place: SIMD2<Float>, half: Float)]

  static let standing: Places = [
    (.leftEar, .rightEar, SIMD2(0, 1.62), 0.08), (.leftEye, .rightEye, SIMD2(0, 1.65), 0.03),
    (.leftShoulder, .rightShoulder, SIMD2(0, 1.42), 0.18),
    (.leftElbow, .rightElbow, SIMD2(0, 1.13), 0.22),
    (.leftWrist, .rightWrist, SIMD2(0, 0.88), 0.23),
    (.leftHip, .rightHip, SIMD2(0, 0.93), 0.1), (.leftKnee, .rightKnee, SIMD2(0, 0.5), 0.1),
    (.leftAnkle, .rightAnkle, SIMD2(0, 0.08), 0.1),
  ]
  /// On the back, seen from the side, the head to the left.
  static let lying: Places = [
    (.leftEar, .rightEar, SIMD2(-0.75, 0.14), 0.01),
    (.leftEye, .rightEye, SIMD2(-0.78, 0.22), 0.01),
    (.leftShoulder, .rightShoulder, SIMD2(-0.55, 0.12), 0.02),
    (.leftElbow, .rightElbow, SIMD2(-0.27, 0.08), 0.02),
    (.leftWrist, .rightWrist, SIMD2(0, 0.08), 0.02),
    (.leftHip, .rightHip, SIMD2(-0.05, 0.11), 0.02),
    (.leftKnee, .rightKnee, SIMD2(0.38, 0.1), 0.02),
    (.leftAnkle, .rightAnkle, SIMD2(0.8, 0.08), 0.02),
  ]

  /// - Parameters:
  ///   - scale: The height of a metre, in heights of the frame.
  ///   - mirror: −1 exchanges left and right of the image.
  static func pose(
    _ places: Places, nose: SIMD2<Float>, aspectRatio: Float, scale: Float = 0.45,
    at corner: SIMD2<Float> = SIMD2(0.5, 0.1), mirror: Float = 1
  ) -> Pose {
    var points: [JointKey: JointPoint] = [:]
    func add(_ key: JointKey, _ place: SIMD2<Float>) {
      let x = corner.x + mirror * place.x * scale / aspectRatio
      points[key] = JointPoint(
        key, position: SIMD2(x, corner.y + place.y * scale), confidence: 0.95)
    }
    for joint in places {
      let aside = SIMD2(joint.half, 0) * mirror
      add(joint.left, joint.place + aside)
      add(joint.right, joint.place - aside)
    }
    add(.nose, nose)
    if let neck = places.first(where: { $0.left == .leftShoulder })?.place { add(.neck, neck) }
    return Pose(from: points, personID: 1)
  }
}

@Suite("Postures")
struct HumanBodyPostureTests {
  private static func posture(
    frameRate: Double, aspectRatio: Float = 1, _ pose: (Double) -> Pose?
  ) throws -> HumanBodyPosture? {
    var timeline = PostureTimeline(try PostureModel.installed)
    for frame in 0...Int(2 * frameRate) {
      let time = Double(frame) / frameRate
      timeline.add(pose(time), at: time, aspectRatio: aspectRatio)
    }
    return timeline.latest
  }

  @Test(
    "a person who stands still is standing, one on the back is lying, in frames of any shape and rate",
    arguments: [Float(0.5625), 1, 1.7778], [5.0, 30])
  func stillPeople(aspectRatio: Float, frameRate: Double) throws {
    let standing = try #require(
      try Self.posture(frameRate: frameRate, aspectRatio: aspectRatio) { _ in
        Figure.pose(Figure.standing, nose: SIMD2(0, 1.61), aspectRatio: aspectRatio)
      })
    #expect(standing.kind == .standing && standing.probability > 0.6, "\(standing)")
    #expect(standing.plainness > 0.5)
    let lying = try #require(
      try Self.posture(frameRate: frameRate, aspectRatio: aspectRatio) { _ in
        Figure.pose(
          Figure.lying, nose: SIMD2(-0.76, 0.25), aspectRatio: aspectRatio, scale: 0.3)
      })
    #expect(lying.kind.isLying && lying.lyingProbability > 0.6, "\(lying)")
    let sum = HumanBodyPosture.Kind.allCases.reduce(0) { $0 + lying[$1] }
    #expect(abs(sum - 1) < 1e-6)
  }

  @Test("signs do not change with size, place and mirroring")
  func invariance() throws {
    func signs(_ scale: Float, _ corner: SIMD2<Float>, _ mirror: Float) throws -> PostureSigns {
      var course = PostureCourse()
      for frame in 0..<30 {
        course.add(
          Figure.pose(
            Figure.standing, nose: SIMD2(0, 1.61), aspectRatio: 1, scale: scale, at: corner,
            mirror: mirror),
          at: Double(frame) / 30, aspectRatio: 1)
      }
      return try #require(course.signs())
    }
    let (one, other) = (
      try signs(0.45, SIMD2(0.5, 0.1), 1), try signs(0.2, SIMD2(0.3, 0.4), -1)
    )
    // Where the person is in the frame, and how large, is known as well.
    let placed: Set<PostureSigns.Sign> = [.lowest, .highest, .stature]
    for sign in PostureSigns.Sign.allCases where !placed.contains(sign) {
      #expect(abs((one[sign] ?? -9) - (other[sign] ?? -9)) < 2e-3, "\(sign)")
    }
  }

  @Test("nobody has no posture, and one who left has none")
  func nobody() throws {
    #expect(try Self.posture(frameRate: 30) { _ in nil } == nil)
    let left = try Self.posture(frameRate: 30) { time in
      time < 1 ? Figure.pose(Figure.standing, nose: SIMD2(0, 1.61), aspectRatio: 1) : nil
    }
    #expect(left == nil)
  }

  @Test("a window has the posture of its time; a window without a person has none")
  func windows() throws {
    var recognizer = ActionRecognizer(classifier: try MotionModel.classifier(windowSize: 60))
    var predictions: [ActionPrediction] = []
    for frame in 0..<300 {
      let time = Double(frame) / 30
      let pose =
        switch time {
        case ..<4: Figure.pose(Figure.standing, nose: SIMD2(0, 1.61), aspectRatio: 1)
        case ..<7: Figure.pose(Figure.lying, nose: SIMD2(-0.76, 0.25), aspectRatio: 1, scale: 0.3)
        default: Pose?.none
        }
      predictions += try recognizer.add(pose, at: time, aspectRatio: 1)
    }
    func posture(from start: Double) throws -> HumanBodyPosture? {
      try #require(predictions.first { $0.timeRange.lowerBound >= start - 1e-6 }).posture
    }
    #expect(try posture(from: 0)?.kind == .standing)
    #expect(try posture(from: 2)?.kind == .standing)
    #expect(try posture(from: 5)?.kind.isLying == true)
    #expect(try posture(from: 7.5) == nil)
  }

  @Test("without the shape of the picture, no window has a posture")
  func withoutShape() throws {
    var recognizer = ActionRecognizer(classifier: try MotionModel.classifier(windowSize: 60))
    let pose = Figure.pose(Figure.standing, nose: SIMD2(0, 1.61), aspectRatio: 1)
    let predictions = try (0..<90).flatMap { try recognizer.add(pose, at: Double($0) / 30) }
    #expect(!predictions.isEmpty && predictions.allSatisfy { $0.posture == nil })
    #expect(recognizer.posture == nil)
  }

  /// A person whose legs move in turn, or together, so many times a second.
  private static func stepping(
    _ stepsPerSecond: Double, at time: Double, together: Bool = false
  ) -> Pose {
    let swing = 0.2 * Float(sin(.pi * stepsPerSecond * time))
    let places = Figure.standing.map { joint -> (JointKey, JointKey, SIMD2<Float>, Float) in
      let reach: Float =
        joint.left == .leftAnkle ? swing : joint.left == .leftKnee ? swing / 2 : 0
      let moved = joint.place + SIMD2(together ? reach : 0, together ? 0 : abs(reach) / 5)
      return (joint.left, joint.right, moved, joint.half + (together ? 0 : reach))
    }
    return Figure.pose(
      places.map { (left: $0, right: $1, place: $2, half: $3) }, nose: SIMD2(0, 1.61),
      aspectRatio: 1)
  }

  private static func stepRate(frameRate: Double, _ pose: (Double) -> Pose) -> Float? {
    var course = PostureCourse()
    for frame in 0...Int(3 * frameRate) {
      let time = Double(frame) / frameRate
      course.add(pose(time), at: time, aspectRatio: 1)
    }
    return course.signs()?.stepRate
  }

  @Test(
    "steps are counted by legs that move in turn, at any frame rate that shows them",
    arguments: [1.5, 1.8, 2.3, 2.8], [10.0, 15, 25, 60])
  func steps(stepsPerSecond: Double, frameRate: Double) throws {
    let rate = try #require(
      Self.stepRate(frameRate: frameRate) { Self.stepping(stepsPerSecond, at: $0) })
    #expect(abs(Double(rate) - stepsPerSecond) < 0.1, "\(rate)")
  }

  @Test("legs that keep still or move together take no steps, and five frames a second show none")
  func noSteps() {
    #expect(Self.stepRate(frameRate: 30) { Self.stepping(0, at: $0) } == nil)
    #expect(Self.stepRate(frameRate: 30) { Self.stepping(2, at: $0, together: true) } == nil)
    #expect(Self.stepRate(frameRate: 5) { Self.stepping(2, at: $0) } == nil)
  }

  @Test("walking and running differ by the steps a second, and share what both have")
  func gaits() throws {
    let model = try PostureModel.installed
    var course = PostureCourse()
    for frame in 0..<60 {
      let time = Double(frame) / 30
      course.add(Self.stepping(1.7, at: time), at: time, aspectRatio: 1)
    }
    var signs = try #require(course.signs())
    func steps(_ posture: HumanBodyPosture) -> Double { posture[.walking] + posture[.running] }
    signs.stepRate = nil
    let unknown = model.posture(signs)
    for (rate, runs) in [(Float(1.6), false), (1.9, false), (2.3, true), (2.7, true)] {
      signs.stepRate = rate
      let posture = model.posture(signs)
      #expect((posture[.running] > posture[.walking]) == runs, "\(rate)")
      #expect(abs(steps(posture) - steps(unknown)) < 1e-9)
      #expect(posture[.standing] == unknown[.standing])
    }
  }

  @Test("a file that is no model of postures is refused with what to do")
  func file() throws {
    let folder = try TemporaryFolder()
    try Data("{}".utf8).write(to: folder.url("none.json"))
    let error = expectError(ActionError.self) {
      try PostureModel(contentsOf: folder.url("none.json"))
    }
    #expect(error?.message.contains("kinema bench postures --fit") == true)
  }
}
