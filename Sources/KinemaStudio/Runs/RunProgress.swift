import Foundation
import KinemaTraining
import Synchronization

/// How far the present phase of a run has come.
package struct RunProgress: Hashable, Sendable {
  /// The completed share of the phase, 0…1.
  package var fraction = 0.0
  /// The remaining time of the phase in seconds, if known.
  package var secondsLeft: Double?

  package init(fraction: Double = 0, secondsLeft: Double? = nil) {
    (self.fraction, self.secondsLeft) = (fraction, secondsLeft)
  }

  /// That of a run without a turn: of all its epochs.
  init(of record: RunRecord) {
    let done = Double(record.history.last?.iteration ?? 0)
    fraction = record.state == .done ? 1 : done / Double(max(1, record.iterationCount))
  }
}

/// A run under way, as it is at this moment.
final class RunMonitor: Sendable {
  struct Value {
    var record: RunRecord
    var progress = RunProgress()
    var session: ActionClassifierTrainingSession?
  }

  private let value: Mutex<Value>

  init(_ record: RunRecord) { value = Mutex(Value(record: record)) }

  var now: Value { value.withLock { $0 } }

  /// Changes it; gives the record as it is then.
  @discardableResult
  func update(_ change: (inout Value) -> Void) -> RunRecord {
    value.withLock {
      change(&$0)
      return $0.record
    }
  }
}
