import Foundation
import KinemaFiles

/// Finds the files that tables name in a folder, however a name is spelled: in another normalisation
/// of Unicode or case, URL-encoded, with the separators of Windows, or with a path of another machine.
final class FileFinder {
  /// What a name stands for.
  enum Match {
    case file(URL)
    /// Several files, by their names in the folder.
    case several([String])
    /// A file that another path, as it is given, stands for as well.
    case shared(URL, with: String)
    case missing
  }

  private let folder: URL
  /// The entries of each folder, by their names without differences of case and normalisation.
  private var entries: [URL: [String: [URL]]] = [:]
  /// The path of another machine that a file was found for, and its folder there.
  private var origins: [URL: (name: String, folder: [String])] = [:]

  init(_ folder: URL) { self.folder = folder }

  /// The file of a name.
  ///
  /// - Parameter isFromTool: Whether a labelling tool may have put eight hexadecimal digits before the
  ///   name.
  func file(named name: String, isFromTool: Bool = false) -> Match {
    let exact = name.hasPrefix("/") ? URL(filePath: name) : folder.appending(path: name)
    if Self.isFile(exact) { return .file(exact) }
    for (parts, origin) in Self.spellings(of: name, isFromTool: isFromTool) {
      let found = files(parts[...], in: folder)
      guard let file = found.first else { continue }
      guard found.count == 1 else { return .several(found.map(\.lastPathComponent)) }
      // Tools put the same file into several folders.
      guard !isFromTool else { return .file(file) }
      if let other = origins[file], other.folder != origin {
        return .shared(file, with: other.name)
      }
      origins[file] = (name, origin)
      return .file(file)
    }
    return .missing
  }

  /// The video or pose file of an id, such as that of a data set: `ID.mp4`, also `v_ID.mp4`, of any format.
  func file(stem: String) -> Match {
    let names = [stem, "v_" + stem].map { $0.lowercased() }
    let files = entries(of: folder).values.joined().filter { url in
      MediaFolder.isMedia(url)
        && names.contains(url.deletingPathExtension().lastPathComponent.lowercased())
    }
    // The id as it is, before other spellings.
    let exact = files.filter { $0.deletingPathExtension().lastPathComponent == stem }
    let found = exact.isEmpty ? files : exact
    guard let file = found.first else { return self.file(named: stem) }
    return found.count == 1 ? .file(file) : .several(found.map(\.lastPathComponent).sorted())
  }

  /// The paths below the folder that a name can stand for, most likely first: as it is, decoded, and of
  /// a path of another machine its last parts, each with the parts before.
  private static func spellings(
    of name: String, isFromTool: Bool
  ) -> [(parts: [String], origin: [String])] {
    var spellings: [(parts: [String], origin: [String])] = []
    for text in [name, name.removingPercentEncoding ?? name] {
      let isWindows = text.contains("\\")
      let separators = isFromTool ? "/\\=?" : isWindows ? "/\\" : "/"
      let parts = text.split { separators.contains($0) }.map(String.init).filter { $0 != "." }
      let isElsewhere =
        isFromTool || isWindows || parts.first?.hasSuffix(":") == true
        || text.hasPrefix("/")
      for count in isElsewhere ? parts.indices : 0..<1 {
        let origin = parts.prefix(count).map { $0.lowercased() }
        spellings.append((Array(parts.dropFirst(count)), origin))
      }
    }
    guard isFromTool, let last = spellings.last?.parts.last, last.dropFirst(8).first == "-",
      last.prefix(8).allSatisfy(\.isHexDigit)
    else { return spellings }
    return spellings + [([String(last.dropFirst(9))], [])]
  }

  private func files(_ parts: ArraySlice<String>, in folder: URL) -> [URL] {
    guard let name = parts.first, name != ".." else { return [] }
    let found = entries(of: folder)[name.lowercased()] ?? []
    guard parts.count > 1 else { return found.filter(Self.isFile) }
    return found.flatMap { files(parts.dropFirst(), in: $0) }
  }

  private func entries(of folder: URL) -> [String: [URL]] {
    if let known = entries[folder] { return known }
    let contents = FolderContents(folder)
    let all = (contents?.files ?? []) + (contents?.folders ?? [])
    // Strings that look alike are equal, whatever their normalisation.
    let found = Dictionary(grouping: all) { $0.lastPathComponent.lowercased() }
    entries[folder] = found
    return found
  }

  private static func isFile(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }
}
