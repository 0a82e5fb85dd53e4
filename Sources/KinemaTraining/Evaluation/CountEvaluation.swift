package import Foundation
import KinemaAction
package import KinemaCounting
import KinemaFiles

/// The metrics of counting against true counts.
package struct CountEvaluation: Hashable, Codable, Sendable {
  /// A row of `counts.csv`: a file and its true count.
  package struct Entry: Hashable, Codable, Sendable {
    /// The file, relative to the table's folder.
    package var file: String
    package var label: String
    package var count: Int

    package init(file: String, label: String, count: Int) {
      self.file = file
      self.label = label
      self.count = count
    }
  }

  /// A file with its true count and the counted one.
  package struct Item: Hashable, Codable, Sendable {
    /// The file and its true count.
    package var entry: Entry
    package var counted: Int

    package init(entry: Entry, counted: Int) {
      self.entry = entry
      self.counted = counted
    }
  }

  package struct Figures: Hashable, Codable, Sendable {
    package var support: Int
    /// MAE: mean of |counted − true| / true (a true count of 0 divides by 1).
    package var meanAbsoluteError: Double
    /// OBO: share of files within one of the truth.
    package var offByOne: Double
    /// Share of exact files.
    package var exact: Double
    /// RMSE: root of the mean of (counted − true)².
    package var rootMeanSquareError: Double

    /// The metrics of files; zeros without any.
    package init(of items: [Item]) {
      let pairs = items.map { (Double($0.counted), Double($0.entry.count)) }
      let total = Double(max(pairs.count, 1))
      support = pairs.count
      meanAbsoluteError = pairs.reduce(0) { $0 + abs($1.0 - $1.1) / max($1.1, 1) } / total
      offByOne = Double(pairs.count { abs($0.0 - $0.1) <= 1 }) / total
      exact = Double(pairs.count { $0.0 == $0.1 }) / total
      let squares = pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      rootMeanSquareError = (squares / total).squareRoot()
    }
  }

  /// The files, in the order of the table.
  package let items: [Item]

  package init(items: [Item]) { self.items = items }

  package var overall: Figures { Figures(of: items) }

  package var perLabel: [String: Figures] {
    Dictionary(grouping: items, by: \.entry.label).mapValues(Figures.init)
  }

  /// Evaluates the counts that `summary` returns for each file; throws ``TrainingError`` for a
  /// missing file, and errors of `summary`.
  package init(
    of entries: [Entry], in folder: URL, summary: (URL) async throws -> RepetitionSummary
  ) async throws {
    var items: [Item] = []
    for entry in entries {
      try Task.checkCancellation()
      let url =
        entry.file.hasPrefix("/")
        ? URL(filePath: entry.file) : folder.appending(path: entry.file)
      guard FileManager.default.fileExists(atPath: url.path) else {
        throw TrainingError(
          .missing, "\(url.path), named in the table of counts, does not exist; check the folder.")
      }
      items.append(Item(entry: entry, counted: try await summary(url).count))
    }
    self.init(items: items)
  }
}

// MARK: - The table of counts

extension CountEvaluation {
  /// The largest true count of a file; a year has 31 million seconds.
  static let largestCount = 100_000_000

  /// Reads CSV with the columns `file`, `label` and `count` in any order, or `name`, `type` and `count` as in
  /// RepCount and Countix; throws ``TrainingError`` with the row that cannot be read.
  package static func entries(contentsOf url: URL) throws -> [Entry] {
    let rows: [CSV.Row]
    do {
      rows = try CSV(Data(contentsOf: url), name: url.path).rows
    } catch let error as CSV.Malformed {
      throw TrainingError(.badData, error.description, cause: error)
    } catch {
      throw TrainingError(
        .missing, "\(url.path) cannot be read as a table of counts; is it there?", cause: error)
    }
    let titles = rows.first?.cells ?? []
    func column(_ names: String...) -> Int? { AnnotationColumns.index(of: names, in: titles) }
    guard let file = column("file", "file_name", "video", "name"), let count = column("count")
    else {
      throw TrainingError(
        .badData,
        "\(url.path) has no columns file and count in its first line; use file,label,count.")
    }
    let label = column("label", "type", "class", "action")
    return try rows.dropFirst().map { row in
      let cells = row.cells.map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count > max(file, count), let number = Int(cells[count]),
        (0...largestCount).contains(number),
        !cells[file].isEmpty
      else {
        throw TrainingError(
          .badData,
          "Row \(row.number) of \(url.path) has no file or no whole count up to \(largestCount); use "
            + "file,label,count.")
      }
      let name = label.flatMap { cells.indices.contains($0) ? cells[$0] : nil }
      return Entry(file: cells[file], label: name ?? "", count: number)
    }
  }
}
