import Foundation
import KinemaFiles

struct AnnotationFile {
  /// The most bytes of a file, and the most rows, so that reading it takes little memory.
  static let largestByteCount = 64 << 20
  static let largestRowCount = 200_000
  /// The most lists, objects and values in JSON: those of as many rows, some of them nested.
  private static let largestValueCount = 20 * largestRowCount

  let url: URL
  private let content: AnnotationDocument
  /// The format of another tool, which is named where the file cannot be read.
  private let foreign: FileKind?

  /// Reads a file; JSON starts with `[` or `{`, XML with `<`, anything else is CSV; throws ``TrainingError``
  /// if it is missing, too large or none of them.
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
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      if isFolder.boolValue {
        throw TrainingError(.badData, MessageText("folderNotTable", ["folder": url.path]))
      }
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
    foreign = FileKind(data).flatMap { $0 == .json ? nil : $0 }
    do {
      let text = try CSV.text(data, name: name)
      let first = text.first { !" \t\r\n".utf8.contains($0) }
      if first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
        || url.pathExtension.lowercased() == "json"
      {
        guard Self.valueCount(of: text) <= Self.largestValueCount else {
          throw AnnotationTable.tooLarge(name)
        }
        content = try Self.document(of: Data(text), name: name)
      } else if first == UInt8(ascii: "<") {
        content = .markup(try MarkupElement.root(of: Array(text)))
      } else {
        let rows = try CSV(utf8: text, name: name, largestRowCount: Self.largestRowCount)
        content = .rows(try AnnotationTable(rows, name: name))
      }
    } catch {
      throw Self.failure(error, name: name, foreign: foreign)
    }
  }

  private static func failure(
    _ error: any Error, name: String, foreign: FileKind?
  ) -> any Error {
    // Those are read, where they are whole.
    let known: Set<FileKind> = [.elan, .boris, .via, .cvat, .activityNet, .kinetics]
    if let foreign, !(error is TrainingError && known.contains(foreign)) {
      return TrainingError(.badData, foreign.refusal(of: name, expected: .table), cause: error)
    }
    if error is MarkupElement.Malformed {
      return TrainingError(.badData, MessageText("badMarkup", ["file": name]), cause: error)
    }
    return error is CSV.Malformed ? TrainingError(.badData, reporting: error) : error
  }

  /// The format of the content; `nil` if it is not an annotation file.
  func format(_ columns: AnnotationColumns) -> AnnotationFormat? {
    if let format = AnnotationImports.format(of: content) { return format }
    switch content {
    case .object, .markup: return nil
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
  ///
  /// - Parameter notesUnnamed: Whether videos that no row names are findings.
  func listing(
    for folder: MediaFolder, format: AnnotationFormat, columns: AnnotationColumns,
    frameRate: Double?, notesUnnamed: Bool = false
  ) throws -> DataListing {
    var collector = AnnotationCollector(folder: folder)
    do {
      try read(format, columns, frameRate: frameRate, into: &collector)
    } catch {
      throw Self.failure(error, name: url.lastPathComponent, foreign: foreign)
    }
    if notesUnnamed { try collector.noteUnnamed(in: folder) }
    return collector.listing
  }

  /// Whether the labels are in tracks with names (tiers, attributes) rather than in a column.
  var hasTracks: Bool {
    switch content {
    case .object, .markup: true
    case .rows, .entries: false
    }
  }

  private func read(
    _ format: AnnotationFormat, _ columns: AnnotationColumns, frameRate: Double?,
    into collector: inout AnnotationCollector
  ) throws {
    let name = url.lastPathComponent
    let actual = format == .automatic ? self.format(columns) ?? .table : format
    let label = columns.label == AnnotationColumns.defaultLabel ? nil : columns.label
    let context = AnnotationContext(name: name, frameRate: frameRate, label: label)
    let isTable = if case .rows = content { true } else { false }
    // Label Studio writes a list as well, which is read below.
    if actual != .labelStudio || isTable,
      let reader = AnnotationImports.reader(of: actual, content, context)
    {
      try reader.read(content, into: &collector)
      return try checkNotEmpty(collector)
    }
    switch (actual, content) {
    case (.labelStudio, .entries(let entries)):
      LabelStudioExport(name: name, frameRate: frameRate).read(entries, into: &collector)
    case (.labelU, .entries(let entries)):
      LabelUExport(name: name).read(entries, into: &collector)
    case (.repetitionCounts, .rows(let table)):
      try RepetitionTable(frameRate: frameRate).read(table, into: &collector)
    case (.table, .rows(let table)), (.automatic, .rows(let table)):
      try read(table, columns, frameRate: frameRate, into: &collector)
    case (.table, .entries(let entries)), (.automatic, .entries(let entries)):
      try read(
        AnnotationTable(entries, name: name), columns, frameRate: frameRate, into: &collector)
    case (.labelU, .rows):
      throw TrainingError(.badData, MessageText("notJSON", ["file": name]))
    case (.repetitionCounts, _):
      throw TrainingError(.badData, MessageText("notRepetitionTable", ["file": name]))
    default:
      throw TrainingError(.badData, MessageText("notAnnotationList", ["file": name]))
    }
    try checkNotEmpty(collector)
  }

  private func checkNotEmpty(_ collector: AnnotationCollector) throws {
    guard collector.listing.annotations.isEmpty, collector.listing.findings.isEmpty else { return }
    throw TrainingError(.badData, MessageText("noAnnotations", ["file": url.lastPathComponent]))
  }

  /// Reads rows of file, label, start and end.
  private func read(
    _ table: AnnotationTable, _ columns: AnnotationColumns, frameRate: Double?,
    into collector: inout AnnotationCollector
  ) throws {
    if table.rows.isEmpty, table.findings.isEmpty {
      throw TrainingError(.badData, MessageText("noAnnotations", ["file": table.name]))
    }
    let roles = try TableRoles(table, columns)
    collector.note(table.findings)
    for row in table.rows {
      let file = row.cells[roles.video]
      do {
        let (start, end) = try roles.bounds(of: row, frameRate: frameRate)
        collector.add(
          place: row.place, name: file, label: row.cells[roles.label], start: start, end: end,
          person: roles.person.map { row.cells[$0] },
          setWord: roles.set.map { row.cells[$0] })
      } catch {
        collector.note(
          .badAnnotation, file, MessageText("badTime", ["place": row.place, "time": error.text]))
      }
    }
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

  /// A JSON file: that of a tool that is an object, or objects of which there are not too many.
  private static func document(of data: Data, name: String) throws -> AnnotationDocument {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: data)
    } catch {
      throw TrainingError(.badData, MessageText("invalidJSON", ["file": name]), cause: error)
    }
    if let object = value as? [String: Any],
      AnnotationImports.format(of: .object(object)) != nil
    {
      return .object(object)
    }
    let entries = try entries(in: value, name: name)
    let columns = entries.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
    guard entries.count <= largestRowCount, entries.count * columns.count <= CSV.largestTable else {
      throw AnnotationTable.tooLarge(name)
    }
    return .entries(entries)
  }

  /// The objects of a JSON file: a list, an object that contains one, or lists as columns.
  private static func entries(in value: Any, name: String) throws -> [[String: Any]] {
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
