import Synchronization

/// Does work that a polite request to end (Ctrl-C) stops taking in more, and lets finish.
func endingOnRequest<Result: Sendable>(
  _ work: @escaping @Sendable (_ stop: StopRequest) async throws -> Result
) async throws -> Result {
  let stop = StopRequest()
  let task = Task { try await work(stop) }
  return try await withTaskCancellationHandler {
    try await task.value
  } onCancel: {
    stop.request()
  }
}

final class StopRequest: Sendable {
  private let handler = Mutex<(isRequested: Bool, body: (@Sendable () -> Void)?)>((false, nil))

  /// Runs `body` at the request, or now if that was made.
  func whenRequested(_ body: @escaping @Sendable () -> Void) {
    let isLate = handler.withLock { state in
      state.body = body
      return state.isRequested
    }
    if isLate { body() }
  }

  func request() {
    let body = handler.withLock { state in
      state.isRequested = true
      return state.body
    }
    body?()
  }
}
