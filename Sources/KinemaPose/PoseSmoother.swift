package import Foundation

/// Reduces jitter with a one-euro filter on each joint (Casiez, Roussel, Vogel, *1 € Filter*, CHI
/// 2012).
///
/// Slow movements lag by about 1 / (2π · cut-off) seconds. For drawing; classifiers expect
/// unfiltered poses.
package struct PoseSmoother: Sendable {
  /// A person's history is dropped after a longer absence, in seconds.
  static let longestGap: TimeInterval = 0.5
  /// The paper's cut-off at rest in hertz, and its increase of 0.007 per pixel for a trunk of 500
  /// pixels, in hertz per body size (longest side of the trunk) per second.
  private static let fresh = OneEuroFilter(minimumCutoff: 1, speedCoefficient: 3.5)

  private var memory = PersonMemory<[JointKey: OneEuroFilter]>(longestAbsence: longestGap)

  package init() {}

  /// The poses of the next frame, smoothed.
  package mutating func filtered(_ poses: [Pose], at time: TimeInterval) -> [Pose] {
    memory.changing(poses, at: time, first: { [:] }) { known, pose in
      var pose = pose
      let size = pose.trunkSize ?? 1
      var filters: [JointKey: OneEuroFilter] = [:]
      for (key, point) in pose.keypoints where point.confidence > 0 {
        var filter = known[key] ?? Self.fresh
        pose.keypoints[key]?.position = filter.smoothed(point.position, at: time, bodySize: size)
        filters[key] = filter
      }
      known = filters
      return pose
    }
  }

  /// Drops all history, for a new clip.
  package mutating func reset() { memory.removeAll() }
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
