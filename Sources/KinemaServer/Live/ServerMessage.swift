import Foundation
import KinemaHTTP
import KinemaVideo

/// A text message from the server; see `docs/live-protocol.md`.
protocol ServerMessage: Encodable, Sendable {}

extension ServerMessage {
  var webSocketMessage: WebSocketMessage {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only numbers that are not finite cannot be encoded; no message has any.
    return .text(String(decoding: (try? encoder.encode(self)) ?? Data("{}".utf8), as: UTF8.self))
  }
}

/// The session's setup.
struct ReadyMessage: ServerMessage {
  let type = "ready"
  var session: String
  @Nullable var historyID: Int?
  @Nullable var model: ModelDescription?
  var frameRate: Double
  var source: SourceChoice
  var settings: SessionSettings
}

struct SummaryMessage: ServerMessage, Hashable {
  let type = "summary"
  var duration: Double
  var entries: [SummaryEntry]
  var timeline: [Stretch]
  var sets: [TrainedSet]
}

struct SourceMessage: ServerMessage {
  let type = "source"
  var state: LiveSourceStatus.State
  var message: String
  var text: MessageText?
  var attempt: Int
  @Nullable var retryIn: Double?

  init(_ status: LiveSourceStatus) {
    state = status.state
    message = status.message
    text = status.text
    attempt = status.attempt
    retryIn = status.retryIn
  }
}

struct StatisticsMessage: ServerMessage {
  struct Latency: Encodable, Sendable {
    @Nullable var p50: Double?
    @Nullable var p95: Double?
  }

  let type = "statistics"
  /// The rates of received and processed frames.
  var cameraFPS: Double
  var analysedFPS: Double
  /// The number of dropped frames so far.
  var dropped: Int
  /// From arrival to answer, in milliseconds.
  var latency: Latency
  var sessions: Int
  var isRecording: Bool
}

struct QueuedMessage: ServerMessage {
  let type = "queued"
  /// 1 for the client that is next.
  var place: Int
}

struct PongMessage: ServerMessage {
  let type = "pong"
  @Nullable var time: Double?
}

struct ErrorMessage: ServerMessage {
  let type = "error"
  var code: String
  var message: String
  var text: MessageText?
  var isFatal: Bool
}

extension Challenge.Message: ServerMessage {}
