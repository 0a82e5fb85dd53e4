import Foundation
import KinemaCounting
import KinemaFiles
import KinemaPose
import KinemaStudio
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("The media of a project, and what its page shows of them")
struct ProjectMediaTests {
  private let temporary: TemporaryFolder
  private let project: Project

  init() throws {
    temporary = try TemporaryFolder()
    project = try Project.create(at: temporary.url("golf"), name: "Golf")
  }

  private func source(_ name: String) -> URL { project.folder.sources.appending(path: name) }

  // MARK: - Files

  @Test("media are the files that can be read, by their names, and those that items name elsewhere")
  func media() throws {
    for name in ["a.jsonl", "Ü b.jsonl", ".hidden.jsonl"] {
      try PoseTakes.write(to: source(name), seconds: 1)
    }
    try Data("no medium".utf8).write(to: source("notes.txt"))
    try FileManager.default.createDirectory(
      at: source("below.mp4"), withIntermediateDirectories: false)
    let elsewhere = temporary.url("c.jsonl")
    try PoseTakes.write(to: elsewhere, seconds: 1)
    #expect(try Set(project.media().keys.map(\.text)) == ["a.jsonl", "Ü b.jsonl"])
    // Nobody names it.
    #expect(throws: StudioError.self) { try project.url(of: elsewhere.path) }
    _ = try project.add([NewItem(file: elsewhere.path, label: "swing")])
    #expect(try Set(project.media().keys.map(\.text)) == ["a.jsonl", "Ü b.jsonl", elsewhere.path])
    #expect(try project.url(of: elsewhere.path).path == elsewhere.path)
  }

