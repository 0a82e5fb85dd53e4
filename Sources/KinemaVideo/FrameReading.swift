import Dispatch
import KinemaStreams
import Synchronization

/// One pass over frames that a thread decodes; stops when released.
///
/// Without demand the thread is a few frames ahead of the reader; with it, each frame is decoded when it is
/// asked for, at a time before which frames are not needed.
final class FrameReading: Sendable {
  private static let queueCapacity = 3

  private let queue: FrameQueue<TemporalFeature<Frame>>
  private let demand: FrameDemand?
  private let interruption: InterruptCallback

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - capacity: Largest number of frames decoded ahead, if less than usual.
  ///   - decode: Passes on frames until there are no more, `push` is `false`, or `nextTime`, the time in ticks
  ///     before which no frame is needed, is `nil`.
  init(
    capacity: Int = queueCapacity, demand: FrameDemand? = nil, interruption: InterruptCallback,
    decode:
      @escaping @Sendable (
        _ nextTime: () -> Int?, _ push: (TemporalFeature<Frame>) -> Bool
      ) throws -> Void
  ) {
    let queue = FrameQueue<TemporalFeature<Frame>>(capacity: min(capacity, Self.queueCapacity))
    self.queue = queue
    self.demand = demand
    self.interruption = interruption
    do {
      try BlockingThread.start {
        queue.finish(
          Result { try decode({ demand.map { $0.wait() } ?? .min }, queue.push) })
      }
    } catch {
      queue.finish(.failure(error))
    }
  }

  deinit {
    cancel()
    queue.cancel()
  }

  /// The next frame that is not before a time in ticks, where there is demand.
  func next(from time: Int) async throws -> TemporalFeature<Frame>? {
    do {
      demand?.ask(from: time)
      return try await queue.pop()
    } catch {
      cancel()
      throw error
    }
  }

  private func cancel() {
    interruption.cancel()
    demand?.cancel()
  }
}

/// What a reader asks of a thread that decodes: frames, one at a time.
final class FrameDemand: Sendable {
  /// The time that is asked for; `nil` when nothing more is.
  private let time = Mutex<Int?>(.min)
  /// Counts the frames that are asked for, and one more when there are no more.
  private let requests = DispatchSemaphore(value: 0)

  func ask(from time: Int) {
    self.time.withLock { known in
      if known != nil { known = time }
    }
    requests.signal()
  }

  func cancel() {
    time.withLock { $0 = nil }
    requests.signal()
  }

  /// Waits until a frame is asked for; its earliest time in ticks, `nil` where no more are.
  func wait() -> Int? {
    requests.wait()
    return time.withLock { $0 }
  }
}
