package import KinemaPose

package struct HardPoseFigures {
  var sequenceCount = 0
  private var frameCount = 0
  package private(set) var foundCount = 0
  package private(set) var strangerCount = 0
  /// The first frame with the person, for each sequence with one.
  package private(set) var firstFrames: [Int] = []
  /// The error of each joint in the frame, in heights of the trunk.
  private var errors: [Float] = []
  private var wrongSideCount = 0

  package init() {}

  mutating func add(_ other: HardPoseFigures) {
    sequenceCount += other.sequenceCount
    frameCount += other.frameCount
    foundCount += other.foundCount
    strangerCount += other.strangerCount
    firstFrames += other.firstFrames
    errors += other.errors
    wrongSideCount += other.wrongSideCount
  }

  package mutating func add(_ poses: [Pose], truth: Pose, index: Int) {
    frameCount += 1
    let trunk = Self.trunk(of: truth)
    let best = poses.min { Self.error($0, truth) < Self.error($1, truth) }
    guard let best, Self.error(best, truth) < 2 * trunk else {
      strangerCount += poses.count
      return
    }
    strangerCount += poses.count - 1
    foundCount += 1
    if firstFrames.isEmpty { firstFrames = [index] }
    let inside = truth.keypoints.values.filter {
      (0...1).contains($0.position.x) && (0...1).contains($0.position.y)
    }
    errors += inside.compactMap { point in
      best.keypoints[point.key].map { Self.distance($0.position, point.position) / trunk }
    }
    let straight = Self.sides(best, truth, exchanged: false)
    if Self.sides(best, truth, exchanged: true) < 0.6 * straight, straight > 0.3 * trunk {
      wrongSideCount += 1
    }
  }

  package var found: Double { share(foundCount) }
  /// False positives, a frame.
  package var strangers: Double { share(strangerCount) }
  /// The share of frames with left and right exchanged.
  package var exchanged: Double { share(wrongSideCount) }
  /// The median error of joints, as a share of the trunk.
  package var medianError: Float { errors.isEmpty ? 0 : errors.sorted()[errors.count / 2] }
  /// The mean error of joints, as a share of the trunk.
  package var meanError: Float { errors.reduce(0, +) / Float(max(1, errors.count)) }

  private func share(_ count: Int) -> Double { Double(count) / Double(max(1, frameCount)) }

  private static func distance(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float {
    let way = (a - b) * SIMD2(4 / 3, 1)
    return (way * way).sum().squareRoot()
  }

  private static func trunk(of pose: Pose) -> Float {
    let lengths: [Float] = [(JointKey.leftShoulder, JointKey.leftHip), (.rightShoulder, .rightHip)]
      .compactMap { side in
        guard let a = pose.keypoints[side.0], let b = pose.keypoints[side.1] else { return nil }
        return distance(a.position, b.position)
      }
    return max(lengths.max() ?? 0, 1e-3)
  }

  private static func error(_ pose: Pose, _ truth: Pose) -> Float {
    let distances = truth.keypoints.values.compactMap { point in
      pose.keypoints[point.key].map { distance($0.position, point.position) }
    }
    return distances.isEmpty
      ? .infinity : distances.reduce(0, +) / Float(distances.count)
  }

  private static func sides(_ pose: Pose, _ truth: Pose, exchanged: Bool) -> Float {
    var total: Float = 0
    for name in ["Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle"] {
      for (side, other) in [("left", "right"), ("right", "left")] {
        let found = pose.keypoints[JointKey(rawValue: (exchanged ? other : side) + name)]
        let expected = truth.keypoints[JointKey(rawValue: side + name)]
        guard let found, let expected else { continue }
        total += distance(found.position, expected.position) / 12
      }
    }
    return total
  }
}
