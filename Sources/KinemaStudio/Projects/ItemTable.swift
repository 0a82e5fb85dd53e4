import Foundation
import KinemaFiles
import KinemaTraining

/// The annotation file of a well, read and written without losing columns that Kinema does not know.
struct ItemTable {
  /// What a known column holds, in the order of a new file.
  private enum Role: CaseIterable {
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
  var items: [ProjectItem]
  private var columns: [String]
  /// The column of each role.
  private var roles: [Role: Int]

  /// A table without rows.
  init(_ well: Well) {
    self.well = well
    items = []
    columns = Role.allCases.map { $0.names[0] }
    roles = Dictionary(uniqueKeysWithValues: zip(Role.allCases, 0...))
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
      text = try CSV(data, name: name)
    } catch {
      throw StudioError(.badData(error))
    }
    guard let header = text.rows.first?.cells else { return }
    columns = header
    roles = [:]
    for role in Role.allCases { roles[role] = AnnotationColumns.index(of: role.names, in: header) }
    guard roles[.file] != nil, roles[.label] != nil else {
      throw StudioError(.noColumns(file: name))
    }
    for row in text.rows.dropFirst() {
      var item = item(row.cells, row: row.number)
      if item.id.isEmpty || ids.contains(item.id) {
        item = item.named(Self.id(of: row.cells, notIn: ids))
      }
      ids.insert(item.id)
      items.append(item)
    }
  }

  private func item(_ cells: [String], row: Int) -> ProjectItem {
    func cell(_ role: Role) -> String {
      roles[role].flatMap { cells.indices.contains($0) ? cells[$0] : nil } ?? ""
    }
    var item = ProjectItem(id: cell(.id), well: well, file: cell(.file), label: cell(.label))
    item.person = cell(.person).isEmpty ? nil : cell(.person)
    for role in [Role.start, .end] where !cell(role).isEmpty {
      guard let seconds = AnnotationTime.seconds(cell(role)) else {
        item.problem = .badRowTime(
          table: well.fileName, row: row, time: StudioMessage.quoted(cell(role)))
        // Kept as it is until a time is given.
        item.others[roles[role].map { columns[$0] } ?? ""] = cell(role)
        continue
      }
      if role == .start { item.start = seconds } else { item.end = seconds }
    }
    let known = Set(roles.values)
    for (index, value) in cells.enumerated() where !known.contains(index) && !value.isEmpty {
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

  /// The file; columns that its rows need are added at its end.
  var csv: Data {
    var columns = columns
    var roles = roles
    for role in Role.allCases where roles[role] == nil && items.contains(where: { has(role, $0) }) {
      roles[role] = columns.count
      columns.append(role.names[0])
    }
    for item in items {
      for name in item.others.keys.sorted() where !columns.contains(name) { columns.append(name) }
    }
    var text = CSV.line(columns)
    let roleOfColumn = Dictionary(uniqueKeysWithValues: roles.map { ($1, $0) })
    for item in items {
      text += CSV.line(
        columns.enumerated().map { index, name in
          roleOfColumn[index].flatMap { self.text($0, item) } ?? item.others[name] ?? ""
        })
    }
    return Data(text.utf8)
  }

  private func has(_ role: Role, _ item: ProjectItem) -> Bool { text(role, item) != nil }

  private func text(_ role: Role, _ item: ProjectItem) -> String? {
    switch role {
    case .id: item.id
    case .file: item.file
    case .label: item.label
    case .start: item.start.map(Self.text)
    case .end: item.end.map(Self.text)
    case .person: item.person
    }
  }

  /// Seconds to the microsecond, without a fraction where they are whole.
  static func text(_ seconds: Double) -> String {
    let rounded = (seconds * 1e6).rounded() / 1e6
    return rounded == rounded.rounded() ? String(Int(rounded)) : "\(rounded)"
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
