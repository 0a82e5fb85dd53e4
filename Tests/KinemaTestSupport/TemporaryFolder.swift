public import Foundation

/// A folder that goes with its owner.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes it.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// A file in the folder.
  public func url(_ name: String) -> URL { url.appending(path: name) }

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { url(name).path }

  /// Whether a file is being written that will have this name; commands first make an empty one, to know
  /// that they may.
  public func hasBegun(_ name: String) -> Bool {
    let values = try? url(".\(name).part").resourceValues(forKeys: [.fileSizeKey])
    return (values?.fileSize ?? 0) > 0
  }

  /// The names of all files, hidden ones too.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }
}
