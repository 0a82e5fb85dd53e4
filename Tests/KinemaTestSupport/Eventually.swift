import Foundation

/// Waits, on a thread that may be blocked, until a condition holds.
///
/// - Returns: Whether it held within the time; it is asked at least once.
@discardableResult
package func eventually(
  within seconds: Double = 600, every interval: Double = 0.02, _ condition: () throws -> Bool
) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(seconds)
  while try !condition() {
    guard ContinuousClock.now < end else { return false }
    Thread.sleep(forTimeInterval: interval)
  }
  return true
}

/// Waits until a condition holds, other tasks going on meanwhile.
///
/// - Returns: Whether it held within the time; it is asked at least once.
@discardableResult
package func waitUntil(
  within seconds: Double = 600, every interval: Double = 0.02,
  _ condition: () async throws -> Bool
) async throws -> Bool {
  let end = ContinuousClock.now + .seconds(seconds)
  while try await !condition() {
    guard ContinuousClock.now < end else { return false }
    try await Task.sleep(for: .seconds(interval))
  }
  return true
}
