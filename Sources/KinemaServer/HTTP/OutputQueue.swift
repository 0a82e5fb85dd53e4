import Foundation

/// What is to be sent, in order: bytes, and parts of files that are read when their turn comes.
struct OutputQueue {
  private enum Item {
    case data(Data, sent: Int)
    case file(OpenFile, Range<Int>)
  }

  private var items: [Item] = []

  /// Whether nothing is left to be sent.
  var isEmpty: Bool { items.isEmpty }

  mutating func append(_ data: Data) {
    if !data.isEmpty { items.append(.data(data, sent: 0)) }
  }

  mutating func append(_ file: OpenFile, _ range: Range<Int>) {
    if !range.isEmpty { items.append(.file(file, range)) }
  }

  mutating func append(_ frame: WebSocketFrame) {
    append(Data(frame.header))
    append(frame.payload)
  }

  /// Moves as much as fits into a buffer.
  ///
  /// - Returns: How many bytes; `nil` where a file has become shorter than was promised.
  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    var count = 0
    while count < buffer.count, let item = items.first {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      switch item {
      case .data(let data, let sent):
        let amount = min(room.count, data.count - sent)
        let start = data.startIndex + sent
        data.copyBytes(to: room, from: start..<(start + amount))
        count += amount
        if sent + amount == data.count {
          items.removeFirst()
        } else {
          items[0] = .data(data, sent: sent + amount)
        }
      case .file(let file, let range):
        let amount = min(room.count, range.count)
        let read = file.read(
          at: range.lowerBound, into: UnsafeMutableRawBufferPointer(rebasing: room[..<amount]))
        guard read > 0 else { return nil }
        count += read
        if read == range.count {
          items.removeFirst()
        } else {
          items[0] = .file(file, (range.lowerBound + read)..<range.upperBound)
        }
      }
    }
    return count
  }
}
