import Foundation
import KinemaErrors
import KinemaFiles

/// The rows of a text of numbers, read one at a time.
struct NumberRows {
  /// A row with its number in the file, from 1.
  struct Row {
    let number: Int
    let cells: [Substring]

    /// The number in a column; `nil` for an empty cell, or one that says it is not a number.
    func number(_ column: Int?) throws(PoseFile.Malformed) -> Double? {
      guard let column, cells.indices.contains(column) else { return nil }
      let text = cells[column].trimmingCharacters(in: NumberRows.padding)
      if text.isEmpty || ["nan", "none", "null"].contains(text.lowercased()) { return nil }
      guard let value = Double(text), value.isNaN || value.magnitude < 1e16 else {
        throw PoseFile.Malformed(
          description: "“\(text.prefix(40))” in row \(number) is not a number")
      }
      return value.isFinite ? value : nil
    }

    /// The whole number in a column.
    func integer(_ column: Int?) throws(PoseFile.Malformed) -> Int? {
      guard let value = try number(column) else { return nil }
      guard let integer = Int(exactly: value) else {
        throw PoseFile.Malformed(
          description: "\(value) in row \(number) is not a whole number")
      }
      return integer
    }

    func text(_ column: Int) -> String {
      cells.indices.contains(column) ? cells[column].trimmingCharacters(in: NumberRows.padding) : ""
    }
  }

  private static let padding = CharacterSet(charactersIn: " \"\t\r")
  private let bytes: [UInt8]

  init(_ data: Data, name: String) throws { bytes = try CSV.text(data, name: name) }

  /// Reads the rows that have cells, of which the first shows the separator.
  func forEach(_ body: (Row) throws -> Void) throws {
    var separator: UInt8?
    for (index, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      let line = line.last == 13 ? line.dropLast() : line
      guard !line.isEmpty else { continue }
      let chosen = separator ?? Self.separator(of: line)
      separator = chosen
      guard line.count <= CSV.largestCell else {
        throw PoseFile.Malformed(description: "row \(index + 1) is too long")
      }
      let cells = line.split(separator: chosen, omittingEmptySubsequences: false)
      try body(Row(number: index + 1, cells: cells.map { Substring(decoding: $0, as: UTF8.self) }))
    }
  }

  private static func separator(of line: ArraySlice<UInt8>) -> UInt8 {
    let candidates = ",;\t".utf8.map { byte in (byte, line.count { $0 == byte }) }
    return candidates.max { $0.1 < $1.1 }?.0 ?? UInt8(ascii: ",")
  }
}

extension ForeignPoses {
  /// Reads a table of poses: MediaPipe's in its usual shapes, or Kinema's own `.csv`.
  mutating func readTable(_ data: Data, name: String) throws {
    var columns: PoseColumns?
    var frameOfKey: [Double: Int] = [:]
    var waiting: [[Int: Person]] = []
    try NumberRows(data, name: name).forEach { row in
      guard let columns else {
        columns = PoseColumns(row.cells.indices.map(row.text))
        return
      }
      let number = try row.integer(columns.frame)
      let time = try row.number(columns.time).map { columns.isInMilliseconds ? $0 / 1000 : $0 }
      let key = number.map(Double.init) ?? time ?? Double(row.number)
      let index =
        try frameOfKey[key]
        ?? add(
          Frame(number: number ?? frames.count, time: time, size: size(of: row, columns)))
      if frameOfKey.updateValue(index, forKey: key) == nil { waiting.append([:]) }
      let id = try row.integer(columns.person)
      switch columns.shape {
      case .rowPerFrame(let points):
        var person = Person(id: id)
        for (key, columns) in points { person.points[key] = try Self.point(row, columns) }
        try add(person, toFrame: index)
      case .rowPerPoint(let name, let point):
        let text = row.text(name)
        let key = columns.isOfKinema ? JointKey(rawValue: text) : PoseColumns.joint(text)
        guard let key, let point = try Self.point(row, point) else { return }
        if columns.isOfKinema, key == .thumbTip { joints = JointKey.hand }
        var person = waiting[index][id ?? -1] ?? Person(id: id)
        person.points[key] = point
        person.side = columns.hand.flatMap { Chirality(rawValue: row.text($0)) }
        waiting[index][id ?? -1] = person
        try PoseFile.check(frameCount: 0, personCount: waiting[index].count)
      }
    }
    isUpright = columns?.isOfKinema ?? false
    // The unit of “timestamp” is not in its name.
    if !isUpright, columns?.isInMilliseconds == false { correctMilliseconds() }
    for (index, people) in waiting.enumerated() {
      for (_, person) in people.sorted(by: { $0.key < $1.key }) { try add(person, toFrame: index) }
    }
  }

  private func size(
    of row: NumberRows.Row, _ columns: PoseColumns
  ) throws -> (width: Int, height: Int)? {
    guard let width = try row.integer(columns.width), let height = try row.integer(columns.height),
      width > 0, height > 0
    else { return nil }
    return (width, height)
  }

  private static func point(
    _ row: NumberRows.Row, _ columns: PoseColumns.Point
  ) throws -> SIMD3<Float>? {
    guard let x = try row.number(columns.x), let y = try row.number(columns.y),
      // Zeros are what a script writes for somebody who is not there.
      x != 0 || y != 0
    else { return nil }
    let confidence = columns.confidence == nil ? 1 : try row.number(columns.confidence) ?? 0
    return confidence > 0 ? SIMD3(Float(x), Float(y), Float(confidence)) : nil
  }
}
