package import Foundation
package import KinemaTraining

/// Where the parts of a project are in its folder.
package struct ProjectFolder: Hashable, Sendable {
  package let url: URL

  package init(_ url: URL) { self.url = url.standardizedFileURL }

  /// Name, parameters and metadata.
  package var projectFile: URL { url.appending(path: "project.json") }
  /// Videos and pose files that belong to the project.
  package var sources: URL { url.appending(path: "sources") }
  /// The cache of poses; may be deleted at any time.
  package var poses: URL { url.appending(path: "poses") }
  /// Unfinished uploads.
  package var uploads: URL { url.appending(path: "uploads") }
  /// Locked by the process that may change the project.
  var lock: URL { url.appending(path: ".lock") }
  /// Items that were removed and may come back.
  var removedItems: URL { url.appending(path: "removed.json") }
  /// The folder of all runs; each has one named by its number.
  package var runs: URL { url.appending(path: "runs") }

  /// The annotation file of a well.
  package func table(_ well: Well) -> URL { url.appending(path: well.fileName) }

  /// The labelled segments of a well.
  package func source(_ well: Well) -> ActionClassifierDataSource {
    .directoryWithVideosAndAnnotation(at: sources, annotationFile: table(well))
  }

  /// The folder of a run, a number from 1.
  package func run(_ number: Int) -> URL { runs.appending(path: String(number)) }
}
