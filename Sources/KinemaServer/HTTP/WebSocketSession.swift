import Foundation

/// The protocol's side of an open WebSocket: rates, pings and the closing handshake.
///
/// Belongs to the service thread; ``socket`` is what the application sees.
final class WebSocketSession {
  let socket: ClientSocket
  private let limits: WebServer.Limits
  private var parser: WebSocketParser
  private var messages: TokenBucket
  private var bytes: TokenBucket
  private var pong: WebSocketFrame?
  private var ping: WebSocketFrame?
  private var last: WebSocketFrame?
  private var isPinged = false
  private var heardAt: Double
  private var closeDeadline: Double?
  private var hasSentClose = false

  /// Whether the client is to be read from.
  private(set) var isReading = true
  /// Whether nothing more is exchanged but ``takeLastFrames()``.
  private(set) var isFinished = false
  /// Whether the client has not kept to its time.
  private(set) var isBroken = false

  init(socket: ClientSocket, limits: WebServer.Limits, at now: Double) {
    self.socket = socket
    self.limits = limits
    parser = WebSocketParser(maximumMessageBytes: limits.messageBytes)
    messages = TokenBucket(rate: limits.messagesPerSecond, burst: limits.messagesBurst, at: now)
    bytes = TokenBucket(rate: limits.bytesPerSecond, burst: limits.bytesBurst, at: now)
    heardAt = now
  }

  /// Whether a frame of the protocol waits to be sent.
  var wantsToWrite: Bool { pong != nil || ping != nil }
  /// Whether the closing handshake is under way.
  var isClosing: Bool { closeDeadline != nil || socket.isClosing }

  /// Takes what the client sent.
  func receive(_ piece: UnsafeRawBufferPointer, at now: Double) {
    guard !isFinished, !piece.isEmpty else { return }
    heardAt = now
    isPinged = false
    guard bytes.take(Double(piece.count), at: now) else {
      return finish(.close(1008, reason: "Too many bytes a second."))
    }
    do throws(WebSocketParser.Violation) {
      try parser.take(piece) { handle($0, at: now) }
    } catch {
      finish(.close(error.code, reason: error.reason))
    }
  }

  private func handle(_ event: WebSocketParser.Event, at now: Double) {
    guard !isFinished else { return }
    if case .close(let code) = event {
      if !hasSentClose { socket.end(clientCloseCode: code) }
      // The answer to the server's own close, or the client's wish, which is repeated to it.
      return finish(hasSentClose ? nil : .close(code))
    }
    guard messages.take(at: now) else {
      return finish(.close(1008, reason: "Too many messages a second."))
    }
    switch event {
    case .message(let message) where !hasSentClose:
      if !socket.deliver(message) { isReading = false }
    case .ping(let data): pong = WebSocketFrame(.pong, data)
    default: break
    }
  }

  /// The application has taken messages: there is room again.
  func resumeReading(at now: Double) {
    isReading = true
    heardAt = now
  }

  /// The next frame to be sent.
  func nextFrame(at now: Double) -> WebSocketFrame? {
    guard !hasSentClose else { return nil }
    if let frame = pong {
      pong = nil
      return frame
    }
    if let frame = ping {
      ping = nil
      return frame
    }
    guard let frame = socket.nextOutgoing() else { return nil }
    if frame.opcode == .close {
      hasSentClose = true
      closeDeadline = now + limits.closeTimeout
      // The client's answer must be heard even where the application takes no more messages.
      isReading = true
      socket.end()
    }
    return frame
  }

  /// Looks at the clock: pings a silent client, gives up a dead one.
  func tick(at now: Double) {
    if let closeDeadline, now > closeDeadline { isBroken = true }
    guard isReading else { return }
    if now - heardAt > limits.silenceTimeout {
      isBroken = true
    } else if now - heardAt > limits.pingInterval, !isPinged {
      isPinged = true
      ping = WebSocketFrame(.ping)
    }
  }

  /// Begins the closing handshake.
  func close(code: UInt16, reason: String) {
    socket.close(code: code, reason: reason)
  }

  /// What is still to be sent once the session is finished.
  func takeLastFrames() -> [WebSocketFrame] {
    defer { last = nil }
    return [last].compactMap(\.self)
  }

  /// The connection is gone, or needs the socket no more.
  func end() {
    socket.drop()
  }

  private func finish(_ frame: WebSocketFrame?) {
    isFinished = true
    isReading = true
    last = frame
  }
}
