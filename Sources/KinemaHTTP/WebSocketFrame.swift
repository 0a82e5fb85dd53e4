package import Foundation

/// A frame as the server sends it: unmasked and whole (RFC 6455 §5.2).
package struct WebSocketFrame: Sendable {
  package enum Opcode: UInt8, Sendable {
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10
  }

  package var opcode: Opcode
  package var payload: Data

  package init(_ message: WebSocketMessage) {
    switch message {
    case .text(let text): self.init(.text, Data(text.utf8))
    case .binary(let data): self.init(.binary, data)
    }
  }

  package init(_ opcode: Opcode, _ payload: Data = Data()) {
    self.opcode = opcode
    self.payload = payload
  }

  /// The frame that closes; a reason is cut to what a control frame holds.
  package static func close(_ code: UInt16?, reason: String = "") -> WebSocketFrame {
    guard let code else { return WebSocketFrame(.close) }
    var text = reason
    while text.utf8.count > 123 { text.removeLast() }
    return WebSocketFrame(.close, Data([UInt8(code >> 8), UInt8(code & 0xff)]) + Data(text.utf8))
  }

  /// The bytes before the payload.
  package var header: [UInt8] {
    let length = UInt64(payload.count)
    var header = [0x80 | opcode.rawValue]
    switch length {
    case 0...125: header.append(UInt8(length))
    case 126...0xffff: header += [126, UInt8(length >> 8), UInt8(length & 0xff)]
    default:
      header.append(127)
      header += (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
    }
    return header
  }

  /// How many bytes it has with its header.
  package var size: Int { header.count + payload.count }
}
