public import Foundation

/// Reduces jitter with a one-euro filter on each joint (Casiez, Roussel, Vogel, *1 € Filter*, CHI
/// 2012).
///
/// Slow movements lag by about 1 / (2π · cut-off) seconds. For drawing; classifiers expect
/// unfiltered poses.
public struct PoseSmoother: PoseFilter, Hashable {
  /// The cut-off frequency at rest, in hertz.
  public var minimumCutoff: Float
  /// The increase of the cut-off with speed, in hertz per body size (longest side of the trunk) per
  /// second.
  public var speedCoefficient: Float
  /// The cut-off frequency of the speed, in hertz.
  public var speedCutoff: Float
  private var memory = PersonMemory<Joints>(longestAbsence: longestGap)

  /// A person's history is dropped after a longer absence, in seconds.
  static let longestGap: TimeInterval = 0.5

  private struct Joints: Sendable {
    var filters: [JointKey: OneEuroFilter] = [:]
  }

  /// Creates a smoother; defaults are the paper's, 0.007 per pixel for a trunk of 500 pixels.
  public init(
    minimumCutoff: Float = 1, speedCoefficient: Float = 3.5, speedCutoff: Float = 1
  ) {
    precondition(
      minimumCutoff > 0 && speedCoefficient >= 0 && speedCutoff > 0,
      "The cut-off frequencies of a PoseSmoother must be above zero.")
    self.minimumCutoff = minimumCutoff
    self.speedCoefficient = speedCoefficient
    self.speedCutoff = speedCutoff
  }

  /// The poses of the next frame, smoothed.
  public mutating func filtered(_ poses: [Pose], at time: TimeInterval) -> [Pose] {
    let fresh = OneEuroFilter(
      minimumCutoff: minimumCutoff, speedCoefficient: speedCoefficient, speedCutoff: speedCutoff)
    return memory.changing(poses, at: time, first: Joints.init) { joints, pose in
      var pose = pose
      let size = pose.trunkSize ?? 1
      var filters: [JointKey: OneEuroFilter] = [:]
      for (key, point) in pose.keypoints where point.confidence > 0 {
        var filter = joints.filters[key] ?? fresh
        pose.keypoints[key]?.position = filter.smoothed(point.position, at: time, bodySize: size)
        filters[key] = filter
      }
      joints.filters = filters
      return pose
    }
  }

  /// Drops all history, for a new clip.
  public mutating func reset() { memory.removeAll() }

  /// Whether the parameters are equal.
  public static func == (left: PoseSmoother, right: PoseSmoother) -> Bool {
    left.minimumCutoff == right.minimumCutoff && left.speedCoefficient == right.speedCoefficient
      && left.speedCutoff == right.speedCutoff
  }

  /// Hashes the parameters.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(minimumCutoff)
    hasher.combine(speedCoefficient)
    hasher.combine(speedCutoff)
  }
}

extension Pose {
  /// The longest side of the trunk, or for a hand from wrist to the middle finger's base, in pose
  /// coordinates; `nil` if those joints are missing.
  var trunkSize: Float? { trunkSize(aspectRatio: 1) }

  /// The same in frame heights.
  func trunkSize(aspectRatio: Float) -> Float? {
    let sides: [(JointKey, JointKey)] = [
      (.leftShoulder, .leftHip), (.rightShoulder, .rightHip), (.leftShoulder, .rightShoulder),
      (.leftHip, .rightHip), (.wrist, .middleMCP),
    ]
    let lengths = sides.compactMap { side -> Float? in
      guard let start = keypoints[side.0], let end = keypoints[side.1], start.confidence > 0,
        end.confidence > 0
      else { return nil }
      let way = (end.position - start.position) * SIMD2(aspectRatio, 1)
      return (way * way).sum().squareRoot()
    }
    return lengths.max().flatMap { $0 > 1e-4 && $0.isFinite ? $0 : nil }
  }
}
