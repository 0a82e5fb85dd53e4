package import Foundation

/// A file or folder that comes with Kinema, in `share/kinema` or in a checkout's `Resources`.
package struct InstalledResource: Sendable {
  /// The path below `share/kinema`.
  private let installedPath: String
  /// The path below `Resources`.
  private let checkoutPath: String

  /// The running executable.
  package static var executable: URL { URL(filePath: "/proc/self/exe").resolvingSymlinksInPath() }
  /// The current directory.
  package static var currentDirectory: URL {
    URL(filePath: FileManager.default.currentDirectoryPath)
  }

  /// Names a resource, and its path in a checkout if that differs.
  package init(_ installedPath: String, inCheckout checkoutPath: String? = nil) {
    self.installedPath = installedPath
    self.checkoutPath = checkoutPath ?? installedPath
  }

  /// The resource's location; `nil` if it is missing or unreadable.
  ///
  /// The first of: `share/kinema` in `KINEMA_HOME`, `share/kinema` beside the executable's folder,
  /// and `Resources` in the folders above the executable and above the current directory.
  package func located(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    executable: URL = Self.executable, currentDirectory: URL = Self.currentDirectory
  ) -> URL? {
    let folder = executable.deletingLastPathComponent()
    var places: [URL] = []
    if let home = environment["KINEMA_HOME"], !home.isEmpty {
      places.append(URL(filePath: home).appending(path: "share/kinema/\(installedPath)"))
    }
    places.append(
      folder.deletingLastPathComponent().appending(path: "share/kinema/\(installedPath)"))
    places += (folder.ancestors + currentDirectory.ancestors).map {
      $0.appending(path: "Resources/\(checkoutPath)")
    }
    return places.first { FileManager.default.isReadableFile(atPath: $0.path) }
  }
}

extension URL {
  /// A folder and its ancestors, nearest first.
  package var ancestors: [URL] {
    var folders = [standardizedFileURL]
    while let last = folders.last, last.path != "/", folders.count < 64 {
      folders.append(last.deletingLastPathComponent())
    }
    return folders
  }
}
