import Foundation
import KinemaFiles

/// A list of Kinetics: `label,youtube_id,time_start,time_end,split`.
///
/// A clip is `ID_000010_000020.mp4`, as the usual downloaders cut it, and then whole; or the file with the id as
/// its name, and then the seconds of the row.
struct KineticsImport: AnnotationImport {
  static let format = AnnotationFormat.kinetics
  private let context: AnnotationContext

  init(_ context: AnnotationContext) { self.context = context }

  static func recognizes(_ document: AnnotationDocument) -> Bool {
    guard case .rows(let table) = document else { return false }
    return table.column(["youtube_id"]) != nil && table.column(["label"]) != nil
      && table.column(["time_start"]) != nil && table.column(["time_end"]) != nil
  }

  func read(_ document: AnnotationDocument, into collector: inout AnnotationCollector) throws {
    guard case .rows(let table) = document, Self.recognizes(document) else {
      throw Self.mismatch(context.name)
    }
    let id = try table.requiredColumn(["youtube_id"], for: "the names of the files")
    let label = try table.requiredColumn(["label"], for: "the labels")
    let from = try table.requiredColumn(["time_start"], for: "the times")
    let to = try table.requiredColumn(["time_end"], for: "the times")
    let split = TableRoles.setColumn(of: table)
    collector.note(table.findings)
    for row in table.rows {
      guard let start = AnnotationTime.seconds(row.cells[from]),
        let end = AnnotationTime.seconds(row.cells[to]), start >= 0
      else {
        collector.note(
          .badAnnotation, row.cells[id],
          MessageText("badTime", ["place": row.place, "time": row.cells[from]]))
        continue
      }
      let cut = "\(row.cells[id])_\(Self.digits(start))_\(Self.digits(end))"
      let isCut = collector.hasFile(stem: cut)
      collector.add(
        place: row.place, name: isCut ? cut : row.cells[id], label: row.cells[label],
        start: isCut ? nil : .seconds(start), end: isCut ? nil : .seconds(end),
        setWord: split.map { row.cells[$0] }, isStem: true)
    }
  }

  /// A time in whole seconds, with six digits.
  private static func digits(_ seconds: Double) -> String {
    let text = "\(Int(saturating: seconds))"
    return String(repeating: "0", count: max(0, 6 - text.count)) + text
  }
}

/// A list of Charades: a row a video, with `id` and `actions` such as `c092 11.90 21.20;c147 0.00 12.60`.
///
/// Labels are the codes of the classes.
struct CharadesImport: AnnotationImport {
  static let format = AnnotationFormat.charades
  private let context: AnnotationContext

  init(_ context: AnnotationContext) { self.context = context }

  static func recognizes(_ document: AnnotationDocument) -> Bool {
    guard case .rows(let table) = document else { return false }
    return table.column(["id"]) != nil && table.column(["actions"]) != nil
  }

  func read(_ document: AnnotationDocument, into collector: inout AnnotationCollector) throws {
    guard case .rows(let table) = document, Self.recognizes(document) else {
      throw Self.mismatch(context.name)
    }
    let id = try table.requiredColumn(["id"], for: "the names of the files")
    let actions = try table.requiredColumn(["actions"], for: "the labels")
    let person = table.column(AnnotationColumns.personNames)
    collector.note(table.findings)
    for row in table.rows {
      for action in row.cells[actions].split(separator: ";") {
        let parts = action.split(separator: " ").map(String.init)
        guard parts.count == 3, let start = AnnotationTime.seconds(parts[1]),
          let end = AnnotationTime.seconds(parts[2])
        else {
          collector.note(
            .badAnnotation, row.cells[id],
            MessageText("badTime", ["place": row.place, "time": String(action.prefix(100))]))
          continue
        }
        collector.add(
          place: row.place, name: row.cells[id], label: parts[0], start: .seconds(start),
          end: .seconds(end), person: person.map { row.cells[$0] }, isStem: true)
      }
    }
  }
}

/// Label Studio's CSV or TSV: the cells of a control hold the regions as JSON.
struct LabelStudioTableImport: AnnotationImport {
  static let format = AnnotationFormat.labelStudio
  private let context: AnnotationContext

  init(_ context: AnnotationContext) { self.context = context }

  static func recognizes(_ document: AnnotationDocument) -> Bool {
    guard case .rows(let table) = document else { return false }
    return table.rows.contains { $0.cells.contains { $0.contains("\"timelinelabels\"") } }
  }

  func read(_ document: AnnotationDocument, into collector: inout AnnotationCollector) throws {
    guard case .rows(let table) = document, Self.recognizes(document) else {
      throw Self.mismatch(context.name)
    }
    collector.note(table.findings)
    let entries = table.rows.map { row in
      Dictionary(zip(table.columns, row.cells)) { first, _ in first }.mapValues { cell -> Any in
        // What is no JSON is a text.
        (try? JSONSerialization.jsonObject(with: Data(cell.utf8))) ?? cell
      }
    }
    LabelStudioExport(name: context.name, frameRate: context.frameRate)
      .read(entries, into: &collector)
  }
}
