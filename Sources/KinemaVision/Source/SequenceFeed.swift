import Foundation
import KinemaPose
import KinemaStreams
import KinemaVideo
import Synchronization

/// The frames of a pose file, or the one of an image.
final class SequenceFeed: FrameSource.Feed {
  private struct State {
    /// The pose file, unpacked frame by frame.
    var file: PoseFile?
    /// The next frame of the file.
    var index = 0
    /// The number of its first pose.
    var firstPose = 0
    /// The frame of an image.
    var picture: PosedFrame?
  }

  let cameraSpeed: Double? = nil
  let estimatedFrameCount: Int?
  let warnings: [String]
  private let state: Mutex<State>
  private let thinning: Mutex<FrameThinning>
  private let source: String
  /// Tracks the people of a pose file without ids.
  private let tracker: PoseTracker?
  private let count = Atomic(0)

  var processedCount: Int { count.load(ordering: .relaxed) }

  /// - Throws: `PoseError` where the file cannot be read or holds other joints than the subject's.
  init(poseFile url: URL, options: FrameSource.Options) throws {
    let file = try PoseFile(contentsOf: url, defaults: options.poseFile)
    let subject = options.subject
    guard file.joints == subject.joints || file.poses.ids.isEmpty else {
      throw PoseError(
        .malformed,
        "\(url.path) has poses of \(file.joints.count) joints, where those of "
          + "\(subject.name) with \(subject.joints.count) are needed.",
        text: MessageText("otherJoints", ["file": url.path]))
    }
    source = url.path
    let size = file.times.indices.lazy.compactMap(file.size).first
    let aspectRatio = options.aspectRatio ?? size.map { Float($0.width / $0.height) }
    let isWithoutShape = aspectRatio == nil && !file.poses.ids.isEmpty
    warnings = (file.notes + (isWithoutShape ? [MessageText("noFrameSize")] : [])).map(\.sentence)
    tracker =
      file.poses.ids.contains(PackedPoses.noID) ? PoseTracker(aspectRatio: aspectRatio ?? 1) : nil
    estimatedFrameCount = file.times.count
    state = Mutex(State(file: file))
    // The poses are there already.
    thinning = Mutex(FrameThinning(rate: options.rate == .auto ? .all : options.rate))
  }

  /// - Throws: ``VideoError`` if the file is not an image, ``VisionError``.
  init(picture url: URL, options: FrameSource.Options, pool: PosePool, number: Int) async throws {
    let rank = PosePool.Rank(source: number)
    await pool.readingSemaphore.acquire(rank)
    defer { pool.readingSemaphore.release() }
    try Task.checkCancellation()
    let frame = try await BlockingThread.run { try Frame(contentsOf: url) }
    let poses = try await pool.makeStream(options.subject, rank: rank).perform {
      try $0.poses(inStill: frame)
    }
    let id = TemporalSegmentIdentifier(source: url.path, range: 0..<1, timescale: 1)
    source = url.path
    warnings = []
    tracker = nil
    estimatedFrameCount = 1
    let picture = PosedFrame(
      TemporalFeature(id: id, feature: frame), poses: poses, keepsPicture: options.wantsPictures)
    state = Mutex(State(picture: picture))
    thinning = Mutex(FrameThinning(rate: .all))
  }

  func next() -> PosedFrame? {
    let next: PosedFrame? = state.withLock { state in
      if let picture = state.picture {
        state.picture = nil
        return picture
      }
      while let file = state.file, state.index < file.times.count {
        var frame = file.frame(state.index, firstPose: &state.firstPose)
        state.index += 1
        if let tracker {
          frame.poses = tracker.identified(frame.poses, of: source, at: frame.time)
        }
        if thinning.withLock({ $0.keeps(frame.time) }) { return PosedFrame(frame, of: source) }
      }
      return nil
    }
    if next != nil { count.add(1, ordering: .relaxed) }
    return next
  }

  func stop() {
    state.withLock { $0 = State() }
  }

  func cancel() {}
}
