package import Foundation

/// A configuration in a file, which is read again when the file changes.
package struct WatchFile: Sendable {
  package private(set) var configuration: WatchConfiguration
  private let url: URL
  private var content: Data?

  /// Reads a file; throws ``WatchError``.
  package init(_ url: URL) throws(WatchError) {
    self.url = url
    // Before it is parsed, so that no change is missed.
    content = try? Data(contentsOf: url)
    configuration = try WatchConfiguration(contentsOf: url)
  }

  package var name: String { url.lastPathComponent }

  /// The configuration of a changed file; `nil` where it is as before.
  ///
  /// - Throws: ``WatchError``, once for each content.
  package mutating func changed() throws(WatchError) -> WatchConfiguration? {
    guard let content = try? Data(contentsOf: url), content != self.content else { return nil }
    self.content = content
    configuration = try WatchConfiguration(content, name: name)
    return configuration
  }
}
