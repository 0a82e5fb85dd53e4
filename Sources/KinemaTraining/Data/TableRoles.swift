/// Which column of a table holds what, by the names of the columns.
struct TableRoles {
  /// A column of times.
  struct Times {
    let column: Int
    let unit: ColumnName.Unit
  }

  let video: Int
  let label: Int
  let person: Int?
  /// The column that puts rows into sets, if any.
  let set: Int?
  private(set) var start: Times?
  private(set) var end: Times?
  /// The length of a segment, in place of its end.
  private(set) var length: Times?

  /// Throws ``TrainingError`` where a column is missing, or looks like a time and is not understood:
  /// a row without times would label its whole video.
  init(_ table: AnnotationTable, _ columns: AnnotationColumns) throws {
    video = try table.requiredColumn(columns.videoNames, for: "the names of the files")
    label = try table.requiredColumn(columns.labelNames, for: "the labels")
    person = table.column(AnnotationColumns.personNames)
    set = Self.setColumn(of: table)
    if columns.hasDefaultTimes {
      try findTimes(table)
    } else {
      start = try Self.chosen(columns.startTime, AnnotationColumns.defaultStartTime, in: table)
      end = try Self.chosen(columns.endTime, AnnotationColumns.defaultEndTime, in: table)
    }
  }

  /// The column that puts rows into sets: one of such a name in which a row names a set.
  ///
  /// Where none does, the column means something else, such as the number of a set of repetitions.
  static func setColumn(of table: AnnotationTable) -> Int? {
    let columns = ["split", "subset", "partition", "set"].compactMap { table.column([$0]) }
    return columns.first { column in
      table.rows.contains { DataSets.Name(word: $0.cells[column]) != nil }
    }
  }

  /// A column that the user names; the default one, which may be missing, with the other's name.
  private static func chosen(
    _ name: String?, _ defaultName: String, in table: AnnotationTable
  ) throws -> Times? {
    guard let name else { return nil }
    let column =
      name == defaultName
      ? table.column([name]) : try table.requiredColumn([name], for: "the times")
    return column.map { Times(column: $0, unit: ColumnName(table.columns[$0]).unit) }
  }

  private mutating func findTimes(_ table: AnnotationTable) throws {
    var found: [ColumnName.Bound: [Times]] = [:]
    // Beside onsets, offsets are ends.
    let hasOnset = table.columns.contains { $0.lowercased().contains("onset") }
    for (index, name) in table.columns.enumerated() where ![video, label, person].contains(index) {
      let spelled = hasOnset ? name.lowercased().replacing("offset", with: "end") : name
      switch ColumnName(spelled).meaning {
      case .noTime: break
      case .unclear: throw Self.unclear(name, table)
      case .time(let bound, let unit):
        found[bound, default: []].append(Times(column: index, unit: unit))
      }
    }
    // Of times in several units, those of which both bounds are there.
    func times(_ bound: ColumnName.Bound, _ unit: ColumnName.Unit) -> Times? {
      found[bound]?.first { $0.unit == unit }
    }
    let units = ColumnName.Unit.allCases
    let isWhole = { (unit: ColumnName.Unit) in
      times(.start, unit) != nil && (times(.end, unit) != nil || times(.length, unit) != nil)
    }
    if let unit = units.first(where: isWhole) {
      (start, end) = (times(.start, unit), times(.end, unit))
      length = end == nil ? times(.length, unit) : nil
      return
    }
    (start, end) = (found[.start]?.first, found[.end]?.first)
    guard end == nil, let length = found[.length]?.first else { return }
    // A length alone, or one in other units than the start.
    guard let start, (start.unit == .frames) == (length.unit == .frames) else {
      throw Self.unclear(table.columns[length.column], table)
    }
    self.length = length
  }

  private static func unclear(_ column: String, _ table: AnnotationTable) -> TrainingError {
    TrainingError(.badData, MessageText("unclearTime", ["file": table.name, "column": column]))
  }

  /// The bounds of a row's segment; `nil` where there is none.
  ///
  /// - Throws: ``BadTime`` with the cell that is no time.
  func bounds(
    of row: AnnotationTable.Row, frameRate: Double?
  ) throws(BadTime) -> (start: ActionAnnotation.Moment?, end: ActionAnnotation.Moment?) {
    let from = try start.flatMap { times throws(BadTime) in try number(row, times) }
    let to = try end.flatMap { times throws(BadTime) in try number(row, times) }
    guard let length, let span = try number(row, length) else {
      return (moment(from, start, frameRate), moment(to, end, frameRate))
    }
    return (
      moment(from, start, frameRate), moment((from ?? 0) + span, start, frameRate)
    )
  }

  struct BadTime: Error { let text: String }

  /// A cell in seconds, or in frames; `nil` for an empty one.
  private func number(_ row: AnnotationTable.Row, _ times: Times) throws(BadTime) -> Double? {
    let text = row.cells[times.column]
    guard !text.isEmpty else { return nil }
    guard let number = AnnotationTime.seconds(text) else { throw BadTime(text: text) }
    guard let seconds = times.unit.seconds else {
      guard number == number.rounded() else { throw BadTime(text: text) }
      return number
    }
    return number * seconds
  }

  private func moment(
    _ number: Double?, _ times: Times?, _ frameRate: Double?
  ) -> ActionAnnotation.Moment? {
    guard let number, let times else { return nil }
    guard times.unit == .frames else { return .seconds(number) }
    return .frame(number, at: frameRate)
  }
}
