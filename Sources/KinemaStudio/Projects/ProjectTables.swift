import Foundation
import KinemaFiles

/// The rows of all tables of a project, found by their ids and files.
struct ProjectTables {
  private struct Place {
    var well: Well
    var index: Int
  }

  private var tables: [Well: ItemTable]
  private var places: [String: Place] = [:]
  /// How many rows name a file.
  private(set) var uses: [FileName: Int] = [:]
  /// The tables that have changed since they were read or written, and how many rows they had.
  private var changed: [Well: Int] = [:]

  init(_ tables: [Well: ItemTable] = [:]) {
    self.tables = tables
    for (well, table) in tables {
      places.reserveCapacity(places.count + table.items.count)
      noteRows(of: well, from: 0)
      for item in table.items { uses[FileName(item.file), default: 0] += 1 }
    }
  }

  var count: Int { places.count }

  func items(in well: Well) -> [ProjectItem] { tables[well]?.items ?? [] }

  mutating func csv(of well: Well) -> Data { tables[well, default: ItemTable(well)].csv() }

  func contains(_ id: String) -> Bool { places[id] != nil }

  func item(_ id: String) -> ProjectItem? {
    places[id].flatMap { tables[$0.well]?.items[$0.index] }
  }

  /// The rows that name a file.
  func items(of file: String) -> [ProjectItem] {
    let file = FileName(file)
    guard uses[file] != nil else { return [] }
    return Well.allCases.flatMap { items(in: $0).filter { FileName($0.file) == file } }
  }

  // MARK: - Changes

  /// The wells whose tables have changed; those that grow first, so that an item that moves is in two
  /// tables and not in none where the process ends between.
  var changedWells: [Well] {
    changed.map { (well: $0, growth: items(in: $0).count - $1) }
      .sorted { ($0.growth, $1.well.rawValue) > ($1.growth, $0.well.rawValue) }.map(\.well)
  }

  /// Puts rows in: one whose id is known in its place, one of another well at that one's end.
  mutating func put(_ items: [ProjectItem]) {
    var new: [ProjectItem] = []
    var gone: Set<String> = []
    for item in items {
      noteChange(of: item.well)
      guard let place = places[item.id] else {
        new.append(item)
        continue
      }
      guard place.well == item.well, let old = tables[place.well]?.items[place.index] else {
        gone.insert(item.id)
        new.append(item)
        continue
      }
      if FileName(old.file) != FileName(item.file) {
        dropUse(of: old)
        uses[FileName(item.file), default: 0] += 1
      }
      tables[place.well]?.replace(place.index, with: item)
    }
    remove(gone)
    for item in new {
      places[item.id] = Place(well: item.well, index: self.items(in: item.well).count)
      uses[FileName(item.file), default: 0] += 1
      tables[item.well, default: ItemTable(item.well)].append(item)
    }
  }

  mutating func remove(_ ids: Set<String>) {
    var rows: [Well: [Int]] = [:]
    for id in ids {
      guard let item = item(id), let place = places.removeValue(forKey: id) else { continue }
      dropUse(of: item)
      rows[place.well, default: []].append(place.index)
    }
    for (well, rows) in rows {
      noteChange(of: well)
      let rows = rows.sorted()
      tables[well]?.remove(rows)
      noteRows(of: well, from: rows[0])
    }
  }

  /// Notes that the files are as the tables are.
  mutating func noteWritten() {
    for well in changed.keys { tables[well]?.checkFlaws() }
    changed = [:]
  }

  private mutating func noteChange(of well: Well) {
    if changed[well] == nil { changed[well] = items(in: well).count }
  }

  private mutating func noteRows(of well: Well, from first: Int) {
    let items = items(in: well)
    for index in first..<items.count { places[items[index].id] = Place(well: well, index: index) }
  }

  private mutating func dropUse(of item: ProjectItem) {
    let file = FileName(item.file)
    let count = (uses[file] ?? 0) - 1
    uses[file] = count > 0 ? count : nil
  }
}
