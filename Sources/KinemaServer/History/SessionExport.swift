package import Foundation

/// A session as a file for other programs.
package struct SessionExport: Sendable {
  /// The formats.
  package enum Format: String, CaseIterable, Sendable {
    /// A table: see ``SessionExport/csv(_:)``.
    case csv
    /// The session as `/api/v1/history/ID` gives it.
    case json
  }

  /// The name to save it under.
  package var fileName: String
  /// The file.
  package var data: Data
  /// Its media type.
  package var contentType: String

  init(of session: SessionRecord, as format: Format) throws {
    fileName = "kinema-session-\(session.id).\(format.rawValue)"
    switch format {
    case .csv:
      data = Data(Self.csv(session).utf8)
      contentType = "text/csv; charset=utf-8"
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      data = try encoder.encode(session) + Data("\n".utf8)
      contentType = "application/json; charset=utf-8"
    }
  }

  /// One table, as RFC 4180 writes it.
  ///
  /// It has a row for each stretch (`stretch` in the first column), then one for each action's sum
  /// (`total`). Times are in seconds from the start of the session.
  ///
  /// Text that a spreadsheet would take for a formula gets an apostrophe before it. A byte order mark
  /// stands at the beginning where there is more than ASCII: without it, some spreadsheets guess
  /// another encoding.
  static func csv(_ session: SessionRecord) -> String {
    var rows = [["row", "start", "end", "seconds", "label", "person", "repetitions"]]
    for stretch in session.timeline ?? [] {
      rows.append([
        "stretch", number(stretch.start), number(stretch.end), number(stretch.end - stretch.start),
        cell(stretch.label), stretch.person.map(String.init) ?? "", String(stretch.repetitions),
      ])
    }
    for entry in session.entries {
      rows.append([
        "total", "", "", number(entry.seconds), cell(entry.label), "", String(entry.repetitions),
      ])
    }
    let text = rows.map { $0.joined(separator: ",") + "\r\n" }.joined()
    return text.utf8.allSatisfy { $0 < 0x80 } ? text : "\u{feff}" + text
  }

  private static func number(_ seconds: Double) -> String {
    ((seconds * 1000).rounded() / 1000).description
  }

  private static func cell(_ text: String) -> String {
    let formulaBeginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n"]
    let beginsFormula = text.unicodeScalars.first.map(formulaBeginnings.contains) ?? false
    let safe = beginsFormula ? "'" + text : text
    guard safe.unicodeScalars.contains(where: { [",", "\"", "\r", "\n"].contains($0) }) else {
      return safe
    }
    return "\""
      + safe.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}

extension History {
  /// A session as a file for other programs.
  ///
  /// - Throws: ``ServerError`` with the code `notFound` where there is no such session.
  package func export(_ id: Int, as format: SessionExport.Format) throws -> SessionExport {
    guard let session = try session(id) else { throw Self.notFound(id) }
    return try SessionExport(of: session, as: format)
  }
}
