import Foundation

/// Runs what blocks on a thread of its own, so that the application's tasks keep theirs.
package func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
    thread.stackSize = 1 << 20
    thread.start()
  }
}
