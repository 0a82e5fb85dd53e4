import Foundation
import KinemaPose
import KinemaStreams
import KinemaVideo

/// All frames of a video with their poses, packed; what a cache keeps of it gives back equal
/// frames.
struct PosedVideo: Sendable {
  private static let names = ["ranges", "sizes", "counts", "ids", "hands", "confidences", "poses"]
  /// The array that is there if a pose has landmarks.
  private static let landmarks = "landmarks"

  /// The speed of the camera in frame widths a second.
  var cameraSpeed = 0.0
  /// The damage of the file, as sentences.
  var warnings: [String] = []
  private var poses: PackedPoses
  /// The first tick of each frame and the one after its last.
  private var ranges: [Double] = []
  /// The width and height of each frame.
  private var sizes: [Int32] = []

  init(joints: [JointKey]) { poses = PackedPoses(joints: joints) }

  var count: Int { poses.counts.count }

  mutating func append(_ frame: PosedFrame) {
    ranges += [Double(frame.id.range.lowerBound), Double(frame.id.range.upperBound)]
    sizes += [Int32(clamping: frame.size?.width ?? 0), Int32(clamping: frame.size?.height ?? 0)]
    poses.append(frame.poses)
  }

  /// Gives a frame.
  ///
  /// - Parameter firstPose: The number of its first pose, then that of the next frame.
  func frame(_ index: Int, firstPose: inout Int, of source: String) -> PosedFrame {
    PosedFrame(
      id: TemporalSegmentIdentifier(
        source: source, range: Int(ranges[2 * index])..<Int(ranges[2 * index + 1]),
        timescale: AsyncFrames.timescale),
      size: (Int(sizes[2 * index]), Int(sizes[2 * index + 1])),
      poses: poses.poses(ofFrame: index, firstPose: &firstPose))
  }

  // MARK: - Files

  func archive() throws -> Data {
    let poseCount = poses.ids.count
    // An id of 0 stands for none.
    let ids = poses.ids.map { Int32(clamping: max(0, $0)) }
    var arrays = [
      ("ranges", NumPyArray(ranges, shape: [count, 2])),
      ("sizes", NumPyArray(sizes, shape: [count, 2])),
      ("counts", NumPyArray(poses.counts, shape: [count])),
      ("ids", NumPyArray(ids, shape: [poseCount])),
      ("hands", NumPyArray(poses.sides, shape: [poseCount])),
      ("confidences", NumPyArray(poses.confidences, shape: [poseCount])),
      ("poses", NumPyArray(poses.values, shape: [poseCount, poses.joints.count, 3])),
    ]
    if !poses.landmarks.isEmpty {
      let shape = [poseCount, PackedPoses.landmarkValueCount]
      arrays.append((Self.landmarks, NumPyArray(poses.landmarks, shape: shape)))
    }
    return try NumPyArchive.data(of: arrays)
  }

  /// Reads an archive; `nil` where it is not one of these joints.
  init?(archiveAt url: URL, joints: [JointKey]) {
    guard let arrays = try? NumPyArchive.read(Self.names + [Self.landmarks], at: url.path),
      Self.names.allSatisfy({ arrays[$0] != nil })
    else { return nil }
    func integers(_ name: String) -> [Int32] {
      arrays[name]?.integers.map { Int32(clamping: $0) } ?? []
    }
    poses = PackedPoses(joints: joints)
    poses.counts = integers("counts")
    poses.ids = integers("ids").map { $0 > 0 ? Int($0) : PackedPoses.noID }
    poses.sides = integers("hands")
    poses.confidences = arrays["confidences"]?.floats ?? []
    poses.values = arrays["poses"]?.floats ?? []
    poses.landmarks = arrays[Self.landmarks]?.floats ?? []
    ranges = arrays["ranges"]?.doubles ?? []
    sizes = integers("sizes")
    let poseCount = poses.counts.reduce(0) { $0 + Int($1) }
    guard poses.counts.allSatisfy({ $0 >= 0 }), ranges.count == 2 * count,
      ranges.allSatisfy({ $0.magnitude < 1e15 }), sizes.count == 2 * count,
      (0..<count).allSatisfy({ ranges[2 * $0] <= ranges[2 * $0 + 1] }),
      [poses.ids.count, poses.sides.count, poses.confidences.count].allSatisfy({ $0 == poseCount }),
      poses.values.count == 3 * joints.count * poseCount,
      [0, PackedPoses.landmarkValueCount * poseCount].contains(poses.landmarks.count)
    else { return nil }
  }
}
