package import Foundation
import Glibc
import KinemaTraining

extension Project {
  /// The media of the project: those in its folder of sources, and those elsewhere that items or the
  /// project file name; by name, sorted.
  package func media() throws -> [String: URL] {
    var media: [String: URL] = [:]
    for name in try sourceNames() { media[name] = folder.sources.appending(path: name) }
    for name in try namesElsewhere() where MediaFolder.isMedia(URL(filePath: name)) {
      media[name] = URL(filePath: name)
    }
    for item in try items() where media[item.file] == nil {
      if let url = try? url(ofSource: item.file) { media[item.file] = url }
    }
    return media
  }

  /// The file of a medium; throws ``StudioError`` where it is not there, or does not belong to the
  /// project.
  package func url(of file: String) throws -> URL {
    guard file.hasPrefix("/") else { return try url(ofSource: file) }
    let url = URL(filePath: file)
    guard MediaFolder.isMedia(url), try namesElsewhere().contains(file), FileVersion(url) != nil
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
    let url = try url(of: file)
    let uses = try items(of: file).count
    guard uses == 0 else {
      throw StudioError(.mediumInUse(file: file, items: uses))
    }
    if file.hasPrefix("/") {
      try update { $0.media?.removeAll { $0 == file } }
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

  private func namesElsewhere() throws -> Set<String> {
    let named = try items().map(\.file) + (description.media ?? [])
    return Set(named.filter { $0.hasPrefix("/") })
  }

  private func sourceNames() throws -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.sources.path)
    return (names ?? []).filter { (try? url(ofSource: $0)) != nil }
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
