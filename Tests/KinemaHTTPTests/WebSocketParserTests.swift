import Foundation
import KinemaHTTP
import Testing

@Suite("The frames of WebSockets")
struct WebSocketParserTests {
  private static func events(
    _ bytes: [UInt8], pieces: Int = .max, maximum: Int = 1000
  ) -> ([WebSocketParser.Event], UInt16?) {
    var parser = WebSocketParser(maximumMessageBytes: maximum)
    var events: [WebSocketParser.Event] = []
    var rest = bytes[...]
    do {
      repeat {
        let piece = Array(rest.prefix(pieces))
        rest = rest.dropFirst(pieces)
        try piece.withUnsafeBytes { try parser.take($0) { events.append($0) } }
      } while !rest.isEmpty
      return (events, nil)
    } catch {
      return (events, (error as? WebSocketParser.Violation)?.code)
    }
  }

  private static func frame(
    _ opcode: UInt8, _ text: String = "", isFinal: Bool = true
  ) -> [UInt8] {
    TestWebSocket.frame(opcode: opcode, Array(text.utf8), isFinal: isFinal)
  }

  @Test("messages are reassembled from pieces of any size", arguments: [1, 2, 3, 7, 64, 100_000])
  func pieces(_ size: Int) {
    let long = String(repeating: "ä", count: 40_000)
    let bytes =
      Self.frame(1, "one") + Self.frame(2, isFinal: false) + Self.frame(9, "ping")
      + Self.frame(0, "tw", isFinal: false) + Self.frame(0, "o") + Self.frame(10)
      + Self.frame(1, long) + Self.frame(8)
    let (events, code) = Self.events(bytes, pieces: size, maximum: 100_000)
    #expect(code == nil)
    #expect(
      events == [
        .message(.text("one")), .ping(Data("ping".utf8)), .message(.binary(Data("two".utf8))),
        .pong, .message(.text(long)), .close(code: nil),
      ])
  }

  @Test(
    "broken frames are refused with their code",
    arguments: [
      (TestWebSocket.frame(opcode: 1, [65], isMasked: false), 1002),
      (TestWebSocket.frame(opcode: 0, [65]), 1002), (TestWebSocket.frame(opcode: 3, []), 1002),
      (TestWebSocket.frame(opcode: 11, []), 1002),
      (TestWebSocket.frame(opcode: 9, [65], isFinal: false), 1002),
      (TestWebSocket.frame(opcode: 9, [UInt8](repeating: 0, count: 126)), 1002),
      (TestWebSocket.frame(opcode: 0x41, [65]), 1002),
      (TestWebSocket.frame(opcode: 8, [3]), 1002),
      (TestWebSocket.frame(opcode: 8, [3, 237]), 1002),
      (TestWebSocket.frame(opcode: 1, [0xff, 0xfe]), 1007),
      (TestWebSocket.frame(opcode: 1, [0xe2, 0x82]), 1007),
      (TestWebSocket.frame(opcode: 8, [3, 232, 0xff]), 1007),
      (TestWebSocket.frame(opcode: 2, [], length: 1001), 1009),
      (TestWebSocket.frame(opcode: 2, [], length: .max), 1009),
      (TestWebSocket.frame(opcode: 1, [65], isFinal: false) + frame(1, "again"), 1002),
      (
        TestWebSocket.frame(opcode: 1, [UInt8](repeating: 65, count: 600), isFinal: false)
          + TestWebSocket.frame(opcode: 0, [UInt8](repeating: 65, count: 600)), 1009
      ),
    ] as [([UInt8], UInt16)])
  func violations(_ bytes: [UInt8], _ expected: UInt16) {
    #expect(Self.events(bytes).1 == expected)
  }

  @Test("nothing is read after a close")
  func afterClose() {
    let (events, code) = Self.events(Self.frame(8) + [0xff, 0xff, 0xff])
    #expect(events == [.close(code: nil)])
    #expect(code == nil)
  }

  @Test("lengths are written in as few bytes as they need", arguments: [0, 125, 126, 65535, 65536])
  func lengths(_ count: Int) {
    let header = WebSocketFrame(.binary, Data(count: count)).header
    #expect(header.count == (count < 126 ? 2 : count < 65536 ? 4 : 10))
    #expect(header[0] == 0x82)
  }

  @Test("a close's reason is cut to what a control frame holds")
  func reason() {
    let frame = WebSocketFrame.close(1008, reason: String(repeating: "ä", count: 100))
    #expect(frame.payload.count == 2 + 122)
    #expect(String(validating: frame.payload.dropFirst(2), as: UTF8.self) != nil)
  }

  @Test("a rate lets its burst through, then its pace")
  func rate() {
    var bucket = TokenBucket(rate: 2, burst: 4, at: 0)
    var passed: [Double: Int] = [:]
    for time in [0.0, 1, 100] {
      for _ in 0..<6 where bucket.take(at: time) { passed[time, default: 0] += 1 }
    }
    #expect(passed == [0: 4, 1: 2, 100: 4])
  }
}
