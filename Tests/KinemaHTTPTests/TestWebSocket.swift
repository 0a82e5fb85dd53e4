import Foundation
import KinemaHTTP
import KinemaTestSupport

/// A WebSocket client that blocks, for tests; it can also send what no proper client would.
///
/// Use it on a thread of its own (``onThread(_:)``): the server's tasks need theirs.
final class TestWebSocket: @unchecked Sendable {
  /// What the server sent.
  enum Event: Equatable {
    case message(WebSocketMessage)
    case ping(Data)
    case pong(Data)
    case close(UInt16?, String)
    /// The connection ended without a close.
    case gone
  }

  /// The answer to the handshake was not 101.
  struct Refused: Error {
    var response: TestResponse
  }

  let connection: TestConnection
  /// The headers of the answer to the handshake.
  let headers: [String: String]
  /// Whether pings are answered as they should be.
  var answersPings = true

  /// Opens a WebSocket; `url` is that of the server, with path and query.
  init(
    connect url: URL, host: String = "127.0.0.1", headers: [String: String] = [:],
    subprotocol: String? = "kinema.live.v1"
  ) throws {
    connection = try TestConnection(url)
    var all = [
      "Upgrade": "websocket", "Connection": "keep-alive, Upgrade", "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]
    all["Sec-WebSocket-Protocol"] = subprotocol
    all.merge(headers) { $1 }
    let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
    let target = (url.path.isEmpty ? "/" : url.path) + query
    guard let response = connection.request("GET", target, host: host, headers: all) else {
      throw TestConnection.Failure(description: "no answer to the handshake")
    }
    guard response.status == 101 else { throw Refused(response: response) }
    self.headers = response.headers
  }

  /// Sends a text message.
  func send(_ text: String) { send(opcode: 1, Array(text.utf8)) }

  /// Sends a binary message.
  func send(_ data: Data) { send(opcode: 2, Array(data)) }

  /// Sends a frame, masked as it must be.
  @discardableResult
  func send(opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> Int {
    connection.send(Self.frame(opcode: opcode, payload, isFinal: isFinal))
  }

  /// Sends bytes as they are.
  @discardableResult
  func send(raw bytes: [UInt8]) -> Int { connection.send(bytes) }

  /// A frame as a client sends it.
  static func frame(
    opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, isMasked: Bool = true,
    length: Int? = nil
  ) -> [UInt8] {
    let length = length ?? payload.count
    let bit: UInt8 = isMasked ? 0x80 : 0
    var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
    switch length {
    case 0...125: bytes.append(bit | UInt8(length))
    case 126...0xffff: bytes += [bit | 126, UInt8(length >> 8), UInt8(length & 255)]
    default:
      bytes.append(bit | 127)
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
    }
    guard isMasked else { return bytes + payload }
    let mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
    bytes += mask
    bytes += payload.enumerated().map { $1 ^ mask[$0 & 3] }
    return bytes
  }

  /// The next message; `nil` where none comes within `timeout` seconds, or the server closes.
  func receive(timeout: Double = 120) -> WebSocketMessage? {
    while true {
      switch next(timeout: timeout) {
      case .message(let message): return message
      case .ping, .pong: continue
      default: return nil
      }
    }
  }

  /// The next text message.
  func receiveText(timeout: Double = 120) -> String? {
    if case .text(let text) = receive(timeout: timeout) { text } else { nil }
  }

  /// What the server closes with, whatever comes before; `nil` where it doesn't.
  func receiveClose(timeout: Double = 120) -> Event? {
    while let event = next(timeout: timeout) {
      switch event {
      case .close, .gone: return event
      default: continue
      }
    }
    return nil
  }

  /// The code that the server closes with.
  func closeCode(timeout: Double = 120) -> UInt16? {
    if case .close(let code, _) = receiveClose(timeout: timeout) { code } else { nil }
  }

  /// What comes next; `nil` where nothing does within `timeout` seconds.
  func next(timeout: Double = 120) -> Event? {
    guard let head = connection.receive(2, timeout: timeout) else {
      return connection.isClosedByPeer(within: 0) ? .gone : nil
    }
    var length = Int(head[1] & 127)
    if length >= 126 {
      guard let more = connection.receive(length == 126 ? 2 : 8, timeout: timeout) else {
        return .gone
      }
      length = more.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let payload = connection.receive(length, timeout: timeout) else { return .gone }
    switch head[0] & 15 {
    case 1: return .message(.text(String(decoding: payload, as: UTF8.self)))
    case 2: return .message(.binary(Data(payload)))
    case 9:
      if answersPings { send(opcode: 10, payload) }
      return .ping(Data(payload))
    case 10: return .pong(Data(payload))
    case 8 where payload.count >= 2:
      let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
      return .close(code, String(decoding: payload[2...], as: UTF8.self))
    case 8: return .close(nil, "")
    default: return .gone
    }
  }

  /// Closes as one should, and waits for the server's answer.
  func close(code: UInt16 = 1000) {
    send(opcode: 8, [UInt8(code >> 8), UInt8(code & 255)])
    _ = receiveClose(timeout: 2)
    connection.close()
  }
}
