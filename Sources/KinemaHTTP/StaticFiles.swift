package import Foundation

/// The files of a folder, served by their paths.
///
/// They are listed once, when the value is made: a path that is not on the list has no file, so that
/// no path leads out of the folder. Their content is read when it is served.
package struct StaticFiles: Sendable {
  private let files: [String: URL]

  /// Lists a folder; hidden files and links are left out; throws `HTTPError` of code
  /// `badConfiguration` where the folder cannot be read.
  package init(folder: URL) throws(HTTPError) {
    let folder = folder.resolvingSymlinksInPath()
    var isFolder: ObjCBool = false
    let manager = FileManager.default
    guard manager.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue,
      let paths = manager.enumerator(atPath: folder.path)
    else {
      throw HTTPError(
        .badConfiguration,
        "The folder of the pages, \(folder.path), cannot be read: install it again.")
    }
    var files: [String: URL] = [:]
    for case let path as String in paths {
      let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
      guard !isHidden, paths.fileAttributes?[.type] as? FileAttributeType == .typeRegular else {
        continue
      }
      files["/" + path] = folder.appending(path: path)
    }
    self.files = files
  }

  package var paths: [String] { files.keys.sorted() }

  /// The file at a path, `index.html` for `/` and for folders; `nil` where there is none.
  package func response(path: String) -> HTTPResponse? {
    let folder = path.hasSuffix("/") ? path : path + "/"
    guard path.hasPrefix("/"), let file = files[path] ?? files[folder + "index.html"] else {
      return nil
    }
    return HTTPResponse(
      headers: ["content-type": Self.contentType(file.pathExtension), "cache-control": "no-cache"],
      body: .file(file))
  }

  private static func contentType(_ pathExtension: String) -> String {
    types[pathExtension.lowercased()] ?? "application/octet-stream"
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
    "json": "application/json; charset=utf-8", "map": "application/json; charset=utf-8",
    "webmanifest": "application/manifest+json; charset=utf-8",
    "txt": "text/plain; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "ico": "image/x-icon",
    "woff2": "font/woff2", "wav": "audio/wav", "mp3": "audio/mpeg", "mp4": "video/mp4",
    "wasm": "application/wasm",
  ]
}
