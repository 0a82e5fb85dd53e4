import Foundation
import KinemaFiles

/// The rows of a CSV or JSON annotation file by column.
struct AnnotationTable {
  struct Row {
    /// Its location, such as `annotations.csv, row 7`.
    let place: String
    let cells: [String]
  }

  let name: String
  let columns: [String]
  let rows: [Row]
  /// Rows with another number of cells than columns.
  private(set) var findings: [DataFinding] = []

  /// Creates a table with the first row as column names.
  init(_ text: CSV, name: String) throws {
    guard let header = text.rows.first else {
      throw TrainingError(.badData, MessageText("emptyTable", ["file": name]))
    }
    self.name = name
    columns = header.cells
    let count = columns.count
    guard text.rows.count * count <= CSV.largestTable else { throw Self.tooLarge(name) }
    var findings: [DataFinding] = []
    rows = text.rows.dropFirst().compactMap { row in
      let place = "\(name), row \(row.number)"
      var cells = row.cells
      while cells.count > count, cells.last == "" { cells.removeLast() }
      guard cells.count <= count else {
        findings.append(
          DataFinding(
            .error, .badAnnotation, file: name,
            "\(place) has \(cells.count) values for \(count) columns: put quotation marks round a "
              + "value that holds a separator.",
            text: MessageText("longRow", ["place": place, "count": cells.count, "columns": count])))
        return nil
      }
      if cells.count < count { cells += repeatElement("", count: count - cells.count) }
      return Row(place: place, cells: cells)
    }
    self.findings = findings
  }

  /// Creates a table with the keys of JSON objects as column names.
  init(_ entries: [[String: Any]], name: String) {
    self.name = name
    let columns = Set(entries.flatMap(\.keys)).sorted()
    self.columns = columns
    rows = entries.enumerated().map { index, entry in
      Row(
        place: "\(name), entry \(index + 1)",
        cells: columns.map { JSONText.text(of: entry[$0]) ?? "" })
    }
  }

  static func tooLarge(_ name: String) -> TrainingError {
    TrainingError(.badData, MessageText("largeTable", ["file": name]))
  }

  /// The column with one of the names, exact or in another spelling.
  func column(_ names: [String]) -> Int? {
    AnnotationColumns.index(of: names, in: columns)
  }

  /// The column with one of the names; throws ``TrainingError`` if there is none.
  func requiredColumn(_ names: [String], for what: String) throws -> Int {
    if let index = column(names) { return index }
    let named = columns.filter { !$0.isEmpty }.map { "“\($0.prefix(40))”" }
    let present =
      named.prefix(20).joined(separator: ", ") + (named.count > 20 ? " and others" : "")
    throw TrainingError(
      .badData,
      MessageText(
        "missingColumn",
        [
          "file": name, "column": names[0], "use": what,
          "columns": present.isEmpty ? "none" : present,
        ]))
  }
}

enum JSONText {
  /// A string, a number or null as text; `nil` for a list or an object.
  static func text(of value: Any?) -> String? {
    switch value {
    case nil, is NSNull: ""
    case let text as String: text.trimmingCharacters(in: .whitespacesAndNewlines)
    case let number as NSNumber: number.stringValue
    default: nil
    }
  }

  /// A number, or a string with one.
  static func number(of value: Any?) -> Double? {
    text(of: value).flatMap { AnnotationTime.seconds($0) }
  }
}

package enum AnnotationTime {
  /// The largest number that a time can have, either side of 0: three centuries in seconds.
  static let largest = 1e10

  /// Seconds up to ``largest`` (`12.5`, also `12,5`), or hours, minutes and seconds (`1:02:03.5`).
  package static func seconds(_ text: String) -> Double? {
    // Nearly all are plain numbers.
    if let seconds = Double(text), abs(seconds) <= largest { return seconds }
    let parts = text.replacing(",", with: ".").split(
      separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var total = 0.0
    for part in parts {
      guard let value = Double(part), value.isFinite, parts.count == 1 || value >= 0 else {
        return nil
      }
      total = total * 60 + value
    }
    return abs(total) <= largest ? total : nil
  }
}
