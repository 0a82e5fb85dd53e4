import Foundation

/// The rows of a table as text, in blocks of which a change encodes again only those that it touches.
struct RowBlocks {
  private struct Block {
    var count: Int
    /// `nil` where a row has changed since.
    var text: [UInt8]?
  }

  private static let largestCount = 1024

  private var blocks: [Block] = []

  mutating func change(_ row: Int) {
    var end = 0
    for index in blocks.indices {
      end += blocks[index].count
      if row < end { return blocks[index].text = nil }
    }
  }

  /// Adds rows at the end.
  mutating func append(_ count: Int = 1) {
    var rest = count
    if let last = blocks.last, last.count < Self.largestCount {
      let taken = min(rest, Self.largestCount - last.count)
      blocks[blocks.count - 1] = Block(count: last.count + taken)
      rest -= taken
    }
    while rest > 0 {
      blocks.append(Block(count: min(rest, Self.largestCount)))
      rest -= Self.largestCount
    }
  }

  /// - Parameter rows: In ascending order.
  mutating func remove(_ rows: [Int]) {
    var rest = rows[...]
    var end = 0
    for index in blocks.indices {
      end += blocks[index].count
      let kept = rest.drop { $0 < end }
      if kept.count < rest.count {
        blocks[index] = Block(count: blocks[index].count - (rest.count - kept.count))
      }
      rest = kept
    }
    blocks.removeAll { $0.count == 0 }
  }

  /// Every row is encoded again.
  mutating func changeAll() {
    for index in blocks.indices { blocks[index].text = nil }
  }

  /// The header and all rows.
  ///
  /// - Parameter encode: Adds the line of a row.
  mutating func text(
    after header: String, _ encode: (_ row: Int, _ text: inout [UInt8]) -> Void
  ) -> Data {
    var data = Data(header.utf8)
    var first = 0
    for index in blocks.indices {
      let rows = first..<first + blocks[index].count
      if blocks[index].text == nil {
        var text: [UInt8] = []
        for row in rows { encode(row, &text) }
        blocks[index].text = text
      }
      data.append(contentsOf: blocks[index].text ?? [])
      first = rows.upperBound
    }
    return data
  }
}
