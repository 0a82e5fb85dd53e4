import Foundation
import Kinema
import KinemaFiles

/// What has become of one video.
struct ExtractionRow: Sendable {
  var video: String
  /// `nil` where the poses are there.
  var failure: ExtractionRecord.Kind?
  var attempts: Int
  var poses: String?
  var seconds: Double?
  /// Why there are no poses, or what of the video could not be read.
  var error: String?

  static let header = ["video", "status", "kind", "attempts", "poses", "seconds", "error"]

  private var status: String { failure == nil ? "done" : "failed" }

  var cells: [String] {
    [
      video, status, failure?.rawValue ?? "", "\(attempts)", poses ?? "",
      seconds.map { "\($0)" } ?? "", error ?? "",
    ]
  }

  var json: Data {
    get throws {
      let object: JSONObject = [
        "video": video, "status": status, "kind": failure?.rawValue, "attempts": attempts,
        "poses": poses, "seconds": seconds, "error": error,
      ]
      return try object.jsonText(isPretty: false)
    }
  }
}

/// The table of all videos of an output folder, `index.csv`, and those of its shards.
struct ExtractionIndex {
  let folder: URL

  private var url: URL { folder.appending(path: "index.csv") }

  private func url(_ index: Int, of count: Int) -> URL {
    folder.appending(path: "index-\(index)-of-\(count).csv")
  }

  /// Writes the table of a run; that of a shard is merged with the others when all are there.
  ///
  /// - Returns: The table of all videos, if it was written.
  func write(_ rows: [ExtractionRow], of shard: ExtractionManifest.Shard?) throws -> URL? {
    let table = [ExtractionRow.header] + rows.map(\.cells)
    guard let shard else {
      try Self.write(table, to: url)
      return url
    }
    try Self.write(table, to: url(shard.index, of: shard.count))
    return missing(of: shard.count).isEmpty ? try merge(shard.count) : nil
  }

  /// Merges the tables of the shards.
  ///
  /// - Throws: ``CommandFailure`` where one is missing.
  func merge() throws -> URL {
    guard let contents = FolderContents(folder) else {
      throw CommandFailure(.noInput, "\(folder.path) cannot be read: check its permissions.")
    }
    let counts = Set(
      contents.files.compactMap { file -> Int? in
        let parts = file.lastPathComponent.split(separator: "-")
        guard parts.count == 4, parts[0] == "index", parts[3].hasSuffix(".csv") else { return nil }
        let count = Int(parts[3].dropLast(4)) ?? 0
        return (1...ExtractionManifest.Shard.largestCount).contains(count) ? count : nil
      })
    guard let count = counts.first, counts.count == 1 else {
      throw CommandFailure(
        .noInput,
        counts.isEmpty
          ? "\(folder.path) has no index-I-of-N.csv: run kinema extract with --shard first."
          : "\(folder.path) has shards of several sizes (\(counts.sorted())): remove old ones.")
    }
    let missing = missing(of: count)
    guard missing.isEmpty else {
      let some = missing.prefix(8).map { "\($0)/\(count)" }.joined(separator: ", ")
      throw CommandFailure(
        .tryAgain,
        "\(missing.count) of \(count) shards have not ended: run --shard \(some)"
          + (missing.count > 8 ? " …" : "."))
    }
    return try merge(count)
  }

  private func missing(of count: Int) -> [Int] {
    (1...count).filter { !FileManager.default.fileExists(atPath: url($0, of: count).path) }
  }

  /// Shards take turns in the list, so their rows do as well.
  private func merge(_ count: Int) throws -> URL {
    let tables = try (1...count).map { index -> ArraySlice<[String]> in
      let url = url(index, of: count)
      do {
        return try CSV(Data(contentsOf: url), name: url.lastPathComponent).rows.map(\.cells)
          .dropFirst()
      } catch {
        throw CommandFailure(.badData, "\(url.path) cannot be read: \(error)")
      }
    }
    var rows = [ExtractionRow.header]
    for place in 0..<(tables.map(\.count).max() ?? 0) {
      rows += tables.compactMap { $0.dropFirst(place).first }
    }
    try Self.write(rows, to: url)
    return url
  }

  private static func write(_ rows: [[String]], to url: URL) throws {
    try WholeFile.write(Data(rows.map { CSV.line($0) }.joined().utf8), to: url)
  }
}
