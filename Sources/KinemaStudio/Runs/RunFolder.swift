package import Foundation
import KinemaFiles

/// The folder of a run: `run.json`, the annotation files as trained, `session/`, `model.mlmodel`,
/// `snapshots/` and an evaluation of each set.
package struct RunFolder: Hashable, Sendable {
  /// The largest number of a run; folders of larger ones are something else.
  static let largestNumber = 999_999

  package let url: URL
  /// The number of the run in its project.
  var number: Int { Int(url.lastPathComponent) ?? 0 }

  package init(_ url: URL) { self.url = url }

  /// The record.
  var recordFile: URL { url.appending(path: "run.json") }
  /// Checkpoint and log.
  package var session: URL { url.appending(path: "session") }
  /// The model of a run that ended: that of its best epoch.
  package var model: URL { url.appending(path: "model.mlmodel") }
  /// The items of a well as the run uses them.
  func table(_ well: Well) -> URL { url.appending(path: well.fileName) }

  /// Whether a training has begun.
  var hasCheckpoint: Bool {
    FileManager.default.fileExists(atPath: session.appending(path: "checkpoint").path)
  }

  /// The record; throws ``StudioError``: `notFound`, or `badFile` where it is damaged.
  func record() throws -> RunRecord {
    guard let data = try Project.content(of: recordFile) else {
      throw StudioError(.noRun(number: url.lastPathComponent))
    }
    do {
      return try Self.decoder.decodeForeign(RunRecord.self, from: data)
    } catch {
      throw StudioError(.badRun(file: recordFile.path, fault: JSONFault.sentence(of: error)))
    }
  }

  func write(_ record: RunRecord) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try write(try encoder.encode(record) + Data("\n".utf8), to: recordFile)
  }

  /// Writes one of its files, whole or not at all; throws ``StudioError``.
  func write(_ data: some Collection<UInt8>, to file: URL) throws {
    try Project.storing(.run) { try WholeFile.write(data, to: file) }
  }

  /// The items of a well as the run uses them.
  func items(in well: Well) throws -> [ProjectItem] {
    guard let data = try Project.content(of: table(well)) else { return [] }
    var ids: Set<String> = []
    return try ItemTable(data, well: well, ids: &ids).items
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }
}

extension Project {
  /// Where the command line writes its model.
  package var exportedModel: URL { folder.url.appending(path: "\(id).mlmodel") }

  /// Its model: the exported one, else that of the newest run that has one.
  package var model: URL? {
    if FileManager.default.fileExists(atPath: exportedModel.path) { return exportedModel }
    // A run without a model gives none.
    return folder.runFolders.reversed().lazy.compactMap { try? $0.model(of: nil).url }.first
  }
}

extension ProjectFolder {
  /// The runs, oldest first.
  package var runFolders: [RunFolder] {
    // There is no folder before the first run.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: runs.path)) ?? []
    return names.compactMap { name in
      Int(name).flatMap { (1...RunFolder.largestNumber).contains($0) && "\($0)" == name ? $0 : nil }
    }.sorted().map { RunFolder(run($0)) }
  }
}
