import Synchronization

/// Passes frames from the task that processes them to the reader, with a limit to how many wait.
final class FrameOutput<Frame: Sendable>: Sendable {
  private let frames: AsyncThrowingStream<Frame, any Error>
  private let continuation: AsyncThrowingStream<Frame, any Error>.Continuation
  private let semaphore: PrioritySemaphore?
  private let isClosed = Atomic(false)

  /// - Parameter capacity: How many frames wait at most; `nil` for no limit.
  init(capacity: Int?) {
    (frames, continuation) = AsyncThrowingStream.makeStream()
    semaphore = capacity.map(PrioritySemaphore.init)
  }

  /// Sends a frame when there is room.
  ///
  /// - Parameters:
  ///   - readingSemaphore: While the task waits, its place there is free for others.
  ///   - rank: The rank of the task.
  /// - Throws: `CancellationError` without a reader.
  func send(
    _ frame: Frame, pausing readingSemaphore: PrioritySemaphore? = nil,
    rank: PosePool.Rank = .live
  ) async throws {
    if let semaphore, !semaphore.acquireNow() {
      readingSemaphore?.release()
      await semaphore.acquire(rank)
      await readingSemaphore?.acquire(rank)
    }
    guard !isClosed.load(ordering: .relaxed) else { throw CancellationError() }
    continuation.yield(frame)
  }

  /// Ends the frames, after those that wait.
  func finish(_ error: (any Error)? = nil) {
    continuation.finish(throwing: error)
  }

  /// The next frame, for one reader; `nil` at the end.
  func next() async throws -> Frame? {
    var iterator = frames.makeAsyncIterator()
    let frame = try await iterator.next()
    if frame != nil { semaphore?.release() }
    return frame
  }

  /// The reader has gone: the sending task stops.
  func close() {
    isClosed.store(true, ordering: .relaxed)
    semaphore?.release()
  }
}
