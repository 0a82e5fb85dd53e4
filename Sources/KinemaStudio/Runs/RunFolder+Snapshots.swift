package import Foundation
import KinemaFiles
import KinemaTraining

/// The models of a run: that of its end, and those that were kept while it trained.
extension RunFolder {
  /// A model of an iteration, made while the run was under way.
  package struct Snapshot: Hashable, Sendable {
    /// The iteration of the model: the best one when the snapshot was made.
    package var iteration: Int
    package var created: Date
    package var bytes: Int64
  }

  /// The most snapshots of a run.
  static let maximumSnapshotCount = 50

  private var snapshotFolder: URL { url.appending(path: "snapshots") }

  /// The evaluation on a well, as its JSON is sent: of the model, or of a snapshot by its iteration.
  package func evaluation(_ well: Well, of snapshot: Int? = nil) -> URL {
    guard let snapshot else { return url.appending(path: "evaluation-\(well.rawValue).json") }
    return snapshotFolder.appending(path: "\(snapshot)-\(well.rawValue).json")
  }

  /// The model of a snapshot, by its iteration.
  package func snapshotModel(_ iteration: Int) -> URL {
    snapshotFolder.appending(path: "\(iteration).mlmodel")
  }

  /// The snapshots, the latest iteration first.
  package var snapshots: [Snapshot] {
    // There is no folder before the first snapshot.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: snapshotFolder.path)) ?? []
    return names.compactMap { name -> Snapshot? in
      guard name.hasSuffix(".mlmodel"), let iteration = Int(name.dropLast(8)),
        let version = FileVersion(snapshotModel(iteration))
      else { return nil }
      return Snapshot(iteration: iteration, created: version.modified, bytes: version.size)
    }.sorted { $0.iteration > $1.iteration }
  }

  /// The file of a model and its version: of a snapshot, else of the run's end, else of the latest
  /// snapshot; throws ``StudioError`` where there is none.
  package func model(of snapshot: Int?) throws -> (url: URL, version: FileVersion) {
    let latest = FileVersion(model) == nil ? snapshots.first?.iteration : nil
    let url = (snapshot ?? latest).map(snapshotModel) ?? model
    guard let version = FileVersion(url) else {
      throw StudioError(
        snapshot.map { .noSnapshot(number: number, iteration: $0) } ?? .noRunModel)
    }
    return (url, version)
  }

  /// Whether it has a model: that of its end, or a snapshot.
  package var hasModel: Bool { (try? model(of: nil)) != nil }

  /// Keeps a model by its iteration; throws ``StudioError`` where there are too many others.
  func keep(_ model: TrainedActionClassifier) throws {
    let others = snapshots.filter { $0.iteration != model.bestIteration }
    guard others.count < Self.maximumSnapshotCount else {
      throw StudioError(.tooManySnapshots(number: number, limit: Self.maximumSnapshotCount))
    }
    try Project.storing(.model) {
      try FileManager.default.createDirectory(
        at: snapshotFolder, withIntermediateDirectories: true)
      try model.write(to: snapshotModel(model.bestIteration))
    }
  }

  /// Deletes a snapshot, by its iteration, and its evaluations; throws ``StudioError``.
  package func deleteSnapshot(_ iteration: Int) throws {
    let model = try model(of: iteration).url
    try Project.storing(.model) {
      for well in Well.allCases { try Project.remove(evaluation(well, of: iteration)) }
      try FileManager.default.removeItem(at: model)
    }
  }
}
