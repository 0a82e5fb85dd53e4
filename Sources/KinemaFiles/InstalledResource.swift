package import Foundation

/// A file or folder that comes with Kinema: in `share/kinema` of an installed tree, in `Resources` of
/// a checkout.
package struct InstalledResource: Sendable {
  /// The path below `share/kinema`.
  private let installedPath: String
  /// The path below `Resources`.
  private let checkoutPath: String

  /// The running program's file.
  package static var executable: URL { URL(filePath: "/proc/self/exe").resolvingSymlinksInPath() }
  /// The folder in which the program runs.
  package static var currentDirectory: URL {
    URL(filePath: FileManager.default.currentDirectoryPath)
  }

  /// Names a resource; the path in a checkout where it is another.
  package init(_ installedPath: String, inCheckout checkoutPath: String? = nil) {
    self.installedPath = installedPath
    self.checkoutPath = checkoutPath ?? installedPath
  }

  /// Where it is; `nil` if it is not there or cannot be read.
  ///
  /// Takes the first of: `share/kinema` in the folder that `KINEMA_HOME` names, `share/kinema` in the
  /// folder above the executable's, and `Resources` in the folders above the executable and above
  /// the current directory.
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
  /// A folder and those above it, the nearest first.
  package var ancestors: [URL] {
    var folders = [standardizedFileURL]
    while let last = folders.last, last.path != "/", folders.count < 64 {
      folders.append(last.deletingLastPathComponent())
    }
    return folders
  }
}
