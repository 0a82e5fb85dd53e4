package import Foundation

/// Evaluations of snapshots: each is made when it is asked for first, and kept with the snapshot.
package struct SnapshotEvaluations: Sendable {
  private struct Key: Hashable {
    let model: FileVersion
    let path: String
  }

  private let center: RunCenter
  private let results = ResultCache<Key, Void>()

  init(_ center: RunCenter) { self.center = center }

  /// The evaluation of a snapshot, by its iteration, on a well as its JSON is sent; the first question
  /// evaluates it on all wells.
  ///
  /// - Throws: ``StudioError`` where there is no such snapshot, the run has no items for the well, or
  ///   too many are made already; what the work failed with.
  package func evaluation(
    of iteration: Int, ofRun number: Int, on well: Well, in project: Project
  ) async throws -> SlowAnswer<Data> {
    let folder = RunFolder(project.folder.run(number))
    let model = try folder.model(of: iteration)
    let file = folder.evaluation(well, of: iteration)
    if let evaluated = FileVersion(file), evaluated.modified >= model.version.modified {
      return .done(try Data(contentsOf: file))
    }
    let answer = try await results.answer(Key(model: model.version, path: model.url.path)) {
      [center] progress in
      try await center.evaluateSnapshot(
        iteration, ofRun: number, of: project, progress: progress)
    }
    switch answer {
    case .working(let fraction): return .working(fraction: fraction)
    case .done:
      guard let data = try Project.content(of: file) else {
        throw StudioError(.noEvaluation(number: number, well: well))
      }
      return .done(data)
    }
  }
}
