import KinemaPose
import KinemaTracking

/// Interpolates tracks over short gaps while other people are visible or predicted, such as behind
/// another person.
///
/// Their joints are not confident. Tracks of few detections are not completed, since false ones are
/// short. A frame waits until all tracks have a detection again, for ``TrackingRules/occlusion`` at
/// most.
struct GapFiller {
  private static let rules = TrackingRules.bodies

  private let maximumPersonCount: Int
  private var waiting: [PosedFrame] = []
  /// The last poses with confident joints and the number of all, by id.
  private var last: [Int: (pose: Pose, time: Double, count: Int)] = [:]

  init(maximumPersonCount: Int) {
    self.maximumPersonCount = maximumPersonCount
  }

  /// Adds a frame.
  ///
  /// - Parameter limit: The largest number of frames that may wait.
  /// - Returns: The complete frames, in order.
  mutating func add(_ frame: PosedFrame, limit: Int) -> [PosedFrame] {
    let time = frame.time
    waiting.append(frame)
    let seen = frame.poses.filter { $0.chirality == nil && $0.isSeen }
    for pose in seen {
      guard let id = pose.personID else { continue }
      if let start = last[id], isCompleted(start, at: time) {
        fill(id, from: (start.pose, start.time), to: (pose, time))
      }
      last[id] = (pose, time, (last[id]?.count ?? 0) + 1)
    }
    last = last.filter { time - $0.value.time <= Self.rules.memory }
    let missing = last.values.filter { isCompleted($0, at: time) }.map(\.time).filter { $0 < time }
      .min()
    guard let missing, !frame.poses.isEmpty, waiting.count <= limit else { return finish() }
    let count = waiting.firstIndex { $0.time > missing } ?? waiting.count
    defer { waiting.removeFirst(count) }
    return Array(waiting.prefix(count))
  }

  /// Whether a track is interpolated up to a detection at a time.
  private func isCompleted(
    _ start: (pose: Pose, time: Double, count: Int), at time: Double
  ) -> Bool {
    start.count >= Self.rules.establishedCount && time - start.time <= Self.rules.occlusion
  }

  /// - Returns: The frames that wait.
  mutating func finish() -> [PosedFrame] {
    defer { waiting = [] }
    return waiting
  }

  private mutating func fill(
    _ id: Int, from start: (pose: Pose, time: Double), to end: (pose: Pose, time: Double)
  ) {
    for index in waiting.indices
    where waiting[index].time > start.time && waiting[index].time < end.time {
      guard waiting[index].poses.contains(where: { $0.personID != id }) else { continue }
      let share = Float((waiting[index].time - start.time) / (end.time - start.time))
      waiting[index].poses.removeAll { $0.personID == id }
      guard waiting[index].poses.count < maximumPersonCount else { continue }
      waiting[index].poses.append(start.pose.interpolated(to: end.pose, share: share))
      waiting[index].sortPoses()
    }
  }
}

extension PosedFrame {
  /// Orders the poses by id.
  mutating func sortPoses() {
    poses.sort { ($0.personID ?? .max) < ($1.personID ?? .max) }
  }
}

extension Pose {
  /// Whether a joint is confident; occluded people have none.
  var isSeen: Bool { boundingBox() != nil }

  /// A pose between this one and another, without confident joints.
  fileprivate func interpolated(to other: Pose, share: Float) -> Pose {
    var pose = self
    for (key, point) in keypoints {
      let end = other.keypoints[key]?.position ?? point.position
      pose.keypoints[key]?.position = point.position + (end - point.position) * share
    }
    pose.confidence = min(confidence, other.confidence)
    return pose.inferred
  }

  /// The same pose without confident joints.
  var inferred: Pose {
    var pose = self
    for (key, point) in keypoints {
      pose.keypoints[key]?.confidence = min(point.confidence, Self.outsideConfidence)
    }
    pose.confidence *= BodyLandmarks.inferredShare
    return pose
  }
}
