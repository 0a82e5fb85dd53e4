import Foundation
import KinemaFiles
import KinemaTestSupport
import Testing

@Suite("A whole file")
struct WholeFileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("replaces its target when it is complete and leaves nothing beside it")
  func replaces() throws {
    let url = folder.url("a.txt")
    try WholeFile.write("first".utf8, to: url)
    try WholeFile.write("second".utf8, to: url)
    #expect(try String(contentsOf: url, encoding: .utf8) == "second")
    #expect(folder.names == ["a.txt"])
  }

  @Test("that is never put in place leaves its target alone")
  func abandoned() throws {
    let url = folder.url("a.txt")
    try WholeFile.write("first".utf8, to: url)
    do { _ = try WholeFile(for: url) }
    #expect(folder.names == ["a.txt"])
    #expect(try Data(contentsOf: url) == Data("first".utf8))
  }

  @Test("gets the requested permissions")
  func permissions() throws {
    let url = folder.url("key")
    try WholeFile.write("secret".utf8, to: url, permissions: 0o600)
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("that cannot be written is one sentence with the file and a remedy")
  func failures() throws {
    try WholeFile.write("".utf8, to: folder.url("file"))
    for (name, remedy) in [
      ("missing/a", "create the folder"), ("file/a", "create the folder"), (".", "name of a file"),
    ] {
      let url = folder.url(name)
      let failure = expectError(WholeFile.Failure.self) {
        try WholeFile.write("".utf8, to: url)
      }
      #expect(failure?.description.contains(url.path) == true)
      #expect(failure?.description.contains(remedy) == true)
    }
    #expect(folder.names == ["file"])
  }

  @Test("is written directly where the target is a device")
  func device() throws {
    try WholeFile.write("gone".utf8, to: URL(filePath: "/dev/null"))
  }

  @Test("never takes the place of a device or a pipe")
  func pipe() throws {
    let url = folder.url("pipe.mp4")
    try #require(mkfifo(url.path, 0o600) == 0)
    let failure = expectError(WholeFile.Failure.self) { _ = try WholeFile(for: url) }
    #expect(failure?.description.contains("name of a file") == true)
    #expect(folder.names == ["pipe.mp4"])
  }

  @Test("replaces what a killed process has left beside the target, and nothing that is in use")
  func leftovers() throws {
    let url = folder.url("a.txt")
    try Data("half".utf8).write(to: folder.url(".a.txt.part"))
    let first = try WholeFile(for: url)
    #expect(folder.names == [".a.txt.part"])
    #expect(try Data(contentsOf: URL(filePath: first.path)).isEmpty)
    let second = try WholeFile(for: url)
    #expect(second.path != first.path)
    #expect(folder.names.count == 2)
    try first.putInPlace()
    second.remove()
    #expect(folder.names == ["a.txt"])
  }

  @Test("what killed processes have left in a folder is removed, and nothing else")
  func leftoversOfFolder() throws {
    for name in [".a.txt.part", ".b.txt.1x.part", "c.part", ".d"] {
      try Data("half".utf8).write(to: folder.url(name))
    }
    let file = try WholeFile(for: folder.url("e.txt"))
    WholeFile.removeLeftovers(in: folder.url("."))
    #expect(folder.names.sorted() == [".d", ".e.txt.part", "c.part"])
    try file.putInPlace()
  }

  @Test("can be tried before there is anything to write")
  func tried() throws {
    try WholeFile.checkWritable(folder.url("a.txt"))
    try WholeFile.checkWritable(URL(filePath: "/dev/null"))
    #expect(folder.names.isEmpty)
    let failure = expectError(WholeFile.Failure.self) {
      try WholeFile.checkWritable(folder.url("missing/a.txt"))
    }
    #expect(failure?.description.contains("create the folder") == true)
  }
}
