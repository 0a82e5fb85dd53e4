import KinemaDepth
package import KinemaPose

/// The joints of one person over time, smoothed, in undistorted coordinates.
///
/// Observed from poses, angles are also those of the body in space (``KinemaDepth/BodyLifter``), and distances
/// along the line of sight are inferred from the limbs' lengths (``BodyLengths``); made of places in space,
/// everything is exact.
package struct BodyTrack: Sendable {
  package struct Frame: Sendable {
    /// The presentation time in seconds.
    package let time: Double
    /// The places of all ``BodyJoint``s: heights of the picture, or metres; y up.
    var places: [SIMD3<Float>]
    var confidences: [Float]
    /// The angles of the body in space, where they are known.
    var angles: [BodyAngle: LiftedBody.Angle] = [:]
  }

  package private(set) var frames: [Frame]
  /// Whether places are known in space.
  let isExact: Bool

  /// The confidence from which a joint is measured.
  static let leastConfidence: Float = 0.5
  /// Half the time over which places are averaged, in seconds.
  static let smoothing = 0.07

  /// Creates a track of what a pose network found.
  ///
  /// - Parameters:
  ///   - poses: The person's poses; `nil` where they are not visible.
  ///   - aspectRatio: The picture's width divided by its height.
  ///   - measured: The time in which angles are measured; `nil` for all of it.
  package init(
    _ poses: [(time: Double, pose: Pose?)], aspectRatio: Float = 1,
    measured: ClosedRange<Double>? = nil
  ) {
    let raw = poses.map { time, pose in
      var frame = Frame(
        time: time, places: [SIMD3<Float>](repeating: .zero, count: BodyJoint.count),
        confidences: [Float](repeating: 0, count: BodyJoint.count))
      for joint in BodyJoint.allCases {
        guard let point = pose?.keypoints[joint.key], point.position.x.isFinite,
          point.position.y.isFinite, point.confidence > 0
        else { continue }
        frame.places[joint] = SIMD3(point.position.x * aspectRatio, point.position.y, 0)
        frame.confidences[joint] = point.confidence
      }
      return frame
    }
    frames = Self.smoothed(raw)
    isExact = false
    lift(poses, aspectRatio, in: measured ?? -.infinity...(.infinity))
  }

  /// Estimates the angles in space during a time.
  private mutating func lift(
    _ poses: [(time: Double, pose: Pose?)], _ aspectRatio: Float, in measured: ClosedRange<Double>
  ) {
    guard let lifter = BodyLifter.builtIn else { return }
    let seen = poses.indices.filter { poses[$0].pose != nil }
    let windows = seen.map { LiftWindow.Frame(poses[$0].pose ?? .empty, time: poses[$0].time) }
    for (number, index) in seen.enumerated() where measured.contains(poses[index].time) {
      let body = lifter.body(at: number, in: windows, aspectRatio: aspectRatio)
      frames[index].angles = body?.angles ?? [:]
    }
  }

  /// Creates a track of known places in space, `[frame][joint]` in the order of ``JointKey/body``.
  package init(_ places: [(time: Double, places: [SIMD3<Float>])]) {
    frames = places.map {
      Frame(
        time: $0.time, places: $0.places,
        confidences: [Float](repeating: 1, count: BodyJoint.count))
    }
    isExact = true
  }

  /// The frames of a stretch of time.
  func indices(from start: Double, to end: Double) -> Range<Int> {
    let first = frames.firstIndex { $0.time >= start } ?? frames.count
    let last = frames.lastIndex { $0.time <= end } ?? -1
    return first..<max(first, last + 1)
  }

  private static func smoothed(_ raw: [Frame]) -> [Frame] {
    var low = 0
    return raw.indices.map { index in
      var frame = raw[index]
      while raw[low].time < frame.time - smoothing { low += 1 }
      for joint in BodyJoint.allCases where frame.confidences[joint] > 0 {
        var (sum, weights) = (SIMD3<Float>.zero, Float(0))
        for other in raw[low...].prefix(while: { $0.time <= frame.time + smoothing }) {
          let distance = Float(abs(other.time - frame.time) / smoothing)
          let weight = other.confidences[joint] * (1 - 0.7 * distance)
          sum += other.places[joint] * weight
          weights += weight
        }
        if weights > 0 { frame.places[joint] = sum / weights }
      }
      return frame
    }
  }
}

extension BodyTrack.Frame {
  /// Where a joint is, or the middle of those of a pair that are visible; `nil` where it is hidden.
  func place(_ joint: Joint) -> SIMD3<Float>? {
    let visible = joint.members.filter { confidences[$0] >= BodyTrack.leastConfidence }
    guard !visible.isEmpty else { return nil }
    return visible.reduce(SIMD3<Float>.zero) { $0 + places[$1] } / Float(visible.count)
  }
}

/// Right or left, as the person's own.
package enum Side: String, CaseIterable, Sendable { case right, left }

/// A joint of a side, or the middle of both.
enum Joint: Hashable, Sendable {
  case shoulder(Side), elbow(Side), wrist(Side), hip(Side), knee(Side), ankle(Side)
  case shoulders, hips, ankles

  /// The joint, or both.
  var members: [BodyJoint] {
    switch self {
    case .shoulder(let side): [side == .right ? .rightShoulder : .leftShoulder]
    case .elbow(let side): [side == .right ? .rightElbow : .leftElbow]
    case .wrist(let side): [side == .right ? .rightWrist : .leftWrist]
    case .hip(let side): [side == .right ? .rightHip : .leftHip]
    case .knee(let side): [side == .right ? .rightKnee : .leftKnee]
    case .ankle(let side): [side == .right ? .rightAnkle : .leftAnkle]
    case .shoulders: [.rightShoulder, .leftShoulder]
    case .hips: [.rightHip, .leftHip]
    case .ankles: [.rightAnkle, .leftAnkle]
    }
  }
}
