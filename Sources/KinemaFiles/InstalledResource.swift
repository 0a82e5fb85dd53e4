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
  /// folder above the executable's, `Resources` in the folders above the executable and above the
  /// current directory, and `share/kinema` in the folder above that of `kinema` on the `PATH`.
  package func located(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    executable: URL = Self.executable, currentDirectory: URL = Self.currentDirectory
  ) -> URL? {
    let folder = executable.deletingLastPathComponent()
    var prefixes = [folder.deletingLastPathComponent()]
    if let home = environment["KINEMA_HOME"], !home.isEmpty {
      prefixes.insert(URL(filePath: home), at: 0)
    }
    func installed(in prefix: URL) -> URL {
      prefix.appending(path: "share/kinema/\(installedPath)")
    }
    let places =
      prefixes.map(installed)
      + (folder.ancestors + currentDirectory.ancestors).map {
        $0.appending(path: "Resources/\(checkoutPath)")
      }
      + [Self.installedPrefix(environment: environment)].compactMap { $0 }.map(installed)
    return places.first { FileManager.default.isReadableFile(atPath: $0.path) }
  }

  /// The folders that may be the *home*, with `lib/kinema` and `share/kinema`, the nearest first.
  ///
  /// `KINEMA_HOME` alone where it is set; else the folder above the executable's, a folder `.kinema` beside or
  /// above the executable, or in or above the current directory, and the folder above that of `kinema` on
  /// the `PATH`.
  package static func homes(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    executable: URL = Self.executable, currentDirectory: URL = Self.currentDirectory
  ) -> [URL] {
    if let home = environment["KINEMA_HOME"], !home.isEmpty { return [URL(filePath: home)] }
    let folder = executable.deletingLastPathComponent()
    return [folder.deletingLastPathComponent()]
      + (folder.ancestors + currentDirectory.ancestors).map { $0.appending(path: ".kinema") }
      + [installedPrefix(environment: environment)].compactMap { $0 }
  }

  /// The folders that may hold shared libraries which come with Kinema, the nearest first.
  package static func libraryFolders() -> [URL] {
    homes().map { $0.appending(path: "lib/kinema") }
  }

  /// The folder above that of `kinema` on the `PATH`, for programs that use the library; `nil` if
  /// it is not there.
  package static func installedPrefix(environment: [String: String]) -> URL? {
    (environment["PATH"] ?? "").split(separator: ":").lazy
      .map { URL(filePath: String($0)).appending(path: "kinema") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }?
      .resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
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
