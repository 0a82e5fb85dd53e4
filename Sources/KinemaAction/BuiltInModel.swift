public import Foundation

/// A model that comes with Kinema.
///
/// They lie in `share/kinema` of an installed tree and in `Resources` of a checkout; both are found
/// from where the running program is, so that a tree can be moved.
///
/// ```swift
/// let classifier = try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
/// ```
public enum BuiltInModel: String, CaseIterable, Sendable {
  /// Tells jumping jacks, lunges, burpees, squats, push-ups and other actions.
  case exercise = "Exercise"
  /// Tells how fast a movement repeats itself; ``RepetitionCounter`` counts by it.
  case repetitions = "Repetitions"

  /// The name of the model's file.
  public var fileName: String { rawValue + ".mlmodel" }

  /// The model's file.
  ///
  /// - Throws: ``ActionError`` with the code ``ActionError/Code/notInstalled`` where it is not there.
  public var url: URL {
    get throws {
      guard let url = located() else {
        throw ActionError(
          .notInstalled, "\(fileName), which comes with Kinema, is missing; install Kinema again.")
      }
      return url
    }
  }

  /// The model's file; `nil` if it is not there.
  ///
  /// Takes the first of: `share/kinema` in the folder that `KINEMA_HOME` names, `share/kinema` in the
  /// folder above the executable's, and `Resources` in the folders above the executable and above
  /// the current directory.
  package func located(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    executable: URL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
    currentDirectory: URL = URL(filePath: FileManager.default.currentDirectoryPath)
  ) -> URL? {
    let folder = executable.deletingLastPathComponent()
    var folders: [URL] = []
    if let home = environment["KINEMA_HOME"], !home.isEmpty {
      folders.append(URL(filePath: home).appending(path: "share/kinema"))
    }
    folders.append(folder.deletingLastPathComponent().appending(path: "share/kinema"))
    folders += (Self.ancestors(of: folder) + Self.ancestors(of: currentDirectory)).map {
      $0.appending(path: "Resources")
    }
    return folders.map { $0.appending(path: fileName) }
      .first { FileManager.default.isReadableFile(atPath: $0.path) }
  }

  /// A folder and those above it, the nearest first.
  private static func ancestors(of folder: URL) -> [URL] {
    var folders = [folder.standardizedFileURL]
    while let last = folders.last, last.path != "/", folders.count < 64 {
      folders.append(last.deletingLastPathComponent())
    }
    return folders
  }
}
