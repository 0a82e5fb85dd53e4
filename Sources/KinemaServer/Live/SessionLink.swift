import Foundation
import KinemaAction
import KinemaVideo

/// What the parts of a session share and hold for moments only.
///
/// These are its connection, its settings as its client knows them, and what is counted for its
/// statistics.
struct SessionLink: Sendable {
  /// The client's connection; `nil` while it is broken.
  var socket: (any WebSocket)?
  /// Which connection it is; earlier ones have nothing to say.
  var connection = 0
  /// Which source it is; pictures of earlier ones are not looked at.
  var epoch = 0
  var source = SourceChoice(kind: .browser)
  /// The server's own source, and the number under which it gives pictures to the session.
  var subscription: (source: SharedSource, number: Int)?
  var settings = SessionSettings()
  var model: ModelDescription?
  /// The model, whether it is wanted at present or not.
  var classifier: ActionClassifier?
  var historyID: Int?
  var recorder: SessionRecorder?
  var recordingCount = 0
  /// Whether the session is over for good.
  var isEnded = false
  /// When the connection broke, on the server's clock; `nil` while there is one.
  var detachedAt: TimeInterval?

  /// How many messages in a row were nonsense.
  var faultCount = 0
  /// When an error of the analysis was last told, on the server's clock.
  var lastErrorTime = -TimeInterval.infinity
  var serverSequence: UInt32 = 0
  /// How many pictures the server's own source dropped, by its own count; `nil` before its first.
  var sourceDroppedCount: Int?

  /// How many pictures were left out, here or by the server's own source.
  var droppedCount = 0
  /// How many of them the source left out.
  var lostCount = 0
  var arrivedCount = 0
  /// How many were looked at, whether that went well or not.
  var processedCount = 0
  var analysedCount = 0
  var latencies = LatencyWindow()
  /// The counts at the last statistics, and when those were.
  var counted = (arrived: 0, analysed: 0, time: ProcessInfo.processInfo.systemUptime)
  /// What the client sees, in milliseconds.
  var reported: (p50: Double?, p95: Double?)

  /// The pictures a second that arrived and that were looked at since this was last asked.
  mutating func takeRates(at now: TimeInterval) -> (arrived: Double, analysed: Double) {
    let passed = max(now - counted.time, 1e-3)
    defer { counted = (arrivedCount, analysedCount, now) }
    return (
      Double(arrivedCount - counted.arrived) / passed,
      Double(analysedCount - counted.analysed) / passed
    )
  }
}
