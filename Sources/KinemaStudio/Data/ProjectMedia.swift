package import Foundation
import Glibc
package import KinemaFiles
import KinemaTraining

extension Project {
  /// The media of the project: those in its folder of sources, and those elsewhere that items or the
  /// project file name; by name.
  package func media() throws -> [FileName: URL] {
    var media: [FileName: URL] = [:]
    for name in try sourceNames() {
      media[FileName(name)] = folder.sources.appending(path: name)
    }
    for name in Set(try uses.keys).union(try named) where media[name] == nil {
      // A medium that is not there is missing, as its items say.
      if let url = try? url(of: name.text) { media[name] = url }
    }
    return media
  }

  /// The media of some items.
  package func media(of items: [ProjectItem]) async throws -> MediaTable {
    let names = Set(items.map { FileName($0.file) })
    // A medium that is not there is missing, as its items say.
    let files = names.reduce(into: [FileName: URL]()) { $0[$1] = try? url(of: $1.text) }
    return MediaTable(files: files, headers: try await headers.headers(of: Set(files.values)))
  }

  /// The file of a medium; throws ``StudioError`` where it is not there, or does not belong to the
  /// project.
  package func url(of file: String) throws -> URL {
    guard file.hasPrefix("/") else { return try url(ofSource: file) }
    let url = URL(filePath: file)
    guard MediaFolder.isMedia(url),
      try hasItems(of: file) || named.contains(FileName(file)), FileVersion(url) != nil
    else { throw Self.noMedium(file) }
    return url
  }

  /// A file in the folder of sources; symbolic links do not lead out of the project.
  func url(ofSource file: String) throws -> URL {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    let url = folder.sources.appending(path: file)
    guard !file.hasPrefix("/"), parts.allSatisfy({ ProjectLibrary.isName(String($0)) }),
      MediaFolder.isMedia(url), let real = Self.real(url), let home = Self.real(folder.url),
      real.hasPrefix(home + "/"), FileVersion(url) != nil
    else { throw Self.noMedium(file) }
    return url
  }

  /// Removes a file from the folder of sources, or the name of one elsewhere; throws
  /// ``StudioError`` where items use it.
  package func removeMedium(_ file: String) throws {
    try checkOwned()
    let url = try url(of: file)
    let count = try items(of: file).count
    guard count == 0 else {
      throw StudioError(.mediumInUse(file: file, items: count))
    }
    if file.hasPrefix("/") {
      try update { $0.media?.removeAll { FileName($0) == FileName(file) } }
    } else {
      try Self.storing(.change) { try FileManager.default.removeItem(at: url) }
    }
  }

  /// A name in the folder of sources that no file has, such as `a-2.mp4`.
  func unusedName(_ name: String) -> String {
    let url = URL(filePath: name)
    let base = url.deletingPathExtension().lastPathComponent
    var candidate = name
    var number = 1
    while FileManager.default.fileExists(atPath: folder.sources.appending(path: candidate).path) {
      number += 1
      candidate = "\(base)-\(number).\(url.pathExtension)"
    }
    return candidate
  }

  /// What the project file names, elsewhere.
  private var named: Set<FileName> {
    get throws { Set((try description.media ?? []).map(FileName.init)) }
  }

  private func sourceNames() throws -> [String] {
    // What is no medium is left out.
    try namesInSources.filter { (try? url(ofSource: $0)) != nil }
  }

  /// Names of media that are not UTF-8, as they can be shown: those files cannot be used.
  var illegibleNames: [String] {
    get throws {
      try namesInSources.filter { name in
        name.unicodeScalars.contains("\u{FFFD}") && MediaFolder.isMedia(URL(filePath: name))
          && !FileManager.default.fileExists(atPath: folder.sources.appending(path: name).path)
      }.sorted()
    }
  }

  /// The names in the folder of sources, where there is one.
  var namesInSources: [String] {
    get throws {
      let path = folder.sources.path
      guard FileManager.default.fileExists(atPath: path) else { return [] }
      do {
        return try FileManager.default.contentsOfDirectory(atPath: path)
      } catch {
        throw StudioError(.unreadableFile(file: path))
      }
    }
  }

  private static func noMedium(_ file: String) -> StudioError {
    StudioError(.noMedium(file: StudioMessage.quoted(file)))
  }

  /// A path without symbolic links; `nil` where there is nothing.
  static func real(_ url: URL) -> String? {
    guard let path = realpath(url.path, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
