import Foundation
import KinemaFiles

/// Rows that were removed from a project, by id, so that undoing brings back all of their columns;
/// kept in a file, so that it does so after a restart as well.
struct RemovedItems {
  private let file: URL
  /// How many rows are kept, the latest.
  private let capacity: Int
  /// The version of the file that was read.
  private var version: FileVersion?
  /// In the order of removal.
  private var items: [ProjectItem] = [] {
    didSet { places = Dictionary(zip(items.map(\.id), items.indices)) { $1 } }
  }
  private var places: [String: Int] = [:]

  init(file: URL, capacity: Int) {
    self.file = file
    self.capacity = capacity
  }

  /// A row that was removed; `nil` where there is none, or where it is too long ago.
  mutating func item(_ id: String) -> ProjectItem? {
    read()
    return places[id].map { items[$0] }
  }

  /// Keeps rows; throws ``StudioError`` where the file cannot be written.
  mutating func add(_ removed: [ProjectItem]) throws {
    guard !removed.isEmpty else { return }
    read()
    let ids = Set(removed.map(\.id))
    let kept = Array((items.filter { !ids.contains($0.id) } + removed).suffix(capacity))
    try Project.storing(.items) {
      try WholeFile.write(try JSONEncoder().encode(kept), to: file)
    }
    items = kept
    version = FileVersion(file)
  }

  /// Reads the file where it is another one; rows of a damaged file are not known any more.
  private mutating func read() {
    let now = FileVersion(file)
    guard now != version else { return }
    version = now
    // Only undoing needs them.
    items =
      (try? Data(contentsOf: file)).flatMap {
        try? JSONDecoder().decodeForeign([ProjectItem].self, from: $0)
      } ?? []
  }
}
