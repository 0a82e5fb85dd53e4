public import Foundation

/// The poses of everybody in a video, frame by frame.
public struct PoseSequence: Hashable, Sendable {
  /// The poses of one frame.
  public struct Frame: Hashable, Sendable {
    /// The presentation time in seconds.
    public var time: TimeInterval
    /// The poses of the people in the frame.
    public var poses: [Pose]

    /// Creates a frame.
    public init(time: TimeInterval, poses: [Pose]) {
      self.time = time
      self.poses = poses
    }
  }

  /// The frames, oldest first.
  public var frames: [Frame]
  /// The joints of each pose: ``JointKey/body`` or ``JointKey/hand``.
  public var joints: [JointKey]

  /// Creates a sequence of poses.
  public init(frames: [Frame] = [], joints: [JointKey] = JointKey.body) {
    self.frames = frames
    self.joints = joints
  }

  /// The ids of all people, in the order in which they appear.
  public var personIDs: [Int] {
    var seen: Set<Int> = []
    return frames.flatMap(\.poses).compactMap(\.personID).filter { seen.insert($0).inserted }
  }
}

// MARK: - Files

extension PoseSequence {
  /// The formats of pose files.
  public enum Format: String, CaseIterable, Sendable {
    /// A NumPy archive: `poses` `[frames, persons, 3, joints]`, `times` `[frames]`, `ids`
    /// `[persons]`; for hands also `hands` `[frames, persons]`, −1 for left, 1 for right, 0 where it
    /// is not known.
    case npz
    /// JSON Lines: one object a frame.
    case jsonl
  }

  /// The format that the name of a file promises, if it is one of a pose file.
  public static func format(of url: URL) -> Format? {
    Format(rawValue: url.pathExtension.lowercased())
  }

  /// Reads a pose file; its name says which format it has.
  ///
  /// - Throws: ``PoseError`` where the file is missing, not a pose file, or damaged.
  public init(contentsOf url: URL) throws {
    switch Self.format(of: url) {
    case .npz: self = try Self(archiveAt: url)
    case .jsonl: self = try Self(linesAt: url)
    case nil:
      throw PoseError(
        .malformed,
        "\(url.path) is not a pose file; poses are read from files named .npz or .jsonl.")
    }
  }

  /// Writes a pose file, whole or not at all; its name says which format it gets.
  ///
  /// - Throws: ``PoseError`` where the file cannot be written.
  public func write(to url: URL) throws {
    switch Self.format(of: url) {
    case .npz: try writeArchive(to: url)
    case .jsonl: try writeLines(to: url)
    case nil:
      throw PoseError(
        .writingFailed,
        "\(url.path) names no format for poses; use a name that ends in .npz or .jsonl.")
    }
  }
}
