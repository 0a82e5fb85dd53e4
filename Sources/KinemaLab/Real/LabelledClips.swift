package import Foundation
import KinemaFiles
import KinemaTraining

/// Real clips with what is done in them when, and where each comes from.
package struct LabelledClips: Sendable {
  package struct Segment: Hashable, Sendable {
    package var label: String
    /// Seconds from the start of the clip; without an end, to the end of the clip.
    package var timeRange: Range<TimeInterval>
    /// How many repetitions there are; `nil` where nobody has counted.
    package var repetitionCount: Int?
    /// Whether its maker marks it, or a part of it, as wrong.
    package var hasMarkedFault = false

    package init(label: String, timeRange: Range<TimeInterval>, repetitionCount: Int? = nil) {
      (self.label, self.timeRange) = (label, timeRange)
      self.repetitionCount = repetitionCount
    }
  }

  /// A person who falls.
  package struct Fall: Hashable, Sendable {
    /// When the person is on the floor, in seconds.
    package let time: TimeInterval
    /// Whether at least two seconds of what follows are seen.
    package let showsAftermath: Bool
    /// How the person is found at the end, such as *lying*; empty where nobody has noted it.
    package let endPosture: String
  }

  package struct Clip: Sendable {
    package let url: URL
    package let file: String
    /// Who made it: what its people and places share with other clips of one source is no evidence twice.
    package let source: String
    /// Where it is: clips of one room are no evidence twice.
    package let room: String
    package let fall: Fall?
    package var segments: [Segment]
  }

  /// In the order of the tables.
  package private(set) var clips: [Clip] = []

  /// Reads tables with a line a segment, which name clips beside them.
  ///
  /// Columns: `file`; `label`, `start_time` and `end_time` in seconds, without which a clip is all of one
  /// segment; `reps`; `form`, in which *wrong* marks a fault; `source_repo` or `source`, without which each clip is
  /// a source of its own; `fall_time`, when a person is on the floor after a fall, in seconds, or nothing,
  /// `visible_after`, *yes* where two seconds of what follows are seen, `end_posture`, and `what`, with the room
  /// before a colon: without, clips whose names begin alike up to `_` are of one room. In a table without labels
  /// nobody does an exercise.
  ///
  /// - Throws: ``TrainingError`` where a table cannot be read, or a clip is missing.
  package init(contentsOf tables: [URL]) throws {
    for table in tables { try add(table) }
  }

  private mutating func add(_ table: URL) throws {
    let name = table.lastPathComponent
    func failure(_ sentence: String, cause: (any Error)? = nil) -> TrainingError {
      TrainingError(.badData, sentence, cause: cause)
    }
    let rows: [CSV.Row]
    do {
      rows = try CSV(try Data(contentsOf: table), name: name).rows
    } catch let error as CSV.Malformed {
      throw failure(error.message)
    } catch {
      throw failure(
        "\(table.path) cannot be read: check the path and its permissions.", cause: error)
    }
    let header = rows.first?.cells ?? []
    guard let files = header.firstIndex(of: "file") else {
      throw failure("\(name) has no column “file”, which names the clips beside it.")
    }
    var places: [String: Int] = [:]
    for row in rows.dropFirst() {
      func cell(_ columns: String...) -> String? {
        columns.lazy.compactMap { header.firstIndex(of: $0) }.first
          .flatMap { row.cells.indices.contains($0) ? row.cells[$0] : nil }
          .flatMap { $0.isEmpty ? nil : $0 }
      }
      func seconds(_ column: String) throws -> TimeInterval? {
        guard let text = cell(column) else { return nil }
        if let value = AnnotationTime.seconds(text), value >= 0 { return value }
        throw failure("\(name), row \(row.number): \(text.prefix(40)) is no time in seconds.")
      }
      guard row.cells.indices.contains(files), !row.cells[files].isEmpty else {
        throw failure("\(name), row \(row.number) names no file.")
      }
      let file = row.cells[files]
      let start = try seconds("start_time") ?? 0
      let end = try seconds("end_time") ?? .infinity
      guard start < end else {
        throw failure("\(name), row \(row.number): the segment ends before it starts.")
      }
      var segment = Segment(
        label: cell("label") ?? RealLabels.none, timeRange: start..<end,
        repetitionCount: cell("reps").flatMap { Int($0) })
      segment.hasMarkedFault = cell("form")?.contains("wrong") ?? false
      if let place = places[file] {
        clips[place].segments.append(segment)
        continue
      }
      let url = table.deletingLastPathComponent().appending(path: file)
      guard FileManager.default.fileExists(atPath: url.path) else {
        throw TrainingError(
          .missing, "\(name), row \(row.number): \(url.path) is missing: check the path.")
      }
      let fall = try seconds("fall_time").map { time in
        Fall(
          time: time, showsAftermath: cell("visible_after") == "yes",
          endPosture: cell("end_posture") ?? "")
      }
      // What happens has colons as well, behind other marks.
      let what = cell("what") ?? ""
      let mark = what.firstIndex { ":;(".contains($0) }
      let room = mark.flatMap { what[$0] == ":" ? what[..<$0] : nil }
      places[file] = clips.count
      clips.append(
        Clip(
          url: url, file: file, source: cell("source_repo", "source") ?? url.path,
          room: String(room ?? file.prefix { $0 != "_" }),
          fall: fall, segments: [segment]))
    }
  }
}

/// How labels of collections are read for a model.
package enum RealLabels {
  /// What is no exercise and has no name.
  static let none = "other"
  /// Nobody is to be seen.
  static let noPerson = "no_person"

  /// Ways of doing what models know under another name.
  private static let synonyms = [
    "single_leg_bridges": "glute_bridges", "single_leg_deadlifts": "deadlifts",
    "rope_jumping": "jump_rope", "jogging_in_place": "running", "talking": "standing",
  ]
  /// Between two labels: right is what one takes for right.
  private static let variants: Set = [
    "seal_jacks", "star_jumps", "jump_squats", "jump_lunges", "side_lunges", "split_squats",
  ]

  /// The label that a model should name for one of a collection: its own, ``none`` where it has none, and
  /// `nil` where that is not agreed.
  package static func truth(of label: String, among labels: Set<String>) -> String? {
    if labels.contains(label) { return label }
    if label == noPerson || variants.contains(label) { return nil }
    guard let synonym = synonyms[label], labels.contains(synonym) else { return none }
    return synonym
  }
}
