/// The poses of many frames, packed: a tenth of the memory of ``Pose`` values, in the order in which
/// they were added.
package struct PackedPoses: Sendable {
  /// Stands for the id of a pose without one.
  package static let noID = Int.min

  package let joints: [JointKey]
  /// Of each frame: how many poses it has.
  package var counts: [Int32] = []
  /// Of each pose: its id, or ``noID``.
  package var ids: [Int] = []
  /// The side of each pose: −1 left hand, 1 right hand, 0 unknown.
  package var sides: [Int32] = []
  package var confidences: [Float] = []
  /// Of each pose: x, y and confidence of each joint; not a number for a joint that is not there.
  package var values: [Float] = []
  /// Of each pose: the values of each of the 33 landmarks; empty if no pose has any.
  ///
  /// They are x, y, z, visibility, presence, and x, y, z in metres; not numbers for a pose without
  /// landmarks.
  package var landmarks: [Float] = []

  /// The values of a pose's landmarks.
  package static let landmarkValueCount = JointKey.landmarks.count * PoseLandmark.valueCount

  package init(joints: [JointKey]) { self.joints = joints }

  /// Adds a frame with its poses.
  package mutating func append(_ poses: [Pose]) {
    counts.append(0)
    for pose in poses { append(pose) }
  }

  /// Adds a pose to the last frame.
  mutating func append(_ pose: Pose) {
    counts[counts.count - 1] += 1
    ids.append(pose.personID ?? Self.noID)
    sides.append(pose.chirality?.number ?? 0)
    confidences.append(pose.confidence)
    for key in joints {
      let point = pose.keypoints[key]
      values.append(point?.position.x ?? .nan)
      values.append(point?.position.y ?? .nan)
      values.append(point?.confidence ?? .nan)
    }
    append(landmarks: pose.landmarks?.flatMap(\.values))
  }

  /// Adds the landmarks of the pose that was added last.
  mutating func append(landmarks added: [Float]?) {
    guard added != nil || !landmarks.isEmpty else { return }
    let known = (ids.count - 1) * Self.landmarkValueCount
    landmarks += Array(repeating: .nan, count: known - landmarks.count)
    landmarks += added ?? Array(repeating: .nan, count: Self.landmarkValueCount)
  }

  /// Adds a pose to the last frame as the rows x, y, confidence of a classifier's input.
  mutating func append(
    rows: ArraySlice<Float>, id: Int, side: Int32, landmarks: [Float]? = nil
  ) {
    let count = joints.count
    counts[counts.count - 1] += 1
    ids.append(id)
    sides.append(side)
    for start in rows.startIndex..<rows.startIndex + count {
      values.append(rows[start])
      values.append(rows[start + count])
      values.append(rows[start + 2 * count])
    }
    confidences.append(rows.suffix(count).reduce(0, max))
    append(landmarks: landmarks)
  }

  /// The poses of a frame.
  ///
  /// - Parameter firstPose: The number of its first pose, then that of the next frame.
  package func poses(ofFrame index: Int, firstPose: inout Int) -> [Pose] {
    let poses = firstPose..<firstPose + Int(counts[index])
    firstPose = poses.upperBound
    return poses.map(pose)
  }

  private func pose(_ index: Int) -> Pose {
    var points: [JointKey: JointPoint] = [:]
    for (number, key) in joints.enumerated() {
      let start = 3 * (index * joints.count + number)
      guard !values[start].isNaN else { continue }
      points[key] = JointPoint(
        key, position: SIMD2(values[start], values[start + 1]), confidence: values[start + 2])
    }
    var pose = Pose(
      from: points, confidence: confidences[index],
      personID: ids[index] == Self.noID ? nil : ids[index],
      chirality: Chirality(number: sides[index]))
    pose.landmarks = landmarks(of: index)
    return pose
  }

  private func landmarks(of index: Int) -> [PoseLandmark]? {
    let first = index * Self.landmarkValueCount
    guard first < landmarks.count, !landmarks[first].isNaN else { return nil }
    return stride(from: first, to: first + Self.landmarkValueCount, by: PoseLandmark.valueCount)
      .map { PoseLandmark(values: landmarks[$0..<$0 + PoseLandmark.valueCount]) }
  }
}

extension Chirality {
  /// The number for a side in arrays, as in Vision: −1 left, 1 right, 0 unknown.
  var number: Int32 { self == .left ? -1 : 1 }

  init?(number: Int32) {
    switch number {
    case -1: self = .left
    case 1: self = .right
    default: return nil
    }
  }
}
