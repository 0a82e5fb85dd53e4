public import Foundation
public import Testing

/// The folder of clips, models and golden outputs beside the checkout, `../shared`.
///
/// Tests that need it carry `.enabled(if: SharedData.isPresent, SharedData.reason)`, so that they
/// are skipped by name where it is not there.
public enum SharedData {
  /// Why a test is skipped.
  public static let reason: Comment = "../shared is not there"
  /// Whether the folder is there.
  public static var isPresent: Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: "README.md").path)
  }

  /// The folder; it may not exist.
  public static let folder: URL = packageRoot.deletingLastPathComponent().appending(path: "shared")

  /// The root of the checkout.
  public static let packageRoot: URL = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file in the folder, such as `clips/ulisses_jacks.mp4`.
  public static func url(_ path: String) -> URL {
    folder.appending(path: path)
  }

  /// The files of a sub-folder, in the order of their names.
  public static func files(in path: String, withExtension fileExtension: String) -> [URL] {
    let found =
      (try? FileManager.default.contentsOfDirectory(
        at: url(path), includingPropertiesForKeys: nil)) ?? []
    return found.filter { $0.pathExtension == fileExtension }.sorted { $0.path < $1.path }
  }
}
