import Foundation
import KinemaPose
import KinemaStreams
import KinemaVideo

/// All frames of a video with their poses, packed; what a cache keeps of it gives back equal
/// frames.
struct PosedVideo: Sendable {
  private static let names = ["ranges", "sizes", "counts", "ids", "hands", "confidences", "poses"]

  /// The speed of the camera in frame widths a second.
  var cameraSpeed = 0.0
  /// The damage of the file, as sentences.
  var warnings: [String] = []
  private let joints: [JointKey]
  /// The first tick of each frame and the one after its last.
  private var ranges: [Double] = []
  /// The width and height of each frame.
  private var sizes: [Int32] = []
  private var counts: [Int32] = []
  /// Of each pose: its id, or 0.
  private var ids: [Int32] = []
  /// The side of each pose: −1 left hand, 1 right hand, 0 unknown.
  private var hands: [Int32] = []
  private var confidences: [Float] = []
  /// Of each pose: x, y and confidence of each joint; not a number for a joint that is not there.
  private var values: [Float] = []

  init(joints: [JointKey]) { self.joints = joints }

  var count: Int { counts.count }

  mutating func append(_ frame: PosedFrame) {
    ranges += [Double(frame.id.range.lowerBound), Double(frame.id.range.upperBound)]
    sizes += [Int32(clamping: frame.size?.width ?? 0), Int32(clamping: frame.size?.height ?? 0)]
    counts.append(Int32(clamping: frame.poses.count))
    for pose in frame.poses {
      ids.append(Int32(clamping: pose.personID ?? 0))
      hands.append(pose.chirality.map { $0 == .left ? -1 : 1 } ?? 0)
      confidences.append(pose.confidence)
      for key in joints {
        let point = pose.keypoints[key]
        values.append(point?.position.x ?? .nan)
        values.append(point?.position.y ?? .nan)
        values.append(point?.confidence ?? .nan)
      }
    }
  }

  /// Gives a frame.
  ///
  /// - Parameter firstPose: The number of its first pose, then that of the next frame.
  func frame(_ index: Int, firstPose: inout Int, of source: String) -> PosedFrame {
    let poses = firstPose..<firstPose + Int(counts[index])
    firstPose = poses.upperBound
    return PosedFrame(
      id: TemporalSegmentIdentifier(
        source: source, range: Int(ranges[2 * index])..<Int(ranges[2 * index + 1]),
        timescale: AsyncFrames.timescale),
      size: (Int(sizes[2 * index]), Int(sizes[2 * index + 1])), poses: poses.map(pose))
  }

  private func pose(_ index: Int) -> Pose {
    var points: [JointKey: JointPoint] = [:]
    for (number, key) in joints.enumerated() {
      let start = 3 * (index * joints.count + number)
      guard !values[start].isNaN else { continue }
      points[key] = JointPoint(
        key, position: SIMD2(values[start], values[start + 1]), confidence: values[start + 2])
    }
    return Pose(
      from: points, confidence: confidences[index],
      personID: ids[index] > 0 ? Int(ids[index]) : nil,
      chirality: hands[index] == 0 ? nil : hands[index] < 0 ? .left : .right)
  }

  // MARK: - Files

  func archive() throws -> Data {
    try NumPyArchive.data(of: [
      ("ranges", NumPyArray(ranges, shape: [count, 2])),
      ("sizes", NumPyArray(sizes, shape: [count, 2])),
      ("counts", NumPyArray(counts, shape: [count])),
      ("ids", NumPyArray(ids, shape: [ids.count])),
      ("hands", NumPyArray(hands, shape: [hands.count])),
      ("confidences", NumPyArray(confidences, shape: [confidences.count])),
      ("poses", NumPyArray(values, shape: [ids.count, joints.count, 3])),
    ])
  }

  /// Reads an archive; `nil` where it is not one of these joints.
  init?(archiveAt url: URL, joints: [JointKey]) {
    guard let arrays = try? NumPyArchive.read(Self.names, at: url.path),
      Self.names.allSatisfy({ arrays[$0] != nil })
    else { return nil }
    self.joints = joints
    func integers(_ name: String) -> [Int32] {
      arrays[name]?.integers.map { Int32(clamping: $0) } ?? []
    }
    ranges = arrays["ranges"]?.doubles ?? []
    (sizes, counts) = (integers("sizes"), integers("counts"))
    (ids, hands) = (integers("ids"), integers("hands"))
    confidences = arrays["confidences"]?.floats ?? []
    values = arrays["poses"]?.floats ?? []
    let poseCount = counts.reduce(0) { $0 + Int($1) }
    guard counts.allSatisfy({ $0 >= 0 }), ranges.count == 2 * counts.count,
      ranges.allSatisfy({ $0.magnitude < 1e15 }), sizes.count == 2 * counts.count,
      counts.indices.allSatisfy({ ranges[2 * $0] <= ranges[2 * $0 + 1] }),
      [ids.count, hands.count, confidences.count].allSatisfy({ $0 == poseCount }),
      values.count == 3 * joints.count * poseCount
    else { return nil }
  }
}
