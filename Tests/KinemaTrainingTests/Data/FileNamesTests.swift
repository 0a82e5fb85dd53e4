import Foundation
import KinemaTraining
import Testing

@Suite("Names of files in tables")
struct FileNamesTests {
  private static let composed = "\u{FC}bung.mp4"
  private static let decomposed = "u\u{308}bung.mp4"

  private func listing(_ names: [String], in folder: DataFolder) throws -> DataListing {
    let rows = names.map { "\"\($0)\",squats\n" }.joined()
    try folder.write("file,label\n\(rows)", to: "labels.csv")
    return try ActionClassifierDataSource.automatic(at: folder.file("labels.csv")).listing()
  }

  @Test("a name finds its file in another normalisation, case, encoding or with other separators")
  func spellings() throws {
    let folder = try DataFolder(["sub/My Clip.MP4", Self.decomposed, "b.mp4"])
    for (name, file) in [
      ("sub/my clip.mp4", "My Clip.MP4"), ("sub/My%20Clip.MP4", "My Clip.MP4"),
      ("sub\\My Clip.MP4", "My Clip.MP4"), ("C:\\data\\sub\\My Clip.mp4", "My Clip.MP4"),
      ("C:/data/b.mp4", "b.mp4"), ("/home/anna/data/B.mp4", "b.mp4"),
      ("file:///home/anna/b.mp4", "b.mp4"), ("./b.mp4", "b.mp4"), ("clips\\b.mp4", "b.mp4"),
      (Self.composed, Self.decomposed), ("U\u{308}BUNG.mp4", Self.decomposed),
      ("%C3%BCbung.mp4", Self.decomposed),
    ] {
      let listing = try listing([name], in: folder)
      #expect(listing.findings.isEmpty, "\(name)")
      #expect(
        listing.annotations.first.map { Array($0.url.lastPathComponent.utf8) }
          == Array(file.utf8), "\(name)")
    }
  }

  @Test("names that look alike are two files, each found by its bytes")
  func twins() throws {
    let folder = try DataFolder([Self.composed, Self.decomposed])
    let listing = try listing([Self.composed, Self.decomposed], in: folder)
    #expect(listing.findings.isEmpty)
    let found = listing.annotations.map { Array($0.url.lastPathComponent.utf8) }
    #expect(found == [Array(Self.composed.utf8), Array(Self.decomposed.utf8)])
    let folders = try DataFolder(["x/\(Self.composed)", "x/\(Self.decomposed)"])
    let labelled = try ActionClassifierDataSource.automatic(at: folders.url).listing()
    #expect(Set(labelled.annotations.map(\.url)).count == 2)
  }

  @Test("a name of several files, and one file for two paths, are refused")
  func ambiguous() throws {
    let folder = try DataFolder(["Clip.mp4", "CLIP.mp4", "a.mp4"])
    let several = try listing(["clip.mp4"], in: folder)
    #expect(several.annotations.isEmpty)
    #expect(several.errorMessages.first?.contains("(CLIP.mp4, Clip.mp4)") == true)
    let shared = try listing(["C:\\x\\a.mp4", "C:\\y\\a.mp4"], in: folder)
    #expect(shared.annotations.count == 1)
    #expect(shared.errorMessages.first?.contains("for which only a.mp4") == true)
    #expect(try listing(["none/a.mp4"], in: folder).findings.map(\.kind) == [.missingFile])
  }

  @Test("what is skipped in a folder is counted and named, also names that are not UTF-8")
  func skipped() throws {
    let folder = try DataFolder([
      "x/a.mp4", "x/anna/b.mp4", "x/anna/deep/c.mp4", "x/anna/notes.txt", "y/d.mp4", "read.me",
      "more.me",
    ])
    let path = folder.file("y").path + "/bad"
    let bytes = Array(path.utf8).map(CChar.init(bitPattern:)) + [CChar(bitPattern: 0xFF), 0]
    let file = try #require(fopen(bytes, "w"))
    fclose(file)
    let listing = try ActionClassifierDataSource.automatic(at: folder.url).listing()
    #expect(listing.annotations.count == 3)
    let messages = listing.findings.map(\.message)
    for text in [
      "deep has no video that is used", "notes.txt in ", "more.me and 1 more in ", "bad\\xFF in ",
    ] {
      #expect(messages.contains { $0.contains(text) }, "\(text): \(messages)")
    }
    let table = try DataFolder(["a.mp4", "b.mp4", "c.mp4"])
    try table.write("file,label\na.mp4,x\n", to: "labels.csv")
    let unnamed = try ActionClassifierDataSource.automatic(at: table.url).listing()
    #expect(unnamed.findings.map(\.message).first?.contains("b.mp4 and 1 more in ") == true)
  }
}
