import Foundation
import KinemaVideo

/// What the server says in text, but for frames; see `docs/live-protocol.md`.
protocol ServerMessage: Encodable, Sendable {}

extension ServerMessage {
  /// The message as it is sent.
  var webSocketMessage: WebSocketMessage {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // What cannot be encoded holds a number that is not finite, which none of the messages does.
    return .text(String(decoding: (try? encoder.encode(self)) ?? Data("{}".utf8), as: UTF8.self))
  }
}

/// The session as it is set up.
struct ReadyMessage: ServerMessage {
  let type = "ready"
  var session: String
  var historyID: Nullable<Int>
  var model: Nullable<ModelDescription>
  /// What the camera should be asked for, in pictures a second.
  var frameRate: Double
  var source: SourceChoice
  var settings: SessionSettings
}

/// What was done so far.
struct SummaryMessage: ServerMessage, Hashable {
  let type = "summary"
  var duration: Double
  var entries: [SummaryEntry]
  var timeline: [Stretch]
}

/// How the source does.
struct SourceMessage: ServerMessage {
  let type = "source"
  var state: LiveSourceStatus.State
  var message: String
  var attempt: Int
  var retryIn: Nullable<Double>

  init(_ status: LiveSourceStatus) {
    state = status.state
    message = status.message
    attempt = status.attempt
    retryIn = Nullable(status.retryIn)
  }
}

/// How the session does.
struct StatisticsMessage: ServerMessage {
  struct Latency: Encodable, Sendable {
    var p50: Nullable<Double>
    var p95: Nullable<Double>
  }

  let type = "statistics"
  /// The pictures that arrived, and those looked at, a second.
  var cameraFPS: Double
  var analysedFPS: Double
  /// How many pictures were left out so far.
  var dropped: Int
  /// From arrival to answer, in milliseconds.
  var latency: Latency
  /// How many sessions are served.
  var sessions: Int
  var isRecording: Bool
}

/// The answer to a ping.
struct PongMessage: ServerMessage {
  let type = "pong"
  var time: Nullable<Double>
}

/// Something went wrong.
struct ErrorMessage: ServerMessage {
  let type = "error"
  var code: String
  var message: String
  var isFatal: Bool
}

extension Challenge.Message: ServerMessage {}
