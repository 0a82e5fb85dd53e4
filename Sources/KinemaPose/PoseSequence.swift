public import Foundation
import KinemaFiles

/// The poses of a video, frame by frame.
public struct PoseSequence: Hashable, Sendable {
  /// The poses of one frame.
  public struct Frame: Hashable, Sendable {
    /// The presentation time in seconds.
    public var time: TimeInterval
    /// The poses of the people in the frame.
    public var poses: [Pose]
    /// The width and height of the upright frame in square pixels; `nil` where they are not known, as
    /// in files of earlier versions.
    public var size: CGSize?

    /// Creates a frame.
    public init(time: TimeInterval, poses: [Pose], size: CGSize? = nil) {
      self.time = time
      self.poses = poses
      self.size = size
    }

    /// Feeds the frame into a hasher: `CGSize` is hashable from Swift 6.2's Foundation on only.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(time)
      hasher.combine(poses)
      hasher.combine(size?.width)
      hasher.combine(size?.height)
    }

    /// The size in whole pixels, if it is known and one of a picture.
    package var pixels: (width: Int, height: Int)? {
      guard let size, let width = Int(exactly: size.width.rounded()),
        let height = Int(exactly: size.height.rounded()), width > 0, height > 0
      else { return nil }
      return (width, height)
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
}

// MARK: - Files

extension PoseSequence {
  /// The formats of pose files.
  public enum Format: String, CaseIterable, Sendable {
    /// A NumPy archive: `poses` `[frames, persons, 3, joints]`, `times` `[frames]`, `ids`
    /// `[persons]`; `size` `[2]`, the frame's width and height in square pixels, or `[frames, 2]` where
    /// they change; for hands also `hands` `[frames, persons]`: −1 left, 1 right, 0 unknown.
    case npz
    /// JSON Lines: one object per frame.
    case jsonl
  }

  /// The format of a pose file by its extension, or `nil`.
  public static func format(of url: URL) -> Format? {
    Format(rawValue: url.pathExtension.lowercased())
  }

  /// Reads a pose file in the format of its extension, or one of another tool, known by its content
  /// (docs/formats.md): up to 4,194,304 frames and 2,000,000 poses, of up to 65,536 people, at times that do
  /// not decrease, within 10¹⁰ seconds of 0.
  ///
  /// - Parameters:
  ///   - url: The file; of OpenPose its folder.
  ///   - size: The width and height of the pictures in square pixels, where the file does not say it.
  ///   - frameRate: Frames a second, where the file has no times; 30 otherwise.
  /// - Throws: ``PoseError`` if the file is missing, not a pose file, or damaged, or has places in pixels of
  ///   pictures whose size is not known.
  public init(contentsOf url: URL, size: CGSize? = nil, frameRate: Double? = nil) throws {
    let pixels = Frame(time: 0, poses: [], size: size).pixels
    self = try PoseFile(
      contentsOf: url, defaults: .init(size: pixels, frameRate: frameRate)
    ).sequence
  }

  /// Writes a pose file atomically in the format of its extension.
  ///
  /// - Throws: ``PoseError`` if the file cannot be written.
  public func write(to url: URL) throws {
    guard let format = Self.format(of: url) else {
      throw PoseError(
        .writingFailed,
        "\(url.path) names no format for poses; use a name that ends in .npz or .jsonl.")
    }
    do {
      try WholeFile.write(data(in: format), to: url)
    } catch {
      throw PoseError(.writingFailed, "\(error)", cause: error)
    }
  }

  /// The bytes of a pose file.
  package func data(in format: Format) throws -> Data {
    switch format {
    case .npz: try archive()
    case .jsonl: lines()
    }
  }
}
