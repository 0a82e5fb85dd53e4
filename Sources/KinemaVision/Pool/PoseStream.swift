package import Foundation
package import KinemaPose
package import KinemaVideo

/// A stream of frames whose people are followed by the threads of a ``PosePool``.
///
/// One frame at a time is looked at, in order; whichever thread is free does it. Frames come in one of
/// two ways: ``poses(in:at:)`` waits and loses none, ``offer(_:)`` keeps the newest that waits.
package final class PoseStream: Sendable {
  private let queue: PoseQueue
  // Guarded by the queue.
  private nonisolated(unsafe) let line: PoseQueue.Line

  init(queue: PoseQueue, maximumPersonCount: Int) {
    precondition(maximumPersonCount > 0, "At least one person must be followed.")
    self.queue = queue
    line = PoseQueue.Line(FollowedPeople(maximumPersonCount: maximumPersonCount))
  }

  /// The poses of the people in the next frame: those that ``HumanBodyPoseExtractor`` finds.
  ///
  /// - Parameters:
  ///   - frame: The frame, upright.
  ///   - time: When it is shown, in seconds; one that is earlier than the frame before begins a new
  ///     clip.
  /// - Throws: ``VisionError``; `CancellationError` where the pool has ended.
  package func poses(in frame: Frame, at time: TimeInterval) async throws -> [Pose] {
    try await perform { try $0.poses(in: frame, at: time) }
  }

  /// Does something when it is the stream's turn, before its newest frame and after what was asked for
  /// earlier.
  ///
  /// - Throws: What `body` throws; `CancellationError` where the pool has ended.
  package func perform<Result: Sendable>(
    _ body: @escaping @Sendable (inout PoseLook) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let isTaken = queue.add(
        { look in continuation.resume(with: Swift.Result { try body(&look) }) }, to: line)
      if !isTaken { continuation.resume(throwing: CancellationError()) }
    }
  }

  /// Has a frame looked at when it is the stream's turn, unless a newer one comes before.
  ///
  /// - Parameter look: What is done with the frame.
  /// - Returns: Whether an older frame, which still waited, is left out.
  @discardableResult
  package func offer(_ look: @escaping @Sendable (inout PoseLook) -> Void) -> Bool {
    queue.replaceNewest(of: line, by: look)
  }
}
