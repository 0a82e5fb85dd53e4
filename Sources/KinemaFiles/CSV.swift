package import Foundation
package import KinemaErrors

/// A table of values separated by commas, semicolons or tabs (RFC 4180).
///
/// Quoted values may hold separators, line breaks and doubled quotation marks. Lines end with a line
/// feed, a carriage return or both. A byte order mark is skipped; UTF-16 is read where it has one.
package struct CSV {
  /// One row with its number, as a spreadsheet counts: the first is 1, empty ones count.
  package struct Row {
    package let number: Int
    package let cells: [String]
  }

  /// What makes a text no table: one sentence.
  package struct Malformed: Error, Reported, CustomStringConvertible {
    private let reason: MessageText
    package var text: MessageText? { reason }
    package var message: String { reason.sentence }
    package var description: String { message }

    init(_ reason: MessageText) { self.reason = reason }
  }

  /// The limit for one value, in bytes: labels, names and times are short.
  package static let largestCell = 1 << 16
  /// The limit for the values of one row.
  package static let largestCellCount = 1 << 14
  /// The limit for the values of a table: 160 MB.
  package static let largestTable = 10_000_000

  /// The bytes of a string that needs no memory of its own.
  private static let longestInline = 15

  package let rows: [Row]

  /// A line of a table: its cells, quoted where they must be.
  package static func line(_ cells: [String], ending: String = "\n") -> String {
    var text: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      append(cell, to: &text)
    }
    return String(decoding: text, as: UTF8.self) + ending
  }

  /// Adds a cell to a line, quoted where it must be.
  package static func append(_ cell: String, to text: inout [UInt8]) {
    let isSpecial: (UInt8) -> Bool = {
      $0 == UInt8(ascii: ",") || $0 == quote || $0 == lineFeed || $0 == carriageReturn
    }
    guard cell.utf8.contains(where: isSpecial) else { return text.append(contentsOf: cell.utf8) }
    text.append(quote)
    for byte in cell.utf8 {
      if byte == quote { text.append(quote) }
      text.append(byte)
    }
    text.append(quote)
  }

  /// Parses a text; its first line shows the separator.
  ///
  /// - Parameter largestRowCount: The most rows with values; no more is read of a longer table.
  /// - Throws: ``Malformed`` where it is no text, too large, or a quotation mark is missing.
  package init(
    _ data: Data, name: String, largestRowCount: Int = .max
  ) throws(Malformed) {
    try self.init(
      utf8: try Self.text(data, name: name), name: name, largestRowCount: largestRowCount)
  }

  /// The same of what ``text(_:name:)`` gave.
  package init(
    utf8 bytes: [UInt8], name: String, largestRowCount: Int = .max
  ) throws(Malformed) {
    rows = try Self.rows(
      of: bytes, separator: Self.separator(in: bytes), name: name,
      largestRowCount: largestRowCount)
  }

  /// The text as UTF-8 without a byte order mark.
  package static func text(_ data: Data, name: String) throws(Malformed) -> [UInt8] {
    let kind = FileKind(data)
    if kind == .gitLFS, let kind {
      throw Malformed(kind.refusal(of: name, expected: .table))
    }
    let unreadable = Malformed(
      kind?.refusal(of: name, expected: .table) ?? MessageText("notUTF8", ["file": name]))
    if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) {
      guard let text = String(data: data, encoding: .utf16) else { throw unreadable }
      return Array(text.utf8)
    }
    let bytes = Array(data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data)
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
      throw unreadable
    }
    return bytes
  }

  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private static func separator(in bytes: [UInt8]) -> UInt8 {
    let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    var counts = [0, 0, 0]
    var isQuoted = false
    for byte in bytes {
      if byte == quote { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == lineFeed || byte == carriageReturn {
        if counts != [0, 0, 0] { break }
        continue
      }
      if let index = separators.firstIndex(of: byte) { counts[index] += 1 }
    }
    let best = counts.indices.max { (counts[$0], $1) < (counts[$1], $0) } ?? 0
    return separators[best]
  }

  private static func rows(
    of bytes: [UInt8], separator: UInt8, name: String, largestRowCount: Int
  ) throws(Malformed) -> [Row] {
    var rows: [Row] = []
    var number = 1
    var cells: [String] = []
    var cell: [UInt8] = []
    var index = 0
    var cellCount = 0
    var known: Set<String> = []
    // Names and labels stand in many rows, and are kept once.
    func shared(_ text: String) -> String {
      guard text.utf8.count > longestInline else { return text }
      if known.count < largestCellCount { return known.insert(text).memberAfterInsert }
      return known.firstIndex(of: text).map { known[$0] } ?? text
    }
    func endCell() throws(Malformed) {
      guard cell.count <= largestCell, cells.count < largestCellCount else {
        throw Malformed(MessageText("largeRow", ["file": name, "row": number]))
      }
      cells.append(shared(Self.trimmed(cell)))
      cell.removeAll(keepingCapacity: true)
    }
    func endRow() throws(Malformed) {
      try endCell()
      if cells.contains(where: { !$0.isEmpty }) {
        cellCount += cells.count
        guard rows.count < largestRowCount else {
          throw Malformed(MessageText("manyRows", ["file": name, "limit": largestRowCount]))
        }
        guard cellCount <= largestTable else {
          throw Malformed(MessageText("largeTable", ["file": name]))
        }
        rows.append(Row(number: number, cells: cells))
      }
      // What is emptied while a row shares it takes as much again, and more where the heap has no such
      // hole, so that rows grow to a hundred times their size.
      cells = []
      cells.reserveCapacity(rows.first?.cells.count ?? 0)
      number += 1
    }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case quote where cell.allSatisfy({ $0 == UInt8(ascii: " ") }):
        cell.removeAll(keepingCapacity: true)
        var isClosed = false
        while index < bytes.count, !isClosed {
          if bytes[index] != quote {
            cell.append(bytes[index])
          } else if index + 1 < bytes.count, bytes[index + 1] == quote {
            cell.append(quote)
            index += 1
          } else {
            isClosed = true
          }
          index += 1
        }
        guard isClosed else {
          throw Malformed(MessageText("openQuotation", ["file": name, "row": number]))
        }
      case separator: try endCell()
      case lineFeed: try endRow()
      case carriageReturn:
        if index < bytes.count, bytes[index] == lineFeed { index += 1 }
        try endRow()
      default: cell.append(byte)
      }
    }
    if !cell.isEmpty || !cells.isEmpty { try endRow() }
    return rows
  }

  /// A cell without spaces around it.
  private static func trimmed(_ cell: [UInt8]) -> String {
    let space = UInt8(ascii: " ")
    var part = cell[...]
    while part.first == space { part.removeFirst() }
    while part.last == space { part.removeLast() }
    let text = String(decoding: part, as: UTF8.self)
    // Others are rare, and take ten times as long to find.
    let isPlain = [part.first, part.last].allSatisfy { $0.map { $0 > space && $0 < 128 } ?? true }
    return isPlain ? text : text.trimmingCharacters(in: .whitespaces)
  }
}
