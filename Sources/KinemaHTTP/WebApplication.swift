package import Foundation

/// What a ``WebServer`` serves.
///
/// The server checks host, origin, token and sizes before it calls.
package protocol WebApplication: Sendable {
  /// What WebSockets speak; a client that offers others only is refused.
  var webSocketSubprotocol: String { get }

  /// The largest body, in bytes, that a request may have; 0 where none is taken, `nil` where the
  /// request is refused whatever its body, which is then not read.
  ///
  /// Called on a connection's thread: must return at once.
  func bodyLimit(for method: String, path: String) -> Int?

  /// May block: the task and what it calls run on threads of their own.
  func response(to request: HTTPRequest) async -> HTTPResponse

  /// The answer that refuses a WebSocket on a path; `nil` to accept it.
  func refusal(ofWebSocketAt request: HTTPRequest) async -> HTTPResponse?

  /// Serves a WebSocket; it is closed when this returns. Cancelled when the server stops.
  func serve(_ socket: any WebSocket, request: HTTPRequest) async
}

package enum WebSocketMessage: Sendable, Equatable {
  case text(String)
  case binary(Data)
}

/// A client's open WebSocket.
package protocol WebSocket: AnyObject, Sendable {
  /// What the client sends, whole messages in order; ends when the client has gone.
  ///
  /// A few unread messages are buffered; then no more is read from the client.
  var messages: AsyncStream<WebSocketMessage> { get }

  /// Queues a message that must arrive; a client that leaves many megabytes unread is closed with 1008.
  func send(_ message: WebSocketMessage)

  /// Queues a message that only the next of its kind makes obsolete: one that still waits is
  /// replaced; returns whether an older message was replaced.
  @discardableResult
  func sendLatest(_ message: WebSocketMessage, kind: String) -> Bool

  /// Closes after what is queued was sent.
  ///
  /// - Parameter code: RFC 6455 §7.4: 1000 done, 1001 going away, 1008 against the rules, 1009 too big,
  ///   1013 try again later.
  func close(code: UInt16, reason: String)

  /// The code with which the client closed, known when ``messages`` has ended; `nil` where the
  /// connection broke, or the server closed it.
  var clientCloseCode: UInt16? { get }
}

extension WebSocket {
  package var clientCloseCode: UInt16? { nil }
}
