import KinemaStreams

/// One pass over frames that a thread decodes, a few ahead of the reader; stops when released.
final class FrameReading: Sendable {
  private static let queueCapacity = 3

  private let queue: FrameQueue<TemporalFeature<Frame>>
  private let interruption: InterruptCallback

  /// Starts the thread; `decode` passes on frames until there are no more or `push` is `false`.
  ///
  /// - Parameter capacity: Largest number of frames decoded ahead, if less than usual.
  init(
    capacity: Int = queueCapacity, interruption: InterruptCallback,
    decode: @escaping @Sendable (_ push: (TemporalFeature<Frame>) -> Bool) throws -> Void
  ) {
    let queue = FrameQueue<TemporalFeature<Frame>>(capacity: min(capacity, Self.queueCapacity))
    self.queue = queue
    self.interruption = interruption
    do {
      try BlockingThread.start { queue.finish(Result { try decode(queue.push) }) }
    } catch {
      queue.finish(.failure(error))
    }
  }

  deinit {
    interruption.cancel()
    queue.cancel()
  }

  func next() async throws -> TemporalFeature<Frame>? {
    do {
      return try await queue.pop()
    } catch {
      interruption.cancel()
      throw error
    }
  }
}
