import Foundation
import KinemaFiles
import KinemaTraining

/// The annotation file of a well, read and written without losing columns that Kinema does not know.
struct ItemTable {
  /// What a known column holds, in the order of a new file.
  private enum Role: Int, CaseIterable {
    case id, file, label, start, end, person

    var names: [String] {
      let columns = AnnotationColumns()
      return switch self {
      case .id: ["id"]
      case .file: columns.videoNames
      case .label: columns.labelNames
      case .start: AnnotationColumns.startTimeNames
      case .end: AnnotationColumns.endTimeNames
      case .person: AnnotationColumns.personNames
      }
    }
  }

  let well: Well
  private(set) var items: [ProjectItem]
  private var columns: [String]
  /// The column of each role, in their order.
  private var roles: [Int?]
  private var blocks = RowBlocks()

  /// A table without rows.
  init(_ well: Well) {
    self.well = well
    items = []
    columns = Role.allCases.map { $0.names[0] }
    roles = Role.allCases.map(\.rawValue)
  }

  /// Reads a file; rows without an id, or with one that another has, get one by their content.
  ///
  /// - Parameter ids: The ids in use; those of this table are added.
  /// - Throws: ``StudioError`` where it is not a table.
  init(_ data: Data, well: Well, ids: inout Set<String>) throws {
    self.init(well)
    let name = well.fileName
    let text: CSV
    do {
      // The first row names the columns.
      text = try CSV(data, name: name, largestRowCount: Project.maximumItemCount + 1)
    } catch {
      throw StudioError(.badData(error))
    }
    guard let header = text.rows.first?.cells else { return }
    columns = header
    roles = Role.allCases.map { AnnotationColumns.index(of: $0.names, in: header) }
    guard column(of: .file) != nil, column(of: .label) != nil else {
      throw StudioError(.noColumns(file: name))
    }
    for row in text.rows.dropFirst() {
      var item = item(row.cells, row: row.number)
      if item.id.isEmpty || ids.contains(item.id) {
        item = item.named(Self.id(of: row.cells, notIn: ids))
      }
      ids.insert(item.id)
      append(item)
    }
  }

  private func column(of role: Role) -> Int? { roles[role.rawValue] }

  private func item(_ cells: [String], row: Int) -> ProjectItem {
    func cell(_ role: Role) -> String {
      column(of: role).flatMap { cells.indices.contains($0) ? cells[$0] : nil } ?? ""
    }
    var item = ProjectItem(id: cell(.id), well: well, file: cell(.file), label: cell(.label))
    item.person = cell(.person).isEmpty ? nil : cell(.person)
    for role in [Role.start, .end] where !cell(role).isEmpty {
      guard let seconds = AnnotationTime.seconds(cell(role)),
        seconds.magnitude <= ProjectItem.latestTime
      else {
        item.problem = .badRowTime(
          table: well.fileName, row: row, time: StudioMessage.quoted(cell(role)))
        // Kept as it is until a time is given.
        item.others[column(of: role).map { columns[$0] } ?? ""] = cell(role)
        continue
      }
      if role == .start { item.start = seconds } else { item.end = seconds }
    }
    for (index, value) in cells.enumerated() where !value.isEmpty && !roles.contains(index) {
      item.others[columns.indices.contains(index) ? columns[index] : "column \(index + 1)"] = value
    }
    if item.file.isEmpty || item.label.isEmpty {
      item.problem =
        item.file.isEmpty
        ? .rowWithoutFile(table: well.fileName, row: row)
        : .rowWithoutLabel(table: well.fileName, row: row)
    }
    return item
  }

  private static func id(of cells: [String], notIn ids: Set<String>) -> String {
    var text = cells.joined(separator: "\u{1F}")
    while true {
      let id = String(ContentHash.sha256(of: Data(text.utf8)).prefix(10))
      if !ids.contains(id) { return id }
      text += "\u{1F}"
    }
  }

  // MARK: - Changes

  mutating func append(_ item: ProjectItem) {
    addColumns(for: item)
    items.append(item)
    blocks.append()
  }

  mutating func replace(_ row: Int, with item: ProjectItem) {
    addColumns(for: item)
    items[row] = item
    blocks.change(row)
  }

  /// - Parameter rows: In ascending order.
  mutating func remove(_ rows: [Int]) {
    guard var kept = rows.first else { return }
    var gone = rows[...]
    for row in kept..<items.count {
      if row == gone.first {
        gone.removeFirst()
      } else {
        items[kept] = items[row]
        kept += 1
      }
    }
    items.removeLast(items.count - kept)
    blocks.remove(rows)
  }

  /// Finds what is wrong with the flawed rows as they are now; their flaws name their places.
  mutating func checkFlaws() {
    let contents = contents
    for row in items.indices where items[row].problem != nil {
      let cells = zip(columns, contents).map { Self.text($0, $1, items[row]) ?? "" }
      items[row] = item(cells, row: row + 2)
    }
  }

  /// Adds the columns that a row needs, at the end.
  private mutating func addColumns(for item: ProjectItem) {
    let count = columns.count
    for role in Role.allCases where column(of: role) == nil && Self.text(role, item) != nil {
      roles[role.rawValue] = columns.count
      columns.append(role.names[0])
    }
    for name in item.others.keys.sorted() where !columns.contains(name) { columns.append(name) }
    if columns.count > count { blocks.changeAll() }
  }

  // MARK: - Text

  /// The file.
  mutating func csv() -> Data {
    let (items, columns, contents) = (items, columns, contents)
    return blocks.text(after: CSV.line(columns)) { row, bytes in
      for (column, role) in contents.enumerated() {
        if column > 0 { bytes.append(UInt8(ascii: ",")) }
        if let value = Self.text(columns[column], role, items[row]) {
          CSV.append(value, to: &bytes)
        }
      }
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// What each column holds; `nil` for one that Kinema does not know.
  private var contents: [Role?] {
    columns.indices.map { index in Role.allCases.first { column(of: $0) == index } }
  }

  private static func text(_ column: String, _ role: Role?, _ item: ProjectItem) -> String? {
    role.flatMap { text($0, item) } ?? item.others[column]
  }

  private static func text(_ role: Role, _ item: ProjectItem) -> String? {
    switch role {
    case .id: item.id
    case .file: item.file
    case .label: item.label
    case .start: item.start.map(text)
    case .end: item.end.map(text)
    case .person: item.person
    }
  }

  /// Seconds without a fraction where they are whole.
  private static func text(_ seconds: Double) -> String {
    let rounded = ProjectItem.rounded(seconds)
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
  }
}

extension ProjectItem {
  fileprivate func named(_ id: String) -> ProjectItem {
    var item = ProjectItem(
      id: id, well: well, file: file, label: label, start: start, end: end, person: person)
    item.problem = problem
    item.others = others
    return item
  }
}
