import Foundation
import KinemaFiles
import KinemaTestSupport
import Testing

struct InstalledResourceTests {
  private let resource = InstalledResource("web/index.html", inCheckout: "Web/index.html")

  /// Creates files and returns the folder that is above them.
  private func folder(with files: String...) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")
      .resolvingSymlinksInPath()
    for file in files {
      let place = url.appending(path: file)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try #require(
        FileManager.default.createFile(
          atPath: place.path, contents: Data(), attributes: [.posixPermissions: 0o755]))
    }
    return url
  }

  @Test(
    "KINEMA_HOME comes before the tree of the program, that before a checkout, and the PATH last")
  func order() throws {
    let places = [
      "home/share/kinema/web/index.html", "tree/share/kinema/web/index.html",
      "tree/Resources/Web/index.html", "installed/share/kinema/web/index.html",
    ]
    let root = try folder(with: places[0], places[1], places[2], places[3], "installed/bin/kinema")
    defer { try? FileManager.default.removeItem(at: root) }
    for place in places {
      let found = resource.located(
        environment: [
          "KINEMA_HOME": root.appending(path: "home").path,
          "PATH": root.appending(path: "installed/bin").path,
        ],
        executable: root.appending(path: "tree/bin/program"),
        currentDirectory: URL(filePath: "/"))
      #expect(found?.path == root.appending(path: place).path)
      try FileManager.default.removeItem(at: root.appending(path: place))
    }
  }

  @Test("what is nowhere is not found")
  func nowhere() {
    let found = resource.located(
      environment: ["PATH": "/nowhere"], executable: URL(filePath: "/nowhere/bin/program"),
      currentDirectory: URL(filePath: "/nowhere"))
    #expect(found == nil)
  }

  @Test("homes are KINEMA_HOME alone, or the program's tree, checkouts and the PATH, in this order")
  func homes() throws {
    let root = try folder(with: "installed/bin/kinema")
    defer { try? FileManager.default.removeItem(at: root) }
    let program = URL(filePath: "/a/b/bin/program")
    let here = URL(filePath: "/c/d")
    let path = ["PATH": root.appending(path: "installed/bin").path]
    let homes = InstalledResource.homes(
      environment: path, executable: program, currentDirectory: here)
    let names = homes.map(\.path)
    #expect(names.first == "/a/b" && names.last?.hasSuffix("/installed") == true)
    #expect(
      Array(names.dropFirst().dropLast()) == [
        "/a/b/bin/.kinema", "/a/b/.kinema", "/a/.kinema", "/.kinema", "/c/d/.kinema", "/c/.kinema",
        "/.kinema",
      ])
    #expect(
      InstalledResource.homes(
        environment: path.merging(["KINEMA_HOME": "/home"]) { $1 }, executable: program,
        currentDirectory: here
      ).map(\.path) == ["/home"])
  }
}
