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
  /// The wells whose tables have changed since they were read or written.
  private(set) var changedWells: Set<Well> = []

  init(_ tables: [Well: ItemTable] = [:]) {
    self.tables = tables
    index()
  }

  var count: Int { places.count }
  var ids: Set<String> { Set(places.keys) }
  /// Whether a row is flawed: its flaw names its place in the file.
  var hasFlaws: Bool { tables.values.contains { $0.items.contains { $0.problem != nil } } }

  func items(in well: Well) -> [ProjectItem] { tables[well]?.items ?? [] }

  func csv(of well: Well) -> Data { (tables[well] ?? ItemTable(well)).csv }

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

  /// Puts rows in: one whose id is known in its place, one of another well at that one's end.
  mutating func put(_ items: [ProjectItem]) {
    var new: [ProjectItem] = []
    var gone: Set<String> = []
    for item in items {
      changedWells.insert(item.well)
      if let place = places[item.id], place.well == item.well {
        tables[place.well]?.items[place.index] = item
      } else {
        if places[item.id] != nil { gone.insert(item.id) }
        new.append(item)
      }
    }
    remove(gone)
    for item in new { tables[item.well, default: ItemTable(item.well)].items.append(item) }
    index()
  }

  mutating func remove(_ ids: Set<String>) {
    let wells = Set(ids.compactMap { places[$0]?.well })
    guard !wells.isEmpty else { return }
    for well in wells { tables[well]?.items.removeAll { ids.contains($0.id) } }
    changedWells.formUnion(wells)
    index()
  }

  /// Notes that the files are as the tables are.
  mutating func noteWritten() { changedWells = [] }

  private mutating func index() {
    places.removeAll(keepingCapacity: true)
    uses.removeAll(keepingCapacity: true)
    for (well, table) in tables {
      for (index, item) in table.items.enumerated() {
        places[item.id] = Place(well: well, index: index)
        uses[FileName(item.file), default: 0] += 1
      }
    }
  }
}
