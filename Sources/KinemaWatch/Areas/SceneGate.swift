package import KinemaPose
import KinemaVideo

/// Leaves out what is masked and who is too small.
package struct SceneGate: Hashable, Sendable {
  /// The least share of a person's joints outside of masks: who is mostly hidden is not seen.
  static let leastShare = 0.5

  package let areas: SourceAreas

  package init(areas: SourceAreas) { self.areas = areas }

  package func visible(_ poses: [Pose]) -> [Pose] {
    guard !areas.masks.isEmpty || areas.minimumHeight > 0 else { return poses }
    return poses.compactMap(visible)
  }

  private func visible(_ pose: Pose) -> Pose? {
    var pose = pose
    let count = pose.keypoints.values.count { $0.confidence >= JointPoint.leastConfidence }
    pose.keypoints = pose.keypoints.filter { _, joint in
      !areas.masks.contains { $0.contains(joint.position) }
    }
    let left = pose.keypoints.values.count { $0.confidence >= JointPoint.leastConfidence }
    guard left > 0, Double(left) >= Self.leastShare * Double(count) else { return nil }
    guard areas.minimumHeight > 0 else { return pose }
    guard let box = pose.boundingBox() else { return nil }
    // Who lies is as long as they are tall.
    let size = box.upperRight - box.lowerLeft
    return max(size.x, size.y) >= areas.minimumHeight ? pose : nil
  }
}
