package import Foundation
import KinemaCoach
import KinemaFiles

/// A session as a file for other programs.
package struct SessionExport: Sendable {
  package enum Format: String, CaseIterable, Sendable {
    /// A table: see ``SessionExport/csv(_:)``.
    case csv
    /// The session as `/api/v1/history/ID` returns it.
    case json
  }

  package var fileName: String
  package var data: Data
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

  private static let columns = [
    "row", "start", "end", "seconds", "label", "person", "repetitions", "weight",
    "targetRepetitions", "targetSeconds", "isDone", "joint", "bottom", "top", "range", "down",
    "hold", "up", "difference", "cues",
  ]

  /// CSV (RFC 4180): a `stretch` row for each stretch, then a `set` row for each set, then a `total`
  /// row for each action; seconds from the start of the session.
  ///
  /// Text that a spreadsheet would interpret as a formula gets an apostrophe. A byte order mark
  /// precedes non-ASCII text, whose encoding some spreadsheets would guess.
  static func csv(_ session: SessionRecord) -> String {
    var rows: [[String]] = []
    for stretch in session.timeline ?? [] {
      rows.append([
        "stretch", number(stretch.start), number(stretch.end), number(stretch.end - stretch.start),
        cell(stretch.label), stretch.person.map(String.init) ?? "", String(stretch.repetitions),
      ])
    }
    rows += session.sets.map(Self.row)
    for entry in session.entries {
      rows.append([
        "total", "", "", number(entry.seconds), cell(entry.label), "", String(entry.repetitions),
      ])
    }
    let complete =
      [columns]
      + rows.map { row in
        row + [String](repeating: "", count: columns.count - row.count)
      }
    let text = complete.map { CSV.line($0, ending: "\r\n") }.joined()
    return text.utf8.allSatisfy { $0 < 0x80 } ? text : "\u{feff}" + text
  }

  private static func row(_ set: TrainedSet) -> [String] {
    let (target, form) = (set.target, set.form)
    let values = [
      form?.bottom, form?.top, form?.range, form?.down, form?.hold, form?.up, form?.difference,
    ]
    var row = [
      "set", number(set.start), number(set.end), number(set.seconds), cell(set.label), "",
      String(set.repetitions), number(set.weight),
    ]
    row.append(target?.repetitions.map(String.init) ?? "")
    row.append(number(target?.seconds))
    row.append(target.map { String($0.isDone) } ?? "")
    row.append(form?.joint?.rawValue ?? "")
    row += values.map(number)
    let cues = (form?.cues ?? []).map { "\($0.text) (\($0.count))" }
    return row + [cell(cues.joined(separator: " "))]
  }

  private static func number(_ value: Double?) -> String {
    value.map { (($0 * 1000).rounded() / 1000).description } ?? ""
  }

  private static func cell(_ text: String) -> String {
    let formulaBeginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n"]
    let beginsFormula = text.unicodeScalars.first.map(formulaBeginnings.contains) ?? false
    return beginsFormula ? "'" + text : text
  }
}

extension History {
  /// Exports a session; throws ``ServerError`` with the code `notFound` if there is no such
  /// session.
  package func export(_ id: Int, as format: SessionExport.Format) throws -> SessionExport {
    guard let session = try session(id) else { throw Self.notFound(id) }
    return try SessionExport(of: session, as: format)
  }
}
