public import Foundation

/// Calms the trembling of joints with a filter that follows fast movements at once.
///
/// Each joint of each person goes through a one-euro filter (Casiez, Roussel, Vogel, *1 € Filter*,
/// CHI 2012) in both directions: a low-pass filter of the first order whose cut-off frequency rises
/// with speed. Confidences stay as they are. Slow movements lag: by about 1 / (2π · cut-off) seconds.
/// It is meant for drawing; classifiers are given poses as they were found.
public struct PoseSmoother: PoseFilter, Hashable {
  /// The cut-off frequency at rest, in hertz; lower is calmer and later.
  public var minimumCutoff: Float
  /// How fast the cut-off frequency rises with speed, in hertz for each body size a second, the
  /// body's size being the longest of the trunk's sides; higher is quicker and trembles more.
  public var speedCoefficient: Float
  /// The cut-off frequency of the speed, in hertz.
  public var speedCutoff: Float
  private var memory = PersonMemory<Joints>(longestAbsence: longestGap)

  /// After a longer time without a person, in seconds, nothing is carried over.
  static let longestGap: TimeInterval = 0.5

  private struct Joints: Sendable {
    var filters: [JointKey: OneEuroFilter] = [:]
  }

  /// Creates a smoother.
  ///
  /// - Parameters:
  ///   - minimumCutoff: The cut-off frequency at rest, in hertz; the paper's 1 by default.
  ///   - speedCoefficient: How fast it rises, in hertz for each body size a second; the default is the
  ///     paper's 0.007 a pixel for a trunk of 500 pixels.
  ///   - speedCutoff: The cut-off frequency of the speed, in hertz; the paper's 1 by default.
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

  /// The poses of the next frame, with their joints calmed.
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

  /// Forgets everybody, for a new clip.
  public mutating func reset() { memory.forgetAll() }

  /// Whether both smooth alike, whatever they have seen.
  public static func == (left: PoseSmoother, right: PoseSmoother) -> Bool {
    left.minimumCutoff == right.minimumCutoff && left.speedCoefficient == right.speedCoefficient
      && left.speedCutoff == right.speedCutoff
  }

  /// Hashes how it smooths.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(minimumCutoff)
    hasher.combine(speedCoefficient)
    hasher.combine(speedCutoff)
  }
}

extension Pose {
  /// The longest of the trunk's sides, or for a hand from the wrist to the middle finger's base, in
  /// normalised coordinates; `nil` where those joints are missing.
  var trunkSize: Float? { trunkSize(aspectRatio: 1) }

  /// The same, in heights of the picture.
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
