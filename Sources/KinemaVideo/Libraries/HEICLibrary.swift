import CHeif
package import Foundation
import KinemaFiles

/// libheif, loaded at run time: that of Kinema's own folders first, then the system's.
package final class HEICLibrary: @unchecked Sendable {
  // libheif's functions are thread-safe for one context each, and no property changes.

  private static let fileName = "libheif.so.1"
  /// What it decodes HEVC with; the dynamic loader does not find it in Kinema's folders.
  private static let decoderName = "libde265.so.0"

  let functions: heif_functions
  /// The library's version, such as `1.15.1`.
  package let version: String
  /// Its file; `nil` for the system's.
  package let path: String?

  /// The library, if it is there; loaded when it is first needed.
  package static let shared = HEICLibrary(in: InstalledResource.libraryFolders())

  /// Loads the library of the first of some folders that has it, else the system's.
  package init?(in folders: [URL]) {
    let folder = folders.first {
      FileManager.default.isReadableFile(atPath: $0.appending(path: Self.fileName).path)
    }
    let own = folder.flatMap {
      heif_load(
        $0.appending(path: Self.fileName).path, $0.appending(path: Self.decoderName).path)
    }
    guard let table = own ?? heif_load(Self.fileName, nil) else { return nil }
    functions = table.pointee
    path = own == nil ? nil : folder?.appending(path: Self.fileName).path
    version = functions.get_version().map { String(cString: $0) } ?? "unknown"
  }
}
