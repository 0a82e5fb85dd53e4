import KinemaPose
import KinemaSynth
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("PoseAugmentation")
struct PoseAugmentationTests {
  private static let joints = JointKey.body
  private static let frameSize = 3 * joints.count

  /// A second and a half of jumping jacks; a joint is never found, one now and then, and in five
  /// frames there is no person.
  private static let window: [Float] = {
    let session = SyntheticSession([.motion(.jumpingJacks, repetitions: 3)], seed: 3)
    let viewpoint = Viewpoint.framing(session, aspectRatio: 1)
    let poses = session.poses(frameRate: 30, from: viewpoint, aspectRatio: 1).prefix(45)
    return poses.enumerated().flatMap { index, frame -> [Float] in
      guard !(20..<25).contains(index) else { return Pose.empty.multiArray() }
      var pose = frame.poses[0]
      pose.keypoints[.rightWrist] = nil
      if index % 4 == 0 { pose.keypoints[.nose] = nil }
      return pose.multiArray()
    }
  }()

  private func varied(_ augmentation: PoseAugmentation, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return augmentation.applied(
      to: Self.window, joints: Self.joints, frameRate: 30, using: &generator)
  }

  /// x, y and confidence of a joint in a frame.
  private func joint(_ values: [Float], frame: Int, joint: Int) -> SIMD3<Float> {
    let start = frame * Self.frameSize + joint
    let count = Self.joints.count
    return SIMD3(values[start], values[start + count], values[start + 2 * count])
  }

  /// x, y and confidence of all joints, frame by frame.
  private func points(_ values: [Float]) -> [SIMD3<Float>] {
    (0..<45).flatMap { frame in
      Self.joints.indices.map { joint(values, frame: frame, joint: $0) }
    }
  }

  private static let missing = SIMD3<Float>(0, 1, 0)

  @Test("a stretched window's joints reach from edge to edge in every frame")
  func stretching() {
    var augmentation = PoseAugmentation.none
    augmentation.stretchProbability = 1
    let values = varied(augmentation, seed: 1)
    for frame in 0..<45 where !(20..<25).contains(frame) {
      let joints = Self.joints.indices.map { joint(values, frame: frame, joint: $0) }
      let found = joints.filter { $0.z > 0 }
      for axis in 0..<2 {
        let places = found.map { $0[axis] }
        #expect(abs((places.min() ?? 1) - 0) < 1e-6 && abs((places.max() ?? 0) - 1) < 1e-6)
      }
    }
  }

  @Test("the same generator gives the same window, another one another")
  func determinism() {
    #expect(varied(PoseAugmentation(), seed: 5) == varied(PoseAugmentation(), seed: 5))
    #expect(varied(PoseAugmentation(), seed: 5) != varied(PoseAugmentation(), seed: 6))
  }

  @Test("no augmentation leaves a window as it is")
  func identity() {
    for (value, original) in zip(varied(.none, seed: 1), Self.window) {
      #expect(abs(value - original) < 1e-5)
    }
  }

  @Test("however a window is varied, joints are found, missing or in an empty frame, nothing else")
  func invariants() {
    for seed in 0..<200 {
      let values = varied(PoseAugmentation(), seed: UInt64(seed))
      #expect(values.count == Self.window.count)
      #expect(values.allSatisfy { $0.isFinite })
      for frame in 0..<45 {
        let row = values[(frame * Self.frameSize)..<((frame + 1) * Self.frameSize)]
        guard row.contains(where: { $0 != 0 }) else { continue }
        for index in Self.joints.indices {
          let point = joint(values, frame: frame, joint: index)
          #expect(point.z > 0 && point.z <= 1 || point == Self.missing)
        }
      }
    }
  }

  @Test("a change of the view moves no joint that was not found, and no empty frame")
  func missingJointsStay() throws {
    var augmentation = PoseAugmentation.none
    augmentation.rotationDeviationDegrees = 20
    augmentation.shearDeviation = 0.3
    augmentation.logScale = -0.5...0.5
    augmentation.logAspect = -0.4...0.4
    augmentation.perspective = 0.25
    augmentation.horizontalShift = 0.25
    augmentation.driftDeviation = 0.05
    augmentation.biasDeviation = 0.05
    augmentation.maximumJitter = 0.02
    for seed in 0..<50 {
      let values = varied(augmentation, seed: UInt64(seed))
      for (before, after) in zip(points(Self.window), points(values)) {
        if before == Self.missing || before == .zero {
          #expect(after == before)
        } else {
          #expect(after != before && after.z == before.z)
        }
      }
    }
  }

  @Test("mirroring makes left right, and twice is as before")
  func mirror() throws {
    var augmentation = PoseAugmentation.none
    augmentation.mirrorProbability = 1
    var generator = SeededGenerator(seed: 1)
    let once = augmentation.applied(
      to: Self.window, joints: Self.joints, frameRate: 30, using: &generator)
    let left = try #require(Self.joints.firstIndex(of: .leftWrist))
    let right = try #require(Self.joints.firstIndex(of: .rightWrist))
    let before = joint(Self.window, frame: 10, joint: left)
    let after = joint(once, frame: 10, joint: right)
    #expect(abs(after.x - (1 - before.x)) < 1e-5 && abs(after.y - before.y) < 1e-5)
    #expect(joint(once, frame: 10, joint: left) == Self.missing)
    let twice = augmentation.applied(
      to: once, joints: Self.joints, frameRate: 30, using: &generator)
    for (value, original) in zip(twice, Self.window) { #expect(abs(value - original) < 1e-5) }
  }

  @Test("a moved person's centre stays within its bounds")
  func center() {
    var augmentation = PoseAugmentation.none
    augmentation.horizontalShift = 3
    augmentation.verticalShift = 3
    augmentation.centerBounds = 0.1...0.9
    for seed in 0..<50 {
      let values = varied(augmentation, seed: UInt64(seed))
      let found = points(values).filter { $0.z > 0 }
      let center = found.reduce(.zero, +) / Float(found.count)
      #expect((0.0999...0.9001).contains(center.x))
      #expect((0.0999...0.9001).contains(center.y))
    }
  }

  @Test("pauses, slow cameras and cuts keep the number of frames")
  func time() {
    var augmentation = PoseAugmentation.none
    augmentation.pauseProbability = 1
    augmentation.slowCameraProbability = 1
    augmentation.cutProbability = 1
    augmentation.lostFramesProbability = 1
    for seed in 0..<50 {
      let values = varied(augmentation, seed: UInt64(seed))
      #expect(values.count == Self.window.count)
      let original = Set((0..<45).map { frame(Self.window, $0) })
      for index in 0..<45 {
        let shown = frame(values, index)
        #expect(shown.allSatisfy { $0 == 0 } || original.contains { near($0, shown) })
      }
    }
  }

  private func frame(_ values: [Float], _ index: Int) -> [Float] {
    Array(values[(index * Self.frameSize)..<((index + 1) * Self.frameSize)])
  }

  private func near(_ first: [Float], _ second: [Float]) -> Bool {
    zip(first, second).allSatisfy { abs($0 - $1) < 1e-5 }
  }
}
