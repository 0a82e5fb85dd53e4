import Foundation
import KinemaFiles

struct AnnotationFile {
  private enum Content {
    case rows(AnnotationTable)
    case entries([[String: Any]])
  }

  /// The most bytes of a file, and the most rows, so that reading it takes little memory.
  static let largestByteCount = 64 << 20
  static let largestRowCount = 200_000
  /// The most lists, objects and values in JSON: those of as many rows, some of them nested.
  private static let largestValueCount = 20 * largestRowCount

  let url: URL
  private let content: Content

  /// Reads a file; JSON starts with `[` or `{`, anything else is CSV; throws ``TrainingError`` if
  /// it is missing, too large or neither.
  init(_ url: URL) throws {
    let data: Data
    do {
      let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      guard size <= Self.largestByteCount else {
        throw TrainingError(
          .badData,
          MessageText(
            "manyBytes",
            ["file": url.lastPathComponent, "limit": Self.largestByteCount >> 20]))
      }
      data = try Data(contentsOf: url)
    } catch let error as TrainingError {
      throw error
    } catch {
      let isThere = FileManager.default.fileExists(atPath: url.path)
      throw TrainingError(
        isThere ? .badData : .missing,
        "The annotation file \(url.path) cannot be read: "
          + (isThere ? "check its permissions." : "there is no such file; check the path."),
        text: (isThere ? MessageText("unreadableFile") : MessageText("fileGone")).adding([
          "file": url.path
        ]),
        cause: error)
    }
    self.url = url
    let name = url.lastPathComponent
    do {
      let text = try CSV.text(data, name: name)
      let first = text.first { !" \t\r\n".utf8.contains($0) }
      if first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
        || url.pathExtension.lowercased() == "json"
      {
        guard Self.valueCount(of: text) <= Self.largestValueCount else {
          throw AnnotationTable.tooLarge(name)
        }
        let entries = try Self.entries(of: Data(text), name: name)
        let columns = entries.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
        guard entries.count <= Self.largestRowCount,
          entries.count * columns.count <= CSV.largestTable
        else {
          throw AnnotationTable.tooLarge(name)
        }
        content = .entries(entries)
      } else {
        let rows = try CSV(utf8: text, name: name, largestRowCount: Self.largestRowCount)
        content = .rows(try AnnotationTable(rows, name: name))
      }
    } catch let error as CSV.Malformed {
      throw TrainingError(.badData, reporting: error)
    }
  }

  /// The format of the content; `nil` if it is not an annotation file.
  func format(_ columns: AnnotationColumns) -> AnnotationFormat? {
    switch content {
    case .entries(let entries):
      if LabelStudioExport.recognizes(entries) { return .labelStudio }
      if LabelUExport.recognizes(entries) { return .labelU }
      let table = AnnotationTable(entries, name: "")
      return isTable(table, columns) ? .table : nil
    case .rows(let table):
      if RepetitionTable.recognizes(table) { return .repetitionCounts }
      return isTable(table, columns) ? .table : nil
    }
  }

  private func isTable(_ table: AnnotationTable, _ columns: AnnotationColumns) -> Bool {
    table.column(columns.videoNames) != nil && table.column(columns.labelNames) != nil
  }

  /// The labelled segments in the files of a folder; throws ``TrainingError`` if the file does not
  /// have the format.
  func listing(
    for folder: MediaFolder, format: AnnotationFormat, columns: AnnotationColumns,
    frameRate: Double?
  ) throws -> DataListing {
    var collector = AnnotationCollector(folder: folder)
    let name = url.lastPathComponent
    let actual = format == .automatic ? self.format(columns) ?? .table : format
    switch (actual, content) {
    case (.labelStudio, .entries(let entries)):
      LabelStudioExport(name: name, frameRate: frameRate).read(entries, into: &collector)
    case (.labelU, .entries(let entries)):
      LabelUExport(name: name).read(entries, into: &collector)
    case (.repetitionCounts, .rows(let table)):
      try RepetitionTable(frameRate: frameRate).read(table, into: &collector)
    case (.table, .rows(let table)), (.automatic, .rows(let table)):
      try read(table, columns, into: &collector)
    case (.table, .entries(let entries)), (.automatic, .entries(let entries)):
      try read(AnnotationTable(entries, name: name), columns, into: &collector)
    case (.labelStudio, .rows), (.labelU, .rows):
      throw TrainingError(.badData, MessageText("notJSON", ["file": name]))
    case (.repetitionCounts, .entries):
      throw TrainingError(.badData, MessageText("notRepetitionTable", ["file": name]))
    }
    if collector.listing.annotations.isEmpty, collector.listing.findings.isEmpty {
      throw TrainingError(.badData, MessageText("noAnnotations", ["file": name]))
    }
    return collector.listing
  }

