package import Foundation

/// The user's data folder: `$XDG_DATA_HOME/kinema` or `~/.local/share/kinema` (XDG Base Directory).
package enum DataFolder {
  /// The folder; it may not exist.
  package static func url(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    home: URL = FileManager.default.homeDirectoryForCurrentUser
  ) -> URL {
    // The specification ignores relative paths.
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return URL(filePath: data).appending(path: "kinema", directoryHint: .isDirectory)
    }
    return home.appending(path: ".local/share/kinema", directoryHint: .isDirectory)
  }
}
