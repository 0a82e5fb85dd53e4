import Foundation
import KinemaHTTP
import KinemaTestSupport
import Testing

@Suite("The files of the pages")
struct StaticFilesTests {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "kinema-pages-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appending(path: "modules"), withIntermediateDirectories: true)
    for name in [
      "index.html", "page.css", "modules/camera.js", "icon.svg", ".secret", "app.webmanifest",
    ] {
      try Data(name.utf8).write(to: folder.appending(path: name))
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "link.txt").path, withDestinationPath: "/etc/hostname")
    try body(folder)
  }

  @Test("files have the content types that browsers require")
  func types() throws {
    try withFolder { folder in
      let files = try StaticFiles(folder: folder)
      let types = [
        "/": "text/html; charset=utf-8", "/page.css": "text/css; charset=utf-8",
        "/modules/camera.js": "text/javascript; charset=utf-8", "/icon.svg": "image/svg+xml",
        "/app.webmanifest": "application/manifest+json; charset=utf-8",
      ]
      for (path, type) in types {
        #expect(files.response(path: path)?.headers["content-type"] == type)
      }
      guard case .file(let url) = files.response(path: "/")?.body else {
        Issue.record("The page is not a file.")
        return
      }
      #expect(url.lastPathComponent == "index.html")
    }
  }

  @Test(
    "nothing but the listed files is served",
    arguments: [
      "/.secret", "/link.txt", "/modules", "/../etc/passwd", "/modules/../.secret", "index.html",
      "",
      "//index.html", "/index.html/",
    ])
  func nothingElse(_ path: String) throws {
    try withFolder { folder in
      let files = try StaticFiles(folder: folder)
      #expect(files.response(path: path) == nil)
      #expect(files.paths.count == 5)
    }
  }

  @Test("a folder that is missing is named")
  func missing() {
    let error = expectError(HTTPError.self) {
      try StaticFiles(folder: URL(filePath: "/no/such/folder"))
    }
    #expect(error?.code == .badConfiguration)
    #expect(error?.message.contains("/no/such/folder") == true)
  }
}
