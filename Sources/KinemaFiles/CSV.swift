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

  package let rows: [Row]

  /// A line of a table: its cells, quoted where they must be.
  package static func line(_ cells: [String], ending: String = "\n") -> String {
    cells.map { cell in
      guard cell.utf8.contains(where: { ",\"\n\r".utf8.contains($0) }) else { return cell }
      let parts = cell.split(separator: "\"", omittingEmptySubsequences: false)
      return "\"" + parts.joined(separator: "\"\"") + "\""
    }.joined(separator: ",") + ending
  }

  /// Parses a text; its first line shows the separator; throws ``Malformed`` where it is no text,
  /// or a quotation mark is missing.
  package init(_ data: Data, name: String) throws(Malformed) {
    let bytes = try Self.text(data, name: name)
    rows = try Self.rows(of: bytes, separator: Self.separator(in: bytes), name: name)
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
    of bytes: [UInt8], separator: UInt8, name: String
  ) throws(Malformed) -> [Row] {
    var rows: [Row] = []
    var number = 1
    var cells: [String] = []
    var cell: [UInt8] = []
    var index = 0
    func endCell() throws(Malformed) {
      guard cell.count <= largestCell, cells.count < largestCellCount else {
        throw Malformed(MessageText("largeRow", ["file": name, "row": number]))
      }
      cells.append(String(decoding: cell, as: UTF8.self).trimmingCharacters(in: .whitespaces))
      cell.removeAll(keepingCapacity: true)
    }
    func endRow() throws(Malformed) {
      try endCell()
      if cells.contains(where: { !$0.isEmpty }) { rows.append(Row(number: number, cells: cells)) }
      cells.removeAll(keepingCapacity: true)
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
}
