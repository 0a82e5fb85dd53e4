import KinemaPose
import KinemaSynth
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("PoseFailure")
struct PoseFailureTests {
  private static let joints = JointKey.body
  private static let frameCount = 60
  private static let missing = SIMD3<Float>(0, 1, 0)

  /// Two seconds of squats, from the front.
  private static let window: [SIMD3<Float>] = {
    let session = SyntheticSession([.motion(.squats, repetitions: 2)], seed: 3)
    let viewpoint = Viewpoint.framing(session, aspectRatio: 1)
    let poses = session.poses(frameRate: 30, from: viewpoint, aspectRatio: 1).prefix(frameCount)
    return points(poses.flatMap { $0.poses[0].multiArray() })
  }()

  /// x, y and confidence of all joints, frame by frame.
  private static func points(_ values: [Float]) -> [SIMD3<Float>] {
    let count = joints.count
    return (0..<values.count / 3).map { index in
      let start = index / count * 3 * count + index % count
      return SIMD3(values[start], values[start + count], values[start + 2 * count])
    }
  }

  private static func failed(
    _ failure: PoseFailure, dose: Float, seed: UInt64 = 1
  ) -> [SIMD3<Float>] {
    var generator = SeededGenerator(seed: seed)
    var values: [Float] = []
    for frame in 0..<frameCount {
      let row = window[frame * joints.count..<(frame + 1) * joints.count]
      values += row.map(\.x) + row.map(\.y) + row.map(\.z)
    }
    return points(failure.applied(to: values, joints: joints, dose: dose, using: &generator))
  }

  /// Joints that are missing in each frame; `nil` for a frame without a pose.
  private static func lost(_ points: [SIMD3<Float>]) -> [Set<JointKey>?] {
    (0..<frameCount).map { frame in
      let row = Array(points[frame * joints.count..<(frame + 1) * joints.count])
      guard row != Array(repeating: .zero, count: joints.count) else { return nil }
      return Set(joints.indices.filter { row[$0] == missing }.map { joints[$0] })
    }
  }

  /// The mean share of frames, or of joints, over people.
  private static func mean(_ share: (UInt64) -> Double) -> Double {
    (0..<40).map { share($0) }.reduce(0, +) / 40
  }

  @Test(
    "a dose of nothing changes nothing",
    arguments: [
      PoseFailure.noise, .gaps, .exchangedSides, .missingJoints, .blinkingJoints, .scatteredJoints,
    ])
  func nothing(_ failure: PoseFailure) {
    #expect(Self.failed(failure, dose: 0) == Self.window)
  }

  @Test("legs and arms are missing as wholes")
  func parts() {
    let legs: Set<JointKey> = [.leftKnee, .rightKnee, .leftAnkle, .rightAnkle]
    for (failure, dose, expected) in [
      (PoseFailure.missingLegs, Float(0.4), legs),
      (.missingLegs, 1, legs.union([.leftHip, .rightHip])),
      (.missingArms, 1, [.leftElbow, .rightElbow, .leftWrist, .rightWrist]),
    ] {
      #expect(Self.lost(Self.failed(failure, dose: dose)).allSatisfy { $0 == expected })
    }
  }

  @Test("the dose is the share of frames without a pose, or of joints, or of their time")
  func doses() {
    let size = Double(Self.frameCount * Self.joints.count)
    for dose in [0.1, 0.3, 0.5] {
      let gaps = Self.mean { seed in
        let lost = Self.lost(Self.failed(.gaps, dose: Float(dose), seed: seed))
        return Double(lost.count { $0 == nil }) / Double(Self.frameCount)
      }
      #expect(abs(gaps - dose) < 0.08, "\(gaps) of \(dose)")
      for failure in [PoseFailure.missingJoints, .blinkingJoints, .scatteredJoints] {
        let missing = Self.mean { seed in
          let lost = Self.lost(Self.failed(failure, dose: Float(dose), seed: seed))
          return lost.reduce(0) { $0 + Double($1?.count ?? 0) } / size
        }
        #expect(abs(missing - dose) < 0.06, "\(failure): \(missing) of \(dose)")
      }
    }
    // A joint that is missing stays so, or returns after a while, or at once.
    func changes(_ failure: PoseFailure) -> Int {
      let lost = Self.lost(Self.failed(failure, dose: 0.3)).map { $0 ?? [] }
      return zip(lost, lost.dropFirst()).reduce(0) { $0 + $1.0.symmetricDifference($1.1).count }
    }
    #expect(changes(.missingJoints) == 0)
    #expect(changes(.blinkingJoints) > 20)
    #expect(changes(.scatteredJoints) > 2 * changes(.blinkingJoints))
  }

  @Test("sides are exchanged for eight frames, and places stay")
  func sides() throws {
    let (left, right) = (
      try #require(Self.joints.firstIndex(of: .leftWrist)),
      try #require(Self.joints.firstIndex(of: .rightWrist))
    )
    var exchanged = 0
    for seed in 0..<10 {
      let points = Self.failed(.exchangedSides, dose: 0.27, seed: UInt64(seed))
      for frame in 0..<Self.frameCount {
        let (one, other) = (frame * Self.joints.count + left, frame * Self.joints.count + right)
        let isExchanged = points[one] == Self.window[other] && points[other] == Self.window[one]
        #expect(isExchanged || points[one] == Self.window[one])
        exchanged += isExchanged ? 1 : 0
      }
    }
    #expect((60...280).contains(exchanged))
  }

  @Test("legs that hang are straight below the hips, as long as the trunk allows, and still")
  func hanging() throws {
    let points = Self.failed(.hangingLegs, dose: 1)
    let place = { (joint: JointKey, frame: Int) in
      points[frame * Self.joints.count + (Self.joints.firstIndex(of: joint) ?? 0)]
    }
    let reach = place(.leftHip, 0) - place(.leftAnkle, 0)
    for frame in 0..<Self.frameCount {
      let leg = place(.leftHip, frame) - place(.leftAnkle, frame)
      #expect(leg.y > 0 && abs(leg.x - reach.x) < 1e-5 && abs(leg.y - reach.y) < 1e-5)
      #expect(place(.leftKnee, frame).y < place(.leftHip, frame).y)
      #expect(place(.leftShoulder, frame).z == Self.window[frame * 18 + 5].z)
    }
  }

  @Test("noise is as strong as the dose says, in sizes of the body")
  func noise() {
    let points = Self.failed(.noise, dose: 0.02)
    let places = Self.window.filter { $0.z > 0 }
    let height = (places.map(\.y).max() ?? 0) - (places.map(\.y).min() ?? 0)
    let squares = zip(points, Self.window).map { ($0.y - $1.y) * ($0.y - $1.y) }
    let deviation = (squares.reduce(0, +) / Float(squares.count)).squareRoot()
    #expect((0.6...1.2).contains(deviation / (0.02 * height)))
  }
}
