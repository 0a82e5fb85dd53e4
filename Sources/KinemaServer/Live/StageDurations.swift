import Foundation

package struct StageDurations: Sendable {
  /// A stage from a frame's arrival to the answer.
  enum Stage: String, CaseIterable, Sendable {
    /// Waiting for a thread.
    case queue
    case decoding
    /// Finding people.
    case poses
    /// Saying what they do.
    case classification
    case counting
    /// Encoding the frame of a source of the server.
    case encoding
    /// Everything, from arrival to answer.
    case total
  }

  private(set) var seconds: [Stage: TimeInterval] = [:]

  package init() {}

  mutating func add(_ stage: Stage, seconds duration: TimeInterval) {
    seconds[stage, default: 0] += duration
  }

  mutating func measure<Result>(
    _ stage: Stage, _ body: () throws -> Result
  ) rethrows -> Result {
    let start = ProcessInfo.processInfo.systemUptime
    defer { add(stage, seconds: ProcessInfo.processInfo.systemUptime - start) }
    return try body()
  }
}
