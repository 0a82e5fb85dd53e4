/// A table of repetitions in the format of RepCount and Countix: `type,name,count,L1,L2,…`, the
/// first and last frame of each repetition.
///
/// The segment spans all repetitions, or the whole video if a row has none.
struct RepetitionTable {
  let frameRate: Double?

  static func recognizes(_ table: AnnotationTable) -> Bool {
    table.column(["type"]) != nil && table.column(["name"]) != nil
      && table.column(["count"]) != nil && table.column(["L1"]) != nil
  }

  func read(_ table: AnnotationTable, into collector: inout AnnotationCollector) throws {
    let label = try table.requiredColumn(["type"], for: "the labels")
    let video = try table.requiredColumn(["name"], for: "the names of the files")
    let bounds = table.columns.indices.filter { index in
      let name = table.columns[index]
      return name.first.map { "Ll".contains($0) } == true && Int(name.dropFirst()) != nil
    }
    collector.note(table.findings)
    for row in table.rows {
      let texts = bounds.map { row.cells[$0] }.filter { !$0.isEmpty }
      let frames = texts.compactMap { Double($0) }.filter { abs($0) < AnnotationTime.largest }
      guard frames.count == texts.count else {
        collector.note(
          .badAnnotation, row.cells[video],
          MessageText("notFrameNumber", ["place": row.place]))
        continue
      }
      collector.add(
        place: row.place, name: row.cells[video], label: row.cells[label],
        start: frames.min().flatMap { .frame($0, at: frameRate) },
        end: frames.max().flatMap { .frame($0 + 1, at: frameRate) })
    }
  }
}
