package import Foundation

/// Where Kinema keeps what is the user's: `$XDG_DATA_HOME/kinema` or `~/.local/share/kinema`
/// (XDG Base Directory Specification).
package enum DataFolder {
  /// The folder; it may not exist.
  package static func url(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    home: URL = FileManager.default.homeDirectoryForCurrentUser
  ) -> URL {
    // The specification has relative paths ignored.
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return URL(filePath: data).appending(path: "kinema", directoryHint: .isDirectory)
    }
    return home.appending(path: ".local/share/kinema", directoryHint: .isDirectory)
  }
}
