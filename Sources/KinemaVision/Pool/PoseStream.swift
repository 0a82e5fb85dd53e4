package import Foundation
package import KinemaPose
package import KinemaVideo

/// A stream of frames processed by a ``PosePool``.
///
/// One frame at a time is processed, in order. ``poses(in:at:)`` waits and drops no frame,
/// ``offer(_:)`` holds only the newest waiting frame.
package final class PoseStream: Sendable {
  private let queue: PoseQueue
  // Guarded by the queue.
  private nonisolated(unsafe) let flow: PoseQueue.Flow

  init(queue: PoseQueue, finder: PoseFinder, rank: PosePool.Rank, weight: Double) {
    self.queue = queue
    flow = PoseQueue.Flow(finder, rank: rank, weight: weight)
  }

  /// The poses in the next frame: those that ``HumanBodyPoseExtractor`` or
  /// ``HumanHandPoseExtractor`` finds.
  ///
  /// - Parameters:
  ///   - frame: The frame, upright.
  ///   - time: Its time in seconds; one before that of the frame before begins a new clip.
  ///   - otherMotion: See ``PoseFinder/poses(in:at:otherMotion:)``.
  /// - Throws: ``VisionError``; `CancellationError` where the pool has ended.
  package func poses(
    in frame: Frame, at time: TimeInterval, otherMotion: OtherMotion = .unknown
  ) async throws -> [Pose] {
    try await perform { try $0.poses(in: frame, at: time, otherMotion: otherMotion) }
  }

  /// Runs a job in the stream's turn, before its newest frame and after earlier jobs.
  ///
  /// - Throws: What `body` throws; `CancellationError` where the pool has ended.
  package func perform<Result: Sendable>(
    _ body: @escaping @Sendable (inout PoseFinder) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let isTaken = queue.add(
        { finder in continuation.resume(with: Swift.Result { try body(&finder) }) }, to: flow)
      if !isTaken { continuation.resume(throwing: CancellationError()) }
    }
  }

  /// Runs a job for a frame in the stream's turn, unless a newer frame comes before.
  ///
  /// - Parameter body: Processes the frame.
  /// - Returns: Whether an older frame, which was still waiting, is dropped.
  @discardableResult
  package func offer(_ body: @escaping @Sendable (inout PoseFinder) -> Void) -> Bool {
    queue.replaceNewest(of: flow, by: body)
  }
}
