package import Foundation

/// Turns what a client sends into messages, pings and closes (RFC 6455 §5).
///
/// Frames may arrive in pieces of any size; fragments are put together; control frames may stand
/// between them. A message is refused as soon as a frame's header says that it gets too big, before
/// any of it is held.
package struct WebSocketParser {
  /// What a client sent.
  package enum Event: Equatable, Sendable {
    case message(WebSocketMessage)
    case ping(Data)
    case pong
    case close(code: UInt16?)
  }

  /// How a client broke the protocol; what it is closed with.
  package struct Violation: Error, Equatable {
    package var code: UInt16
    package var reason: String
  }

  private struct Frame {
    var opcode: UInt8
    var isFinal: Bool
    var remaining: Int
    var mask: UInt32
    var offset = 0
  }

  /// The largest message, in bytes.
  package let maximumMessageBytes: Int
  private var header: [UInt8] = []
  private var frame: Frame?
  private var control = Data()
  private var message = Data()
  /// The opcode of the message under way.
  private var messageOpcode: UInt8?
  private var isClosed = false

  package init(maximumMessageBytes: Int) {
    self.maximumMessageBytes = maximumMessageBytes
  }

  /// Takes a piece of what the client sent, and says what it completes.
  ///
  /// What stands before a violation is reported; nothing is taken after a close.
  package mutating func take(
    _ bytes: UnsafeRawBufferPointer, report: (Event) -> Void
  ) throws(Violation) {
    var rest = bytes[...]
    while !isClosed {
      if frame == nil {
        guard try takeHeader(&rest) else { return }
      }
      guard var current = frame else { return }
      let count = min(current.remaining, rest.count)
      if count > 0 {
        let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
        if current.opcode >= 8 {
          Self.append(piece, to: &control, mask: current.mask, offset: current.offset)
        } else {
          Self.append(piece, to: &message, mask: current.mask, offset: current.offset)
        }
        rest = rest.dropFirst(count)
        current.remaining -= count
        current.offset += count
      }
      frame = current
      guard current.remaining == 0 else { return }
      frame = nil
      try finish(current, report: report)
    }
  }

  /// Collects a frame's header; whether it is complete.
  private mutating func takeHeader(
    _ rest: inout Slice<UnsafeRawBufferPointer>
  ) throws(Violation) -> Bool {
    while true {
      let needed = Self.headerSize(header)
      if header.count == needed { break }
      let count = min(needed - header.count, rest.count)
      guard count > 0 else { return false }
      header.append(contentsOf: rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    frame = try parsedHeader()
    header.removeAll(keepingCapacity: true)
    return true
  }

  /// How long the header is, from as much of it as is known.
  private static func headerSize(_ header: [UInt8]) -> Int {
    guard header.count >= 2 else { return 2 }
    let mask = header[1] & 0x80 != 0 ? 4 : 0
    switch header[1] & 0x7f {
    case 126: return 4 + mask
    case 127: return 10 + mask
    default: return 2 + mask
    }
  }

  private mutating func parsedHeader() throws(Violation) -> Frame {
    let opcode = header[0] & 0x0f
    let isFinal = header[0] & 0x80 != 0
    guard header[0] & 0x70 == 0 else {
      throw Violation(code: 1002, reason: "A reserved bit is set.")
    }
    guard header[1] & 0x80 != 0 else {
      throw Violation(code: 1002, reason: "A frame is not masked.")
    }
    let lengthBytes = header[2..<(header.count - 4)]
    let short = UInt64(header[1] & 0x7f)
    let length = lengthBytes.isEmpty ? short : lengthBytes.reduce(0) { $0 << 8 | UInt64($1) }
    let mask = header.suffix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    switch opcode {
    case 0:
      guard messageOpcode != nil else {
        throw Violation(code: 1002, reason: "A continuation has nothing to continue.")
      }
    case 1, 2:
      guard messageOpcode == nil else {
        throw Violation(code: 1002, reason: "A message begins within another.")
      }
      messageOpcode = opcode
    case 8, 9, 10:
      guard isFinal, length <= 125 else {
        throw Violation(code: 1002, reason: "A control frame is fragmented or too long.")
      }
      control.removeAll(keepingCapacity: true)
    default:
      throw Violation(code: 1002, reason: "A frame's kind is unknown.")
    }
    if opcode < 8, length > UInt64(max(0, maximumMessageBytes - message.count)) {
      throw Violation(
        code: 1009, reason: "A message may have \(maximumMessageBytes) bytes at most.")
    }
    return Frame(opcode: opcode, isFinal: isFinal, remaining: Int(length), mask: mask)
  }

  private mutating func finish(
    _ frame: Frame, report: (Event) -> Void
  ) throws(Violation) {
    switch frame.opcode {
    case 8:
      isClosed = true
      report(.close(code: try closeCode()))
    case 9: report(.ping(control))
    case 10: report(.pong)
    default:
      guard frame.isFinal else { return }
      let data = message
      let isText = messageOpcode == 1
      message = Data()
      messageOpcode = nil
      guard isText else { return report(.message(.binary(data))) }
      guard let text = String(validating: data, as: UTF8.self) else {
        throw Violation(code: 1007, reason: "A text message is not UTF-8.")
      }
      report(.message(.text(text)))
    }
  }

  private func closeCode() throws(Violation) -> UInt16? {
    if control.isEmpty { return nil }
    guard control.count >= 2 else {
      throw Violation(code: 1002, reason: "A close is cut short.")
    }
    let code = UInt16(control[control.startIndex]) << 8 | UInt16(control[control.startIndex + 1])
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: break
    default: throw Violation(code: 1002, reason: "A close has a code that is not for use.")
    }
    guard String(validating: control.dropFirst(2), as: UTF8.self) != nil else {
      throw Violation(code: 1007, reason: "A close's reason is not UTF-8.")
    }
    return code
  }

  /// Appends a piece of a frame's payload, unmasked (RFC 6455 §5.3).
  private static func append(
    _ piece: UnsafeRawBufferPointer, to data: inout Data, mask: UInt32, offset: Int
  ) {
    let start = data.count
    data.append(contentsOf: piece)
    // The mask's bytes in the order in which this piece meets them, twice.
    let shift = UInt32(offset & 3) * 8
    let turned = shift == 0 ? mask : mask >> shift | mask << (32 - shift)
    let wide = UInt64(turned) << 32 | UInt64(turned)
    data.withUnsafeMutableBytes { bytes in
      var index = start
      while index + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian ^ wide
        bytes.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
        index += 8
      }
      var left = wide
      while index < bytes.count {
        bytes[index] ^= UInt8(truncatingIfNeeded: left)
        left >>= 8
        index += 1
      }
    }
  }
}
