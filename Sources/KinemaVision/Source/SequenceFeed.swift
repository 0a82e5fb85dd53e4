import Foundation
import KinemaPose
import KinemaStreams
import KinemaVideo
import Synchronization

/// The frames of a pose file, or the one of an image.
final class SequenceFeed: FrameSource.Feed {
  let cameraSpeed: Double? = nil
  let estimatedFrameCount: Int?
  let warnings: [String] = []
  private let frames: Mutex<(rest: ArraySlice<PoseSequence.Frame>, picture: PosedFrame?)>
  private let thinning: Mutex<FrameThinning>
  private let source: String
  private let count = Atomic(0)

  var processedCount: Int { count.load(ordering: .relaxed) }

  /// - Throws: `PoseError` where the file cannot be read or holds other joints than the subject's.
  init(poseFile url: URL, options: FrameSource.Options) throws {
    let sequence = try PoseSequence(contentsOf: url)
    let subject = options.subject
    guard sequence.joints == subject.joints || sequence.frames.allSatisfy(\.poses.isEmpty) else {
      throw PoseError(
        .malformed,
        "\(url.path) has poses of \(sequence.joints.count) joints, where those of "
          + "\(subject.name) with \(subject.joints.count) are needed.")
    }
    source = url.path
    estimatedFrameCount = sequence.frames.count
    frames = Mutex((sequence.frames[...], nil))
    thinning = Mutex(FrameThinning(rate: options.rate))
  }

  /// - Throws: ``VideoError`` if the file is not an image, ``VisionError``.
  init(picture url: URL, options: FrameSource.Options, pool: PosePool, number: Int) async throws {
    let rank = PosePool.Rank(source: number)
    await pool.readingPlaces.take(rank)
    defer { pool.readingPlaces.giveBack() }
    try Task.checkCancellation()
    let frame = try await BlockingThread.run { try Frame(contentsOf: url) }
    let poses = try await pool.makeStream(options.subject, rank: rank).perform {
      try $0.poses(inStill: frame)
    }
    let id = TemporalSegmentIdentifier(source: url.path, range: 0..<1, timescale: 1)
    source = url.path
    estimatedFrameCount = 1
    frames = Mutex(
      (
        [],
        PosedFrame(
          TemporalFeature(id: id, feature: frame), poses: poses,
          keepsPicture: options.wantsPictures)
      ))
    thinning = Mutex(FrameThinning(rate: nil))
  }

  func next() -> PosedFrame? {
    let next: PosedFrame? = frames.withLock { frames in
      if let picture = frames.picture {
        frames.picture = nil
        return picture
      }
      while let frame = frames.rest.popFirst() {
        if thinning.withLock({ $0.keeps(frame.time) }) { return PosedFrame(frame, of: source) }
      }
      return nil
    }
    if next != nil { count.add(1, ordering: .relaxed) }
    return next
  }

  func stop() {
    frames.withLock { $0 = ([], nil) }
  }

  func cancel() {}
}
