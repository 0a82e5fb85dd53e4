package import Foundation

/// Where what can be made again is kept for the user.
package enum CacheFolder {
  /// The folder `kinema/NAME` in `XDG_CACHE_HOME`, or in `.cache` in the user's home.
  package static func url(
    named name: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL {
    // The specification of base directories has relative paths ignored.
    let chosen = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let base =
      chosen.map { URL(filePath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
    return base.appending(path: "kinema/\(name)")
  }
}
