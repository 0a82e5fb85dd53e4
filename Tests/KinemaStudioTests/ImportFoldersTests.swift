import Foundation
import KinemaFiles
import KinemaPose
import KinemaStudio
import KinemaTestSupport
import Testing

@Suite("Folders that the server offers") struct ImportFoldersTests {
  private let temporary: TemporaryFolder
  private let folders: ImportFolders

  init() throws {
    temporary = try TemporaryFolder()
    for path in ["offered/swing", "offered/.hidden", "private"] {
      try FileManager.default.createDirectory(
        at: temporary.url(path), withIntermediateDirectories: true)
    }
    let poses = PoseSequence(
      frames: (0..<20).map { PoseSequence.Frame(time: Double($0) / 10, poses: []) })
    for path in ["offered/a.jsonl", "offered/swing/b.jsonl", "private/c.jsonl"] {
      try poses.write(to: temporary.url(path))
    }
    try Data("file_name,label\n".utf8).write(to: temporary.url("offered/labels.csv"))
    try Data().write(to: temporary.url("offered/notes.txt"))
    folders = ImportFolders([temporary.url("offered"), temporary.url("missing")])
  }

  @Test("a listing has the folders, and the files that can be added")
  func listing() throws {
    let listing = try folders.listing(nil)
    #expect(listing.parent == nil)
    #expect(listing.folders == ["swing"])
    #expect(Set(listing.contents.map(\.name)) == ["a.jsonl", "labels.csv"])
    #expect(listing.contents.first { $0.name == "a.jsonl" }?.kind == .poses)
    #expect(listing.contents.first { $0.name == "labels.csv" }?.kind == .annotations)
    let below = try folders.listing(listing.path + "/swing")
    #expect(below.parent == listing.path)
    #expect(below.contents.map(\.name) == ["b.jsonl"])
  }

  @Test("what is outside, also behind a link, is not offered")
  func outside() throws {
    try FileManager.default.createSymbolicLink(
      at: temporary.url("offered/link"), withDestinationURL: temporary.url("private"))
    for path in [
      temporary.path("private"), temporary.path("offered/../private"),
      temporary.path("offered/link"),
      "/", "", "offered", temporary.path("offered/nothing"), temporary.path("offered\u{0}"),
    ] {
      let error = expectError(StudioError.self) { try folders.url(path) }
      #expect(error?.code == .notFound, "\(path)")
    }
    #expect(try !folders.listing(nil).contents.contains { $0.name == "c.jsonl" })
  }

  @Test("without folders there is nothing to list")
  func none() {
    let error = expectError(StudioError.self) { try ImportFolders([]).listing(nil) }
    #expect(error?.message == StudioMessage.noFolders.sentence)
  }

  @Test("labelled folders become items by their paths, once")
  func addsFolder() async throws {
    try FileManager.default.removeItem(at: temporary.url("offered/labels.csv"))
    let project = try Project.create(at: temporary.url("golf"), name: "Golf")
    let first = try await project.add(
      contentsOf: try folders.url(temporary.path("offered")), to: .training, from: folders)
    #expect(first.items == 1)
    let items = try project.items(in: .training)
    #expect(items.map(\.label) == ["swing"])
    #expect(items.first?.file.hasSuffix("/offered/swing/b.jsonl") == true)
    let again = try await project.add(
      contentsOf: try folders.url(temporary.path("offered")), to: .training, from: folders)
    #expect(again.items == 0)
  }

  /// Two frames of a person whom nobody tracks, in the fractions of a picture.
  private static let landmarks: String = {
    let names = ["left_shoulder", "right_shoulder", "left_hip", "right_hip", "left_knee"]
    let header =
      "frame,time_ms," + names.map { "\($0)_x,\($0)_y,\($0)_visibility" }.joined(separator: ",")
    let places = names.indices.map { "0.\(4 + $0 % 2),0.\(3 + $0),0.9" }.joined(separator: ",")
    return header + "\n0,0,\(places)\n1,40,\(places)\n"
  }()

  @Test("poses of other tools are poses, by their content, and their people get ids")
  func foreignPoses() async throws {
    let file = temporary.url("offered/swing/landmarks.csv")
    try Data(Self.landmarks.utf8).write(to: file)
    let listing = try folders.listing(temporary.path("offered/swing"))
    #expect(listing.contents.first { $0.name == "landmarks.csv" }?.kind == .poses)
    let project = try Project.create(at: temporary.url("golf"), name: "Golf")
    let result = try await project.add(
      contentsOf: try folders.url(file.path), to: .training, from: folders)
    #expect(result.items == 0 && result.findings.isEmpty)
    let poses = try await PoseStore(project).poses(of: file)
    #expect(poses.frames.map(\.time) == [0, 0.04])
    #expect(poses.frames.flatMap(\.poses).map(\.personID) == [1, 1])
    #expect(await PoseStore(project).extracted([file]) == [file])
  }

  @Test("sets go into their wells, and a table that is not understood is refused")
  func sets() async throws {
    let poses = PoseSequence(
      frames: (0..<20).map { PoseSequence.Frame(time: Double($0) / 10, poses: []) })
    for (number, name) in ["train/x", "valid/x", "test/x"].enumerated() {
      try FileManager.default.createDirectory(
        at: temporary.url("offered/data/\(name)"), withIntermediateDirectories: true)
      try poses.write(to: temporary.url("offered/data/\(name)/\(number).jsonl"))
    }
    let project = try Project.create(at: temporary.url("golf"), name: "Golf")
    let result = try await project.add(
      contentsOf: try folders.url(temporary.path("offered/data")), to: .training, from: folders)
    #expect(result.items == 3)
    for well in [Well.training, .validation, .testing] {
      #expect(try project.items(in: well).map(\.label) == ["x"])
    }
    let table = temporary.url("offered/labels.csv")
    try Data("file_name,label,timestamp\na.jsonl,x,3\n".utf8).write(to: table)
    let error = await expectAsyncError(StudioError.self) {
      try await project.add(contentsOf: folders.url(table.path), to: .training, from: folders)
    }
    #expect(error?.message.contains("“timestamp”, which looks like a time") == true)
    try Data("file_name,label,start_frame,end_frame\na.jsonl,x,5,10\n".utf8).write(to: table)
    _ = try await project.add(contentsOf: folders.url(table.path), to: .training, from: folders)
    let added = try project.items(in: .training).first { $0.file.hasSuffix("/a.jsonl") }
    #expect(added?.start == 0.5 && added?.end == 1)
  }

  @Test("items may name files of the project and of the folders, no others")
  func checks() throws {
    let project = try Project.create(at: temporary.url("golf"), name: "Golf")
    let offered = try folders.url(temporary.path("offered/a.jsonl")).path
    try project.check([FileName(offered)], from: folders)
    for file in [temporary.path("private/c.jsonl"), "nothing.mp4", offered + "x"] {
      let error = expectError(StudioError.self) {
        try project.check([FileName(file)], from: folders)
      }
      #expect(error?.code == .notFound, "\(file)")
    }
  }
}
