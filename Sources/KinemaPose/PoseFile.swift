package import Foundation
package import KinemaErrors
import KinemaFiles

/// The poses of a file, packed, with the time of each frame.
///
/// Readers of all formats add frames here, where the limits of a pose file are checked, before
/// memory is taken.
package struct PoseFile: Sendable {
  /// What is wrong with a frame, as the end of a sentence.
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  /// What holds where a file does not say it.
  package struct Defaults: Sendable {
    /// The width and height of the pictures in square pixels.
    package var size: (width: Int, height: Int)?
    /// Frames a second, for frames without times; ``ForeignPoses/defaultFrameRate`` where it is `nil`.
    package var frameRate: Double?

    package init(size: (width: Int, height: Int)? = nil, frameRate: Double? = nil) {
      (self.size, self.frameRate) = (size, frameRate)
    }
  }

  /// 38 hours at 30 frames a second.
  static let largestFrameCount = 1 << 22
  /// The people of a frame, and the ids of a file.
  package static let largestPersonCount = 1 << 16
  /// The poses of all frames: 18 hours of one person at 30 frames a second, 450 MB packed.
  static let largestPoseCount = 2_000_000
  /// In seconds, either side of 0: seconds since 1970 pass for three centuries, and a `Double`
  /// resolves 2 µs.
  static let largestTime = 1e10
  /// A side of a frame, in pixels.
  static let largestSide = 1 << 20

  /// The time of each frame in seconds, never decreasing.
  package private(set) var times: [TimeInterval] = []
  /// The width and height of each frame in square pixels; 0 where they are not known.
  private var sizes: [SIMD2<Int32>] = []
  /// The poses of each frame.
  package private(set) var poses: PackedPoses
  package var joints: [JointKey] { poses.joints }
  /// What was assumed in reading the file.
  package internal(set) var notes: [MessageText] = []
  private let defaults: Defaults

  init(joints: [JointKey], defaults: Defaults) {
    poses = PackedPoses(joints: joints)
    self.defaults = defaults
  }

  /// Whether a file is read as poses: by the extension of Kinema's own formats, by its content otherwise.
  package static func isReadable(_ url: URL) -> Bool {
    PoseSequence.format(of: url) != nil || ForeignFormat(of: url) != nil
  }

  /// Makes the poses those of hands, as long as no joint of a body was added.
  mutating func useHands() throws(Malformed) {
    guard poses.values.allSatisfy(\.isNaN) else {
      throw Malformed(description: "it has joints of a body and of a hand")
    }
    var hands = PackedPoses(joints: JointKey.hand)
    (hands.counts, hands.ids, hands.sides) = (poses.counts, poses.ids, poses.sides)
    hands.confidences = poses.confidences
    hands.values = Array(repeating: .nan, count: 3 * JointKey.hand.count * poses.ids.count)
    poses = hands
  }

  /// Reads a pose file in the format of its extension, or of another tool; throws ``PoseError``.
  package init(contentsOf url: URL, defaults: Defaults = Defaults()) throws {
    let foreign =
      switch PoseSequence.format(of: url) {
      case .npz: ForeignFormat(ofArchiveAt: url)
      case .jsonl: ForeignFormat?.none
      case nil: ForeignFormat(of: url)
      }
    if let foreign {
      self = try foreign.read(url, defaults: defaults)
      return
    }
    do {
      switch PoseSequence.format(of: url) {
      case .npz: self = try Self(archiveAt: url, defaults: defaults)
      case .jsonl: self = try Self(linesAt: url, defaults: defaults)
      case nil: throw PoseError(.malformed, MessageText("notPoseFile", ["file": url.path]))
      }
    } catch let error as PoseError where error.code == .malformed {
      guard let kind = FileKind(contentsOf: url), ![.numPyArchive, .json].contains(kind) else {
        throw error
      }
      throw PoseError(.malformed, kind.refusal(of: url.path, expected: .poses), cause: error)
    }
  }

  /// All frames.
  var sequence: PoseSequence {
    var firstPose = 0
    let frames = times.indices.map { frame($0, firstPose: &firstPose) }
    return PoseSequence(frames: frames, joints: joints)
  }

  /// A frame.
  ///
  /// - Parameter firstPose: The number of its first pose, then that of the next frame.
  package func frame(_ index: Int, firstPose: inout Int) -> PoseSequence.Frame {
    PoseSequence.Frame(
      time: times[index], poses: poses.poses(ofFrame: index, firstPose: &firstPose),
      size: size(of: index))
  }

  /// The size of a frame in square pixels, if it is known.
  package func size(of index: Int) -> CGSize? {
    guard sizes.indices.contains(index), sizes[index] != .zero else {
      return defaults.size.map { CGSize(width: $0.width, height: $0.height) }
    }
    return CGSize(width: Double(sizes[index].x), height: Double(sizes[index].y))
  }

  static func check(frameCount: Int, personCount: Int) throws(Malformed) {
    guard frameCount <= largestFrameCount else {
      throw Malformed(
        description: "it has over \(largestFrameCount) frames; split it into several files")
    }
    guard personCount <= largestPersonCount else {
      throw Malformed(description: "it has over \(largestPersonCount) persons")
    }
  }

  /// Adds a frame without poses.
  ///
  /// - Parameter size: Its width and height in square pixels; none, or zeros, where they are not known.
  mutating func append(time: TimeInterval, size: [Int] = []) throws(Malformed) {
    try Self.check(frameCount: times.count + 1, personCount: 0)
    guard time.isFinite, time >= times.last ?? -.infinity else {
      throw Malformed(description: "its times decrease or are not numbers")
    }
    guard time.magnitude <= Self.largestTime else {
      throw Malformed(description: "its time \(time) is over 10 billion seconds")
    }
    let isKnown = !size.allSatisfy { $0 == 0 }
    guard !isKnown || size.count == 2 && size.allSatisfy((1...Self.largestSide).contains) else {
      throw Malformed(
        description:
          "its size \(size) is not a width and a height of 1 to \(Self.largestSide) pixels")
    }
    times.append(time)
    sizes.append(isKnown ? SIMD2(Int32(size[0]), Int32(size[1])) : .zero)
    poses.append([])
  }

  /// Adds a pose to the last frame, as the rows x, y, confidence.
  mutating func append(
    rows: ArraySlice<Float>, id: Int, side: Int32, landmarks: [Float]? = nil
  ) throws(Malformed) {
    try checkRoom()
    poses.append(rows: rows, id: id, side: side, landmarks: landmarks)
  }

  /// Adds a pose to the last frame.
  mutating func append(_ pose: Pose) throws(Malformed) {
    try checkRoom()
    poses.append(pose)
  }

  static func check(poseCount: Int) throws(Malformed) {
    guard poseCount <= largestPoseCount else {
      throw Malformed(
        description: "it has over \(largestPoseCount) poses; split it into several files")
    }
  }

  private func checkRoom() throws(Malformed) {
    try Self.check(poseCount: poses.ids.count + 1)
    try Self.check(frameCount: 0, personCount: Int(poses.counts.last ?? 0) + 1)
  }
}
