package import Foundation
import Glibc

/// What is in a folder, by the bytes of the names: two names that look alike are two entries.
///
/// Hidden entries are left out.
package struct FolderContents: Sendable {
  /// The files, in the order of their names' bytes.
  package private(set) var files: [URL] = []
  /// The folders, in the order of their names' bytes.
  package private(set) var folders: [URL] = []
  /// The names, as they can be shown, of what cannot be opened: names that are not UTF-8, and links
  /// that lead nowhere.
  package private(set) var unusable: [String] = []

  /// - Returns: `nil` where the folder cannot be read.
  package init?(_ folder: URL) {
    guard let stream = opendir(folder.path) else { return nil }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      let bytes = UnsafeBufferPointer(start: name, count: strlen(name)).map(UInt8.init(bitPattern:))
      if bytes.first != UInt8(ascii: ".") { names.append(bytes) }
    }
    for bytes in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      var status = stat()
      guard let name = String(validating: bytes, as: UTF8.self),
        case let entry = folder.appending(path: name), stat(entry.path, &status) == 0
      else {
        unusable.append(Self.shown(bytes))
        continue
      }
      if status.st_mode & S_IFMT == S_IFDIR { folders.append(entry) } else { files.append(entry) }
    }
  }

  /// A name with `\xFF` in place of each byte that is not of UTF-8, or of a control character.
  package static func shown(_ bytes: [UInt8]) -> String {
    var (shown, rest) = ("", bytes[...])
    while let byte = rest.first {
      let character = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }
        .first
      guard let character, byte >= 0x20, byte != 0x7F else {
        let digits = String(byte, radix: 16, uppercase: true)
        shown += "\\x" + (digits.count < 2 ? "0" : "") + digits
        rest.removeFirst()
        continue
      }
      shown += character
      rest.removeFirst(character.utf8.count)
    }
    return shown
  }
}
