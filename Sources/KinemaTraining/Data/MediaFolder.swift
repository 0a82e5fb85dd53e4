package import Foundation
import KinemaPose

/// A folder with videos and pose files.
package struct MediaFolder {
  package static let videoExtensions: Set<String> = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "gif", "mpg", "mpeg", "ts", "mts", "m2ts", "wmv",
    "flv", "3gp", "ogv", "mjpeg",
  ]

  let url: URL

  /// - Throws: ``TrainingError`` where there is no such folder or it cannot be listed.
  package init(_ url: URL) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw TrainingError(.missing, MessageText("noFolder", ["folder": url.path]))
    }
    guard isFolder.boolValue else {
      throw TrainingError(.badData, MessageText("fileNotFolder", ["file": url.path]))
    }
    self.url = url
  }

  /// Whether a file is a video or pose file by its name.
  package static func isMedia(_ url: URL) -> Bool {
    videoExtensions.contains(url.pathExtension.lowercased()) || PoseSequence.format(of: url) != nil
  }

  /// Files and folders sorted by name, without hidden ones.
  package func contents() throws -> (files: [URL], folders: [URL]) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw TrainingError(
        .badData, MessageText("unreadableFolder", ["folder": url.path]), cause: error)
    }
    var files: [URL] = []
    var folders: [URL] = []
    for name in names.sorted() where !name.hasPrefix(".") {
      let entry = url.appending(path: name)
      var isFolder: ObjCBool = false
      // Skips what no longer exists and dangling links.
      guard FileManager.default.fileExists(atPath: entry.path, isDirectory: &isFolder) else {
        continue
      }
      if isFolder.boolValue { folders.append(entry) } else { files.append(entry) }
    }
    return (files, folders)
  }

  /// The file that an annotation names: by relative or absolute path, or by its name if a tool has
  /// added a path or eight hexadecimal digits; `nil` if there is none.
  func file(named name: String, isFromTool: Bool = false) -> URL? {
    let path = name.hasPrefix("/") ? URL(filePath: name) : url.appending(path: name)
    if Self.isFile(path) { return path }
    guard isFromTool else { return nil }
    let decoded = name.removingPercentEncoding ?? name
    // Includes the query of `/data/local-files/?d=clips/a.mp4`.
    guard let last = decoded.split(whereSeparator: { "/\\=?".contains($0) }).last else {
      return nil
    }
    var candidates = [String(last)]
    let prefix = last.prefix(9)
    if prefix.count == 9, prefix.last == "-", prefix.dropLast().allSatisfy(\.isHexDigit) {
      candidates.append(String(last.dropFirst(9)))
    }
    return candidates.lazy.map { url.appending(path: $0) }.first(where: Self.isFile)
  }

  private static func isFile(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }
}