  @Test(
    "a name that leads out of the folder of sources is no medium",
    arguments: [
      "../project.json", "../../secret.jsonl", "sub/../../secret.jsonl", "/etc/passwd", "", ".",
      "link.jsonl", "a.jsonl/", "./a.jsonl", "a.jsonl\u{0}", "gone.jsonl",
    ])
  func outside(name: String) throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 1)
    try PoseTakes.write(to: temporary.url("secret.jsonl"), seconds: 1)
    try FileManager.default.createSymbolicLink(
      at: source("link.jsonl"), withDestinationURL: temporary.url("secret.jsonl"))
    let error = expectError(StudioError.self) { try project.url(of: name) }
    #expect(error?.text == .noMedium(file: name))
    #expect(try project.media().keys.map(\.text) == ["a.jsonl"])
  }

  @Test("a medium goes when no item uses it; of one elsewhere, the file stays")
  func removes() throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 1)
    let items = try project.add([NewItem(file: "a.jsonl", label: "swing")])
    let error = expectError(StudioError.self) { try project.removeMedium("a.jsonl") }
    #expect(error?.text == .mediumInUse(file: "a.jsonl", items: 1))
    _ = try project.remove(items.map(\.id))
    try project.removeMedium("a.jsonl")
    #expect(!FileManager.default.fileExists(atPath: source("a.jsonl").path))
    let elsewhere = temporary.url("c.jsonl")
    try PoseTakes.write(to: elsewhere, seconds: 1)
    try project.update { $0.media = [elsewhere.path] }
    try project.removeMedium(elsewhere.path)
    #expect(try project.description.media == [])
    #expect(FileManager.default.fileExists(atPath: elsewhere.path))
  }

  // MARK: - Headers

  @Test("the header of a pose file has its length and rate; a damaged one says what is wrong")
  func headers() async throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 2)
    try Data("{".utf8).write(to: source("bad.jsonl"))
    try PoseSequence().write(to: source("empty.npz"))
    let files = Set(["a.jsonl", "bad.jsonl", "empty.npz", "gone.jsonl"].map(source))
    let found = try await project.headers.headers(of: files)
    #expect(found.count == 3)
    let header = try #require(found[source("a.jsonl")])
    #expect(header.kind == .poses && header.problem == nil && header.aspectRatio == 1)
    #expect(abs((header.seconds ?? 0) - 2) < 1e-6 && abs((header.frameRate ?? 0) - 10) < 1e-6)
    #expect(found[source("bad.jsonl")]?.problem?.message.contains("bad.jsonl") == true)
    #expect(found[source("empty.npz")]?.problem?.message == "empty.npz has no frames.")
    #expect(found[source("empty.npz")]?.problem?.text?.name == "noFrames")
  }

  @Test("headers are read again where a file changes, and where their cache is damaged")
  func headerCache() async throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 1)
    let files: Set = [source("a.jsonl")]
    _ = try await project.headers.headers(of: files)
    try Data("damaged".utf8).write(to: project.folder.poses.appending(path: "headers.json"))
    let again = try await Project(opening: project.folder.url).headers.headers(of: files)
    #expect(abs((again[source("a.jsonl")]?.seconds ?? 0) - 1) < 1e-6)
    try FileManager.default.removeItem(at: source("a.jsonl"))
    try PoseTakes.write(to: source("a.jsonl"), seconds: 3)
    let changed = try await project.headers.headers(of: files)
    #expect(abs((changed[source("a.jsonl")]?.seconds ?? 0) - 3) < 1e-6)
  }

  // MARK: - Summary

  @Test("a summary has the classes of each well with their seconds, up to the end of each file")
  func summary() async throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 4)
    _ = try project.add([
      NewItem(file: "a.jsonl", label: "squat", start: 1, end: 2.5),
      NewItem(file: "a.jsonl", label: "squat", start: 3, end: 9),
      NewItem(file: "a.jsonl", label: "plank"),
    ])
    _ = try project.add([NewItem(file: "gone.jsonl", label: "other")], to: .leftOut)
    let summary = try await project.summary()
    let training = try #require(summary.wells[.training])
    #expect(training.items == 3 && abs(training.seconds - 6.5) < 1e-6)
    #expect(training.classes.map(\.label) == ["plank", "squat"])
    #expect(training.classes.map(\.items) == [1, 2])
    #expect(training.classes.map(\.kind) == [.timed, .counted])
    #expect(abs(training.classes[1].seconds - 2.5) < 1e-6)
    #expect(summary.wells[.leftOut]?.seconds == 0)
    #expect(summary.wells[.testing]?.items == 0)
    #expect(summary.media.files.count == 1)
  }

  @Test("a clip without its file, after its end, or in a damaged file has its problem")
  func problems() async throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 1)
    try Data("{".utf8).write(to: source("bad.jsonl"))
    let items = try project.add([
      NewItem(file: "a.jsonl", label: "swing"), NewItem(file: "gone.jsonl", label: "swing"),
      NewItem(file: "a.jsonl", label: "swing", start: 5),
      NewItem(file: "bad.jsonl", label: "swing"),
    ])
    let summary = try await project.summary()
    let problems = items.map { summary.media.problem(of: $0) }
    #expect(problems[0] == nil)
    #expect(problems[1] == .fileGone(file: "gone.jsonl"))
    #expect(problems[2] == .startsAfterEnd(file: "a.jsonl"))
    guard case .badData(let reason, let text) = problems[3] else {
      Issue.record("\(String(describing: problems[3])) is not about its data.")
      return
    }
    #expect(reason.contains("bad.jsonl") && text?.values["file"]?.hasSuffix("bad.jsonl") == true)
  }

  @Test("findings say by kind and name what training would meet; they go with their cause")
  func findings() async throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 4)
    let items = try project.add([
      NewItem(file: "a.jsonl", label: "squat"), NewItem(file: "gone.jsonl", label: "lunge"),
    ])
    let found = try #require(
      try await project.summary(hasFindings: true).wells[.training]?.findings)
    #expect(found.contains { $0.severity == .error && $0.kind == .missingFile })
    #expect(found.contains { $0.kind == .smallClass })
    // Errors come first, and each is said in a sentence of the table.
    #expect(found.drop { $0.severity == .error }.allSatisfy { $0.severity == .warning })
    #expect(found.allSatisfy { $0.text?.sentence == $0.message })
    _ = try project.remove([items[1].id])
    let rest = try #require(try await project.summary(hasFindings: true).wells[.training]?.findings)
    #expect(!rest.contains { $0.kind == .missingFile })
  }

  @Test("a file whose name is not UTF-8 is reported, as it can be shown")
  func illegibleName() async throws {
    let folder = Array(source("b").path.utf8CString.dropLast())
    let file = creat(folder + [CChar(bitPattern: 0xFF)] + Array(".mp4".utf8CString), 0o600)
    #expect(file >= 0)
    close(file)
    let found = try await project.summary(hasFindings: true).wells[.training]?.findings ?? []
    #expect(found.map(\.text) == [.illegibleName(file: "b\u{FFFD}.mp4")])
    #expect(found.map(\.severity) == [.warning])
  }

  @Test("a summary holds until a file, an item or a parameter changes")
  func summaryIsNew() async throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 1)
    #expect(try await project.summary().media.files.count == 1)
    try PoseTakes.write(to: source("b.jsonl"), seconds: 1)
    #expect(try await project.summary().media.files.count == 2)
    _ = try project.add([NewItem(file: "b.jsonl", label: "swing")])
    #expect(try await project.summary().wells[.training]?.items == 1)
    let other = try Project(opening: project.folder.url)
    _ = try other.add([NewItem(file: "a.jsonl", label: "swing")], to: .testing)
    #expect(try await project.summary().wells[.testing]?.items == 1)
  }

  // MARK: - Folders on the server

  @Test("folders and files with odd names become items of just those names")
  func oddNames() async throws {
    let offered = temporary.url("offered")
    let labels = ["push up (slow)", "a,b", "スクワット", "100%"]
    for label in labels {
      let folder = offered.appending(path: label)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try PoseTakes.write(to: folder.appending(path: "take \"1\", é.jsonl"), seconds: 1)
    }
    let folders = ImportFolders([offered])
    let result = try await project.add(
      contentsOf: folders.url(offered.path), to: .training, from: folders)
    #expect(result.items == labels.count && result.findings.isEmpty)
    let items = try Project(opening: project.folder.url).items()
    #expect(Set(items.map(\.label)) == Set(labels))
    #expect(items.allSatisfy { $0.file.hasSuffix("/take \"1\", é.jsonl") })
    let summary = try await project.summary()
    #expect(items.allSatisfy { summary.media.problem(of: $0) == nil })
  }

  @Test("files that cannot be read are findings of the import, and the others become items")
  func damagedImport() async throws {
    let offered = temporary.url("offered/swing")
    try FileManager.default.createDirectory(at: offered, withIntermediateDirectories: true)
    try PoseTakes.write(to: offered.appending(path: "a.jsonl"), seconds: 1)
    try Data("{".utf8).write(to: offered.appending(path: "b.jsonl"))
    let folders = ImportFolders([temporary.url("offered")])
    let result = try await project.add(
      contentsOf: folders.url(temporary.path("offered")), to: .testing, from: folders)
    #expect(result.items == 1)
    #expect(result.findings.map(\.file) == ["b.jsonl"])
    #expect(result.findings.allSatisfy { $0.severity == .error && $0.text?.sentence == $0.message })
    #expect(try project.items(in: .testing).map(\.label) == ["swing"])
  }

  @Test("a single file is a medium without an item, named once")
  func singleFile() async throws {
    let offered = temporary.url("offered")
    try FileManager.default.createDirectory(at: offered, withIntermediateDirectories: true)
    try PoseTakes.write(to: offered.appending(path: "a.jsonl"), seconds: 1)
    let folders = ImportFolders([offered])
    let url = try folders.url(offered.appending(path: "a.jsonl").path)
    for _ in 0..<2 {
      #expect(try await project.add(contentsOf: url, to: .training, from: folders).items == 0)
    }
    #expect(try project.description.media == [url.path])
    #expect(try project.media().keys.map(\.text) == [url.path])
  }

  @Test("an annotation file is imported by the names of the project's media, and once")
  func annotations() async throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 3)
    let file = temporary.url("labels.csv")
    try Data(
      "file_name,label,start_time,end_time\na.jsonl,swing,0,1\na.jsonl,putt,1,2\nb.jsonl,putt,0,1\n"
        .utf8
    ).write(to: file)
    let folders = ImportFolders([])
    let first = try await project.add(annotationFile: file, to: .training, from: folders)
    #expect(first.items == 2 && first.findings.contains { $0.message.contains("b.jsonl") })
    let again = try await project.add(annotationFile: file, to: .training, from: folders)
    #expect(again.items == 0)
    #expect(try project.items().map(\.label) == ["swing", "putt"])
  }
}
