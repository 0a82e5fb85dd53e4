import Foundation
import KinemaFiles
import KinemaStudio
import KinemaTestSupport
import Testing

@Suite("A project that another process has open")
struct ProjectLockTests {
  private let temporary: TemporaryFolder
  private let studio: Studio
  private let url: URL

  init() throws {
    temporary = try TemporaryFolder()
    url = temporary.url("golf")
    studio = Studio(
      library: ProjectLibrary(folder: temporary.url("projects")), folders: ImportFolders([]),
      runs: RunCenter(.init(folder: temporary.url("data"))))
    let sources = try Project.create(at: url, name: "Golf").folder.sources
    try PoseTakes.write(to: sources.appending(path: "a.jsonl"), seconds: 2)
    try Data("id,file_name,label\nx,a.jsonl,swing\n".utf8)
      .write(to: url.appending(path: "training.csv"))
  }

  @Test("is shown and stays as it is, until that process ends")
  func readOnly() async throws {
    // A lock of the same file that is opened again is another process's.
    var other = try FileLock(url.appending(path: ".lock"))
    #expect(other != nil)
    let project = try studio.library.open(url)
    let workspace = try studio.workspace(project.id)
    #expect(project.isReadOnly)
    #expect(try project.items().map(\.label) == ["swing"])
    #expect(try await project.summary(hasFindings: true).wells[.training]?.items == 1)
    let before = try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted()
    let changes: [() async throws -> Void] = [
      { try project.update { $0.name = "Other" } },
      { _ = try project.add([NewItem(file: "a.jsonl", label: "putt")]) },
      { _ = try project.change(["x"], .init(label: "putt")) }, { _ = try project.remove(["x"]) },
      { _ = try project.replace(itemsOf: "a.jsonl", with: []) },
      { try project.removeMedium("a.jsonl") },
      { _ = try workspace.uploads.begin(name: "b.jsonl", size: 9, well: .training, label: nil) },
      { _ = try await workspace.uploads.append(Data(), to: "u", at: 0) },
      { try workspace.uploads.remove("u") },
      {
        _ = try await workspace.takes.begin(
          file: "a.jsonl", label: "swing", person: nil, well: .training, keepsVideo: false)
      },
      { _ = try await studio.runs.start(project) },
    ]
    for (number, change) in changes.enumerated() {
      let error = await expectAsyncError(StudioError.self) { try await change() }
      #expect(error?.text == .readOnlyProject(folder: url.path), "change \(number)")
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted() == before)
    #expect(try project.items().map(\.label) == ["swing"])

    other = nil
    #expect(!project.isReadOnly)
    _ = try project.change(["x"], .init(label: "putt"))
    // What this process has open shares the lock, and nobody else gets it.
    _ = try Project(opening: url).add([NewItem(file: "a.jsonl", label: "drive")])
    #expect(try project.items().map(\.label) == ["putt", "drive"])
    #expect(try FileLock(url.appending(path: ".lock")) == nil)
  }

  @Test("is not deleted, and can be copied")
  func library() throws {
    let made = try studio.library.create(name: "Putt")
    let folder = made.folder.url
    let id = made.id
    // As another server has it: this one opens it later.
    let library = ProjectLibrary(folder: studio.library.folder)
    let lock = try FileLock(folder.appending(path: ".lock"))
    #expect(lock == nil)
    #expect(try library.project(id).isReadOnly == false)
    _ = try library.delete(id)
    let restored = try library.restore(id)
    #expect(!restored.isReadOnly)
    #expect(try library.duplicate(id, name: "Copy").isReadOnly == false)
  }

  @Test("segments of a file are replaced where they are as they were read, else nothing changes")
  func versions() throws {
    let project = try studio.library.open(url)
    let first = Project.version(of: try project.items(of: "a.jsonl"))
    let mine = [NewItem(id: "x", file: "a.jsonl", label: "putt", start: 1, end: 2)]
    _ = try project.replace(itemsOf: "a.jsonl", with: mine, version: first)
    let error = expectError(StudioError.self) {
      try project.replace(itemsOf: "a.jsonl", with: [], version: first)
    }
    #expect(error?.text == .changedElsewhere(file: "a.jsonl") && error?.code == .conflict)
    // It is that of the content, for every server.
    let second = Project.version(of: try Project(opening: url).items(of: "a.jsonl"))
    #expect(second == Project.version(of: try project.items(of: "a.jsonl")) && second != first)
    _ = try project.replace(itemsOf: "a.jsonl", with: [], version: second)
    #expect(try project.items().isEmpty)
  }
}