  /// Reads rows of file, label, start and end.
  private func read(
    _ table: AnnotationTable, _ columns: AnnotationColumns,
    into collector: inout AnnotationCollector
  ) throws {
    if table.rows.isEmpty, table.findings.isEmpty {
      throw TrainingError(.badData, MessageText("noAnnotations", ["file": table.name]))
    }
    let video = try table.requiredColumn(columns.videoNames, for: "the names of the files")
    let label = try table.requiredColumn(columns.labelNames, for: "the labels")
    let start = try timeColumn(
      columns.startTimeNames, isChosen: columns.startTime != AnnotationColumns.defaultStartTime,
      in: table)
    let end = try timeColumn(
      columns.endTimeNames, isChosen: columns.endTime != AnnotationColumns.defaultEndTime, in: table
    )
    let person = table.column(AnnotationColumns.personNames)
    collector.note(table.findings)
    for row in table.rows {
      var moments: [ActionAnnotation.Moment?] = []
      for column in [start, end] {
        let text = column.map { row.cells[$0] } ?? ""
        guard !text.isEmpty else {
          moments.append(nil)
          continue
        }
        guard let seconds = AnnotationTime.seconds(text) else {
          collector.note(
            .badAnnotation, row.cells[video],
            MessageText("badTime", ["place": row.place, "time": text]))
          break
        }
        moments.append(.seconds(seconds))
      }
      guard moments.count == 2 else { continue }
      collector.add(
        place: row.place, name: row.cells[video], label: row.cells[label], start: moments[0],
        end: moments[1], person: person.map { row.cells[$0] })
    }
  }

  /// A column chosen by the user must exist; a default one may be missing.
  private func timeColumn(
    _ names: [String], isChosen: Bool, in table: AnnotationTable
  ) throws -> Int? {
    guard !names.isEmpty else { return nil }
    if isChosen { return try table.requiredColumn(names, for: "the times") }
    return table.column(names)
  }

  // MARK: - JSON

  /// How many values a text has, at least: those after a comma, and what begins a list or an object.
  private static func valueCount(of json: [UInt8]) -> Int {
    var count = 0
    var isQuoted = false
    var isEscaped = false
    for byte in json {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if isQuoted {
        isEscaped = byte == UInt8(ascii: "\\")
      } else if ",[{".utf8.contains(byte) {
        count += 1
      }
    }
    return count
  }

  /// The objects of a JSON file: a list, an object that contains one, or lists as columns.
  private static func entries(of data: Data, name: String) throws -> [[String: Any]] {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: data)
    } catch {
      throw TrainingError(.badData, MessageText("invalidJSON", ["file": name]), cause: error)
    }
    if let list = value as? [Any] {
      let entries = list.compactMap { $0 as? [String: Any] }
      if entries.count == list.count { return entries }
      let index = list.firstIndex { !($0 is [String: Any]) } ?? 0
      throw TrainingError(.badData, MessageText("badEntry", ["file": name, "entry": index + 1]))
    }
    guard let object = value as? [String: Any] else { throw notAList(name) }
    let lists = object.compactMapValues { $0 as? [Any] }
    if lists.count == object.count, let count = lists.values.first?.count, count > 0,
      lists.count > 1,
      lists.values.allSatisfy({ $0.count == count })
    {
      return (0..<count).map { index in lists.mapValues { $0[index] } }
    }
    if object["data"] != nil || object["file_name"] != nil { return [object] }
    let candidates = lists.values.compactMap { $0 as? [[String: Any]] }.filter { !$0.isEmpty }
    guard candidates.count == 1 else { throw notAList(name) }
    return candidates[0]
  }

  private static func notAList(_ name: String) -> TrainingError {
    TrainingError(.badData, MessageText("notAnnotationList", ["file": name]))
  }
}
