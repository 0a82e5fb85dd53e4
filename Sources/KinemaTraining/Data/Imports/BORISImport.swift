import Foundation
import KinemaFiles

/// What BORIS writes: the table of aggregated events (CSV or TSV), and the project itself (`.boris`, JSON).
///
/// Only states have a duration; the events of points are counted in one warning. A behaviour's subject is the
/// person.
struct BORISImport: AnnotationImport {
  static let format = AnnotationFormat.boris
  private let context: AnnotationContext

  init(_ context: AnnotationContext) { self.context = context }

  static func recognizes(_ document: AnnotationDocument) -> Bool {
    switch document {
    case .object(let object):
      object["observations"] is [String: Any] && object["behaviors_conf"] is [String: Any]
    case .rows(let table): columns(of: table) != nil
    case .entries, .markup: false
    }
  }

  func read(_ document: AnnotationDocument, into collector: inout AnnotationCollector) throws {
    switch document {
    case .object(let object) where Self.recognizes(document): read(object, into: &collector)
    case .rows(let table):
      guard let columns = Self.columns(of: table) else { throw Self.mismatch(context.name) }
      read(table, columns, into: &collector)
    case .object, .entries, .markup: throw Self.mismatch(context.name)
    }
  }

  // MARK: - Aggregated events

  private typealias Columns = (behavior: Int, media: Int, start: Int, stop: Int, subject: Int?)

  private static func columns(of table: AnnotationTable) -> Columns? {
    guard let behavior = table.column(["Behavior"]),
      let media = table.column(["Media file name", "Media file", "Media file path"]),
      let start = table.column(["Start (s)"]), let stop = table.column(["Stop (s)"])
    else { return nil }
    return (behavior, media, start, stop, table.column(["Subject"]))
  }

  private func read(
    _ table: AnnotationTable, _ columns: Columns, into collector: inout AnnotationCollector
  ) {
    collector.note(table.findings)
    var pointCount = 0
    for row in table.rows {
      let times = [columns.start, columns.stop].map { AnnotationTime.seconds(row.cells[$0]) }
      let name = row.cells[columns.media]
      guard let start = times[0], let end = times[1] else {
        collector.note(
          .badAnnotation, name, MessageText("segmentWithoutTimes", ["place": row.place]))
        continue
      }
      guard end > start else {
        pointCount += 1
        continue
      }
      collector.add(
        place: row.place, name: name, label: row.cells[columns.behavior], start: .seconds(start),
        end: .seconds(end), person: columns.subject.flatMap { subject(row.cells[$0]) },
        isFromTool: true)
    }
    notePoints(pointCount, into: &collector)
  }

  private func subject(_ text: String) -> String? { text == "No focal subject" ? nil : text }

  private func notePoints(_ count: Int, into collector: inout AnnotationCollector) {
    guard count > 0 else { return }
    collector.note(
      .ignoredFile, severity: .warning, context.name,
      MessageText("pointEvents", ["file": context.name, "count": count]))
  }

  // MARK: - Projects

  private func read(_ project: [String: Any], into collector: inout AnnotationCollector) {
    let behaviors = (project["behaviors_conf"] as? [String: Any] ?? [:])
      .compactMap { $0.value as? [String: Any] }
    let states = Set(
      behaviors.filter { (JSONText.text(of: $0["type"]) ?? "").lowercased().hasPrefix("state") }
        .compactMap { JSONText.text(of: $0["code"]) })
    var pointCount = 0
    let observations = project["observations"] as? [String: Any] ?? [:]
    for (id, value) in observations.sorted(by: { $0.key < $1.key }) {
      let place = "\(context.name), \(id.prefix(100))"
      let observation = value as? [String: Any] ?? [:]
      let files = observation["file"] as? [String: Any] ?? [:]
      let names = files.sorted { $0.key < $1.key }
        .flatMap { ($0.value as? [Any] ?? []).compactMap { JSONText.text(of: $0) } }
      guard names.count == 1, let name = names.first else {
        // Times of several files in a row are those of all together.
        collector.note(
          .badAnnotation, nil,
          MessageText(names.isEmpty ? "namesNoFile" : "severalMedia", ["place": place]))
        continue
      }
      var open: [String: Double] = [:]
      for event in observation["events"] as? [[Any]] ?? [] {
        guard event.count >= 3, let time = JSONText.number(of: event[0]),
          let subject = JSONText.text(of: event[1]), let behavior = JSONText.text(of: event[2])
        else {
          collector.note(.badAnnotation, name, MessageText("segmentWithoutTimes", ["place": place]))
          continue
        }
        guard states.contains(behavior) else {
          pointCount += 1
          continue
        }
        // The events of a state are its start and its stop, in turn.
        let key = subject + "\n" + behavior
        guard let start = open.removeValue(forKey: key) else {
          open[key] = time
          continue
        }
        collector.add(
          place: place, name: name, label: behavior, start: .seconds(min(start, time)),
          end: .seconds(max(start, time)), person: self.subject(subject), isFromTool: true)
      }
      if let unpaired = open.keys.min() {
        collector.note(
          .badAnnotation, name,
          MessageText(
            "openState",
            ["place": place, "name": unpaired.split(separator: "\n").last.map(String.init) ?? ""]))
      }
    }
    notePoints(pointCount, into: &collector)
  }
}
