import Foundation
import Synchronization

final class LiveMetrics: Sendable {
  /// Durations in buckets, as Prometheus takes them.
  struct Histogram: Sendable {
    /// The upper ends of the buckets, in seconds.
    static let bounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]

    var counts = [Int](repeating: 0, count: bounds.count)
    var count = 0
    var sum = 0.0

    mutating func add(_ seconds: Double) {
      count += 1
      sum += seconds
      for (index, bound) in Self.bounds.enumerated() where seconds <= bound { counts[index] += 1 }
    }
  }

  struct Values: Sendable {
    var analysedCount = 0
    var droppedCount = 0
    var refusalCount = 0
    var reconnectCount = 0
    var replacedAnswerCount = 0
    var errorCount = 0
    /// When a frame was processed last, on the clock since the start of the system, in seconds.
    var analysedAt = -Double.infinity
    var stages: [StageDurations.Stage: Histogram] = [:]
  }

  private let state = Mutex(Values())

  func update(_ body: (inout Values) -> Void) { state.withLock { body(&$0) } }

  func add(_ durations: StageDurations) {
    state.withLock { values in
      values.analysedCount += 1
      values.analysedAt = ProcessInfo.processInfo.systemUptime
      for (stage, seconds) in durations.seconds {
        values.stages[stage, default: Histogram()].add(seconds)
      }
    }
  }

  var values: Values { state.withLock { $0 } }
}
