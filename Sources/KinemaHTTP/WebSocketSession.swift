import Foundation
import Glibc

/// An open WebSocket: frames between the client's stream and the application's ``ClientSocket``, with
/// rates, pings and the closing handshake.
final class WebSocketSession {
  private let socket: ClientSocket
  private let stream: ClientStream
  private let limits: WebServer.Limits
  private var parser: WebSocketParser
  private var messages: TokenBucket
  private var bytes: TokenBucket
  private var heardAt: Double
  private var isReading = true

  /// What remains of the frame that is being sent, and since when the client has taken none of it.
  private var unsent = Data()
  private var blockedSince: Double?
  private var pong: WebSocketFrame?
  private var ping: WebSocketFrame?
  private var isPinged = false
  private var hasSentClose = false
  private var closeDeadline: Double?
  /// Whether nothing more is exchanged but ``last``.
  private var isFinished = false
  private var last: WebSocketFrame?

  init(socket: ClientSocket, stream: ClientStream, limits: WebServer.Limits) {
    self.socket = socket
    self.stream = stream
    self.limits = limits
    let now = stream.now()
    parser = WebSocketParser(maximumMessageBytes: limits.messageBytes)
    messages = TokenBucket(rate: limits.messagesPerSecond, burst: limits.messagesBurst, at: now)
    bytes = TokenBucket(rate: limits.bytesPerSecond, burst: limits.bytesBurst, at: now)
    heardAt = now
  }

  /// Exchanges frames until the WebSocket is closed.
  ///
  /// - Parameters:
  ///   - early: What came behind the handshake's request.
  ///   - buffer: Where to read into.
  /// - Returns: `false` where the connection broke, or the client did not keep to its time before
  ///   the close was sent.
  func run(early: [UInt8], buffer: UnsafeMutableRawBufferPointer) -> Bool {
    early.withUnsafeBytes { receive($0, at: stream.now()) }
    while true {
      let now = stream.now()
      guard isOnTime(at: now) else { return hasSaidGoodbye }
      var event: Int16 = 0
      while event == 0, hasUnsent(at: now) {
        switch unsent.withUnsafeBytes({ stream.write($0) }) {
        case .moved(let count):
          unsent = unsent.dropFirst(count)
          blockedSince = nil
        case .needs(let needed):
          event = needed
          blockedSince = blockedSince ?? now
        case .ended: return false
        }
      }
      if isFinished, unsent.isEmpty { return true }
      if !isReading, socket.hasRoom { (isReading, heardAt) = (true, now) }
      if isReading {
        switch stream.read(into: buffer) {
        case .moved(let count):
          receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: now)
          continue
        case .needs(let needed): event |= needed
        case .ended: return false
        }
      }
      guard stream.wait(for: event, until: .infinity, or: socket.bell) else { return false }
    }
  }

  /// Whether the close was sent: the client may still read it, unless the connection breaks.
  private var hasSaidGoodbye: Bool { (hasSentClose || isFinished) && last == nil && unsent.isEmpty }

  /// Pings a silent client; `false` where the client has used up its time.
  private func isOnTime(at now: Double) -> Bool {
    if let closeDeadline, now > closeDeadline { return false }
    let patience = socket.isClosing ? limits.closeTimeout : limits.silenceTimeout
    if let blockedSince, now - blockedSince > patience { return false }
    guard isReading else { return true }
    if now - heardAt > limits.pingInterval, !isPinged {
      isPinged = true
      ping = WebSocketFrame(.ping)
    }
    return now - heardAt <= limits.silenceTimeout
  }

  // MARK: From the client

  private func receive(_ piece: UnsafeRawBufferPointer, at now: Double) {
    guard !isFinished, !piece.isEmpty else { return }
    heardAt = now
    isPinged = false
    guard bytes.take(Double(piece.count), at: now) else {
      return finish(.close(1008, reason: "Too many bytes a second."), at: now)
    }
    do throws(WebSocketParser.Violation) {
      try parser.take(piece) { handle($0, at: now) }
    } catch {
      finish(.close(error.code, reason: error.reason), at: now)
    }
  }

  private func handle(_ event: WebSocketParser.Event, at now: Double) {
    guard !isFinished else { return }
    if case .close(let code) = event {
      if !hasSentClose { socket.end(clientCloseCode: code) }
      // The answer to the server's own close, or the client's wish, which is repeated to it.
      return finish(hasSentClose ? nil : .close(code), at: now)
    }
    guard messages.take(at: now) else {
      return finish(.close(1008, reason: "Too many messages a second."), at: now)
    }
    switch event {
    case .message(let message) where !hasSentClose: isReading = socket.deliver(message)
    case .ping(let data): pong = WebSocketFrame(.pong, data)
    default: break
    }
  }

  private func finish(_ frame: WebSocketFrame?, at now: Double) {
    isFinished = true
    isReading = true
    closeDeadline = now + limits.closeTimeout
    last = frame
  }

  // MARK: To the client

  /// Begins the next frame where the one before is sent; `false` where nothing is to be sent.
  private func hasUnsent(at now: Double) -> Bool {
    if unsent.isEmpty, let frame = nextFrame(at: now) { unsent = frame.header + frame.payload }
    return !unsent.isEmpty
  }

  private func nextFrame(at now: Double) -> WebSocketFrame? {
    if isFinished { return take(&last) }
    if hasSentClose { return nil }
    guard let frame = take(&pong) ?? take(&ping) ?? socket.nextOutgoing() else { return nil }
    if frame.opcode == .close {
      hasSentClose = true
      closeDeadline = now + limits.closeTimeout
      // The client's answer must be heard even where the application takes no more messages.
      isReading = true
      socket.end()
    }
    return frame
  }

  private func take(_ frame: inout WebSocketFrame?) -> WebSocketFrame? {
    defer { frame = nil }
    return frame
  }
}
