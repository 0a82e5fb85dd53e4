import Glibc

/// Threads for blocking calls, which must not run on the threads of tasks.
package enum BlockingThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  package static func start(_ body: @escaping @Sendable () -> Void) throws(VideoError) {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { argument in
        if let argument {
          Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      }, work.toOpaque())
    guard status == 0 else {
      work.release()
      throw VideoError(.outOfResources, MessageText("noThread"))
    }
    pthread_detach(thread)
  }

  /// Lets the calling thread run where threads of normal priority leave time, until it ends.
  package static func lowerPriority() {
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, backgroundNiceness)
  }

  /// A thread of it gets a tenth of the time of one of niceness 0 (`sched(7)`).
  private static let backgroundNiceness: Int32 = 10

  /// Runs `body` on its own thread and awaits the result.
  package static func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R
  {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try start { continuation.resume(with: Result(catching: body)) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// The same with FFmpeg's interruption when the task is cancelled; throws `CancellationError` then,
  /// whatever the interrupted body reports.
  static func runInterruptibly<R: Sendable>(
    _ body: @escaping @Sendable (InterruptCallback) throws -> R
  ) async throws -> R {
    let interruption = InterruptCallback()
    do {
      let result = try await withTaskCancellationHandler {
        try await run { try body(interruption) }
      } onCancel: {
        interruption.cancel()
      }
      try Task.checkCancellation()
      return result
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }
}
