package import Foundation

/// Turns what a client sends into messages, pings and closes (RFC 6455 §5).
///
/// Frames may arrive in pieces of any size; fragments are put together; control frames may stand
/// between them. A message is refused as soon as a frame's header says that it gets too big.
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
    var mask: UInt32
    /// Where its payload is within ``input``.
    var payload: Range<Int>
  }

  package let maximumMessageBytes: Int
  /// What has come of frames that are not complete.
  private var input: [UInt8] = []
  private var message = Data()
  /// The opcode of the message under way.
  private var messageOpcode: UInt8?
  private var isClosed = false

  package init(maximumMessageBytes: Int) { self.maximumMessageBytes = maximumMessageBytes }

  /// Takes a piece of what the client sent, and reports what it completes.
  ///
  /// What stands before a violation is reported; nothing is taken after a close.
  package mutating func take(
    _ bytes: UnsafeRawBufferPointer, report: (Event) -> Void
  ) throws(Violation) {
    input.append(contentsOf: bytes)
    var start = 0
    while !isClosed, let frame = try frame(at: start) {
      start = frame.payload.upperBound
      try finish(frame, report: report)
    }
    input.removeFirst(start)
  }

  /// The frame that begins at an index; `nil` where not all of it has come.
  private func frame(at start: Int) throws(Violation) -> Frame? {
    guard input.count >= start + 2 else { return nil }
    let (first, second) = (input[start], input[start + 1])
    let opcode = first & 0x0f
    let isFinal = first & 0x80 != 0
    let short = Int(second & 0x7f)
    let payload = start + (short < 126 ? 6 : short == 126 ? 8 : 14)
    guard first & 0x70 == 0 else { throw Self.broken("A reserved bit is set.") }
    guard second & 0x80 != 0 else { throw Self.broken("A frame is not masked.") }
    switch opcode {
    case 0 where messageOpcode == nil:
      throw Self.broken("A continuation has nothing to continue.")
    case 1 where messageOpcode != nil, 2 where messageOpcode != nil:
      throw Self.broken("A message begins within another.")
    case 0, 1, 2: break
    case 8, 9, 10:
      guard isFinal, short <= 125 else {
        throw Self.broken("A control frame is fragmented or too long.")
      }
    default: throw Self.broken("A frame's kind is unknown.")
    }
    guard input.count >= payload else { return nil }
    let long = input[(start + 2)..<(payload - 4)].reduce(0) { $0 << 8 | UInt64($1) }
    let length = short < 126 ? UInt64(short) : long
    if opcode < 8, length > UInt64(max(0, maximumMessageBytes - message.count)) {
      throw Violation(
        code: 1009, reason: "A message may have \(maximumMessageBytes) bytes at most.")
    }
    guard UInt64(input.count - payload) >= length else { return nil }
    let mask = input[(payload - 4)..<payload].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    return Frame(
      opcode: opcode, isFinal: isFinal, mask: mask, payload: payload..<(payload + Int(length)))
  }

  private static func broken(_ reason: String) -> Violation {
    Violation(code: 1002, reason: reason)
  }

  private mutating func finish(
    _ frame: Frame, report: (Event) -> Void
  ) throws(Violation) {
    switch frame.opcode {
    case 8:
      isClosed = true
      var payload = Data()
      append(frame, to: &payload)
      report(.close(code: try Self.closeCode(payload)))
    case 9:
      var payload = Data()
      append(frame, to: &payload)
      report(.ping(payload))
    case 10: report(.pong)
    default:
      append(frame, to: &message)
      messageOpcode = messageOpcode ?? frame.opcode
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

  private static func closeCode(_ payload: Data) throws(Violation) -> UInt16? {
    if payload.isEmpty { return nil }
    guard payload.count >= 2 else { throw broken("A close is cut short.") }
    let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: break
    default: throw broken("A close has a code that is not for use.")
    }
    guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else {
      throw Violation(code: 1007, reason: "A close's reason is not UTF-8.")
    }
    return code
  }

  /// Appends a frame's payload, unmasked (RFC 6455 §5.3).
  private func append(_ frame: Frame, to data: inout Data) {
    let start = data.count
    data.append(contentsOf: input[frame.payload])
    data.withUnsafeMutableBytes { bytes in
      let wide = UInt64(frame.mask) << 32 | UInt64(frame.mask)
      var index = start
      while index + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian ^ wide
        bytes.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
        index += 8
      }
      for (offset, index) in (index..<bytes.count).enumerated() {
        bytes[index] ^= UInt8(truncatingIfNeeded: wide >> (8 * offset))
      }
    }
  }
}
