public import Foundation
public import KinemaAction
public import KinemaPose

/// How well repetitions are counted, against counts that people made.
public struct CountEvaluation: Hashable, Codable, Sendable {
  /// One file and how many repetitions it holds: a row of `counts.csv`.
  public struct Entry: Hashable, Codable, Sendable {
    /// The file as it stands in the table; relative to the table's folder.
    public var file: String
    /// What is done.
    public var label: String
    /// How many repetitions there are.
    public var count: Int

    /// Creates an entry.
    public init(file: String, label: String, count: Int) {
      self.file = file
      self.label = label
      self.count = count
    }
  }

  /// One file with what was counted in it.
  public struct Item: Hashable, Codable, Sendable {
    /// The file and its true count.
    public var entry: Entry
    /// What was counted.
    public var counted: Int

    /// Creates an item.
    public init(entry: Entry, counted: Int) {
      self.entry = entry
      self.counted = counted
    }
  }

  /// How far counts are off.
  public struct Figures: Hashable, Codable, Sendable {
    /// The number of files.
    public var support: Int
    /// The mean of |counted − true| / true (a true count of 0 divides by 1).
    public var meanAbsoluteError: Double
    /// The share of files within one of the truth.
    public var offByOne: Double
    /// The share of files that are exact.
    public var exact: Double
    /// The root of the mean of (counted − true)².
    public var rootMeanSquareError: Double

    /// The figures of some files; zeros where there are none.
    public init(of items: [Item]) {
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
  public let items: [Item]

  /// Creates an evaluation of what was counted before.
  public init(items: [Item]) {
    self.items = items
  }

  /// The figures of all files.
  public var overall: Figures { Figures(of: items) }

  /// The figures of each label.
  public var perLabel: [String: Figures] {
    Dictionary(grouping: items, by: \.entry.label).mapValues(Figures.init)
  }

  /// Counts in every file.
  ///
  /// - Parameters:
  ///   - entries: The files and their true counts.
  ///   - folder: The folder that their names are relative to.
  ///   - rules: The rules of counting.
  ///   - poses: Gives the poses of a file; by default it must be a file of poses.
  /// - Throws: ``TrainingError`` for a file that is not there, and what `poses` throws.
  public init(
    of entries: [Entry], in folder: URL, rules: RepetitionCounter.Rules = .init(),
    poses: (URL) async throws -> PoseSequence = { try PoseSequence(contentsOf: $0) }
  ) async throws {
    try await self.init(of: entries, in: folder) { url in
      try RepetitionCounter.repetitions(in: try await poses(url), rules: rules)
    }
  }

  /// Lets every file be counted, in the order of the table.
  ///
  /// - Parameters:
  ///   - entries: The files and their true counts.
  ///   - folder: The folder that their names are relative to.
  ///   - summary: Counts in a file.
  /// - Throws: ``TrainingError`` for a file that is not there, and what `summary` throws.
  public init(
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
          .missing, "\(url.path), which the table of counts names, is not there; check its folder.")
      }
      items.append(Item(entry: entry, counted: try await summary(url).count))
    }
    self.init(items: items)
  }
}

// MARK: - The table of counts

extension CountEvaluation {
  /// Reads a table of counts: CSV with the columns `file`, `label` and `count` in any order, others
  /// being left alone.
  ///
  /// - Throws: ``TrainingError`` that names the row that cannot be read.
  public static func entries(contentsOf url: URL) throws -> [Entry] {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw TrainingError(
        .missing, "\(url.path) cannot be read as a table of counts; is it there?", cause: error)
    }
    let rows = try DelimitedText(data, name: url.path).rows
    let titles = rows.first?.cells.map { $0.lowercased() } ?? []
    guard let file = titles.firstIndex(of: "file"), let count = titles.firstIndex(of: "count")
    else {
      throw TrainingError(
        .badData,
        "\(url.path) has no columns file and count in its first line; write file,label,count.")
    }
    let label = titles.firstIndex(of: "label")
    return try rows.dropFirst().map { row in
      let cells = row.cells.map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count > max(file, count), let number = Int(cells[count]), number >= 0,
        !cells[file].isEmpty
      else {
        throw TrainingError(
          .badData,
          "Row \(row.number) of \(url.path) has no file or no whole count; write file,label,count.")
      }
      let name = label.flatMap { cells.indices.contains($0) ? cells[$0] : nil }
      return Entry(file: cells[file], label: name ?? "", count: number)
    }
  }
}
