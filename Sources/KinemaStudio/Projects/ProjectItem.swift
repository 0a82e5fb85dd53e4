import Foundation

/// A labelled segment of a video or pose file: a row of a well's annotation file.
package struct ProjectItem: Codable, Hashable, Sendable, Identifiable {
  /// Unique in the project.
  package let id: String
  package var well: Well
  /// A file in the folder of sources, or an absolute path.
  package var file: String
  package var label: String
  /// In seconds from the start of the file; `nil` for its start.
  package var start: Double?
  /// In seconds, exclusive; `nil` for the end of the file.
  package var end: Double?
  package var person: String?
  /// What is wrong with the row, if anything.
  package var problem: StudioMessage?
  /// The values of columns that Kinema does not know, by column.
  var others: [String: String] = [:]

  /// An id that nothing has, but for chance.
  static func newID() -> String { String(UInt64.random(in: 0..<(1 << 50)), radix: 36) }
}

/// A row to be added.
package struct NewItem: Codable, Hashable, Sendable {
  /// The id of the row whose unknown columns it keeps, if any.
  package var id: String?
  package var file: String
  package var label: String
  package var well: Well?
  package var start: Double?
  package var end: Double?
  package var person: String?

  package init(
    id: String? = nil, file: String, label: String, well: Well? = nil, start: Double? = nil,
    end: Double? = nil, person: String? = nil
  ) {
    self.id = id
    self.file = file
    self.label = label
    self.well = well
    self.start = start
    self.end = end
    self.person = person
  }
}

extension ProjectItem {
  /// The most bytes of a label or a person's name.
  static let longestText = 200
  /// The latest time of a segment in seconds: 1000 hours.
  static let latestTime = 3_600_000.0

  /// A time as tables keep it: to the microsecond.
  static func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }

  /// The row with its times as tables keep them; throws ``StudioError`` where it cannot be used.
  func checked() throws -> ProjectItem {
    try check()
    var item = self
    (item.start, item.end) = (start.map(Self.rounded), end.map(Self.rounded))
    return item
  }

  /// The row with the values of a new one; throws ``StudioError`` where they cannot be used.
  ///
  /// One that stays as it is may have flaws. A well or person that is `nil` stays.
  func changed(to new: NewItem) throws -> ProjectItem {
    var item = self
    item.label = new.label.trimmingCharacters(in: .whitespacesAndNewlines)
    (item.start, item.end) = (new.start, new.end)
    (item.well, item.person) = (new.well ?? well, new.person ?? person)
    guard (item.label, item.start, item.end, item.person) != (label, start, end, person) else {
      return item
    }
    item.problem = nil
    return try item.checked()
  }

  /// Throws ``StudioError`` where the label, person or times cannot be used.
  func check() throws {
    func isName(_ text: String) -> Bool {
      ProjectDescription.isLine(text) && text.utf8.count <= Self.longestText
    }
    guard isName(label) else {
      throw StudioError(.badLabel(file: file, limit: Self.longestText))
    }
    guard person.map(isName) ?? true else {
      throw StudioError(.badPerson(file: file, limit: Self.longestText))
    }
    let times = [start, end].compactMap { $0 }
    guard times.allSatisfy({ $0 >= 0 && $0 <= Self.latestTime }), (start ?? 0) < end ?? .infinity
    else {
      throw StudioError(.badTimes(file: file))
    }
  }
}
