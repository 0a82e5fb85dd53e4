import Foundation
import KinemaFiles
import KinemaTestSupport
import Testing

@Suite("A folder for its owner alone")
struct PrivateFolderTests {
  private func mode(_ url: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test("is closed to others with those above that are made, and goes with its owner")
  func permissions() throws {
    let temporary = try TemporaryFolder()
    try PrivateFolder.make(temporary.url("a/b/c"))
    try PrivateFolder.make(temporary.url("a/b"))
    for name in ["a", "a/b", "a/b/c"] { #expect(try mode(temporary.url(name)) == 0o700) }
    try Data().write(to: temporary.url("file"))
    #expect(throws: WholeFile.Failure.self) { try PrivateFolder.make(temporary.url("file/d")) }
    let folder = try PrivateFolder()
    #expect(try mode(folder.url) == 0o700)
    folder.remove()
    #expect(!FileManager.default.fileExists(atPath: folder.url.path))
  }

  @Test("of a process that has ended is removed; those in use, and all others, stay")
  func leftovers() throws {
    let inUse = try PrivateFolder()
    let lock = ".kinema-temporary"
    let place = inUse.url.deletingLastPathComponent()
    let name = "kinema-\(UUID().uuidString)"
    var left: [URL] = []
    for (suffix, file) in [("-dead", lock), ("-project", ".lock"), ("-other", "data")] {
      let folder = place.appending(path: name + suffix)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: folder.appending(path: file))
      left.append(folder)
    }
    defer { for folder in left { try? FileManager.default.removeItem(at: folder) } }
    PrivateFolder.removeLeftovers()
    let isThere = (left + [inUse.url]).map { FileManager.default.fileExists(atPath: $0.path) }
    #expect(isThere == [false, true, true, true])
  }
}
