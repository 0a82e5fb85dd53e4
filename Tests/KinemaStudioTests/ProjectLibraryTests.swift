import Foundation
import KinemaStudio
import KinemaTestSupport
import Testing

@Suite struct ProjectLibraryTests {
  private let temporary: TemporaryFolder
  private let library: ProjectLibrary

  init() throws {
    temporary = try TemporaryFolder()
    library = ProjectLibrary(folder: temporary.url("projects"))
  }

  @Test("projects get ids from their names; equal names get a number")
  func creates() throws {
    #expect(try library.create(name: "Golf swings!").id == "golf-swings")
    #expect(try library.create(name: "Golf Swings").id == "golf-swings-2")
    #expect(try library.create(name: "空手").id == "project")
    #expect(library.projects.map(\.id) == ["golf-swings", "golf-swings-2", "project"])
    #expect(library.projects.last.flatMap { try? $0.description.name } == "空手")
  }

  @Test("what is left out, a damaged project or run, is reported; other folders are not")
  func problems() throws {
    let golf = try library.create(name: "Golf")
    try FileManager.default.createDirectory(
      at: library.folder.appending(path: "notes"), withIntermediateDirectories: true)
    for (run, record) in [1: "{", 2: nil] {
      let folder = golf.folder.run(run)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try record.map { try Data($0.utf8).write(to: folder.appending(path: "run.json")) }
    }
    let waves = try library.create(name: "Waves")
    try Data("clip;name\n1;2\n".utf8).write(to: waves.folder.table(.training))
    let other = ProjectLibrary(folder: library.folder)
    #expect(other.projects.map(\.id) == ["golf"])
    let problems = other.problems
    #expect(problems.count == 2)
    #expect(problems.first?.hasPrefix("Run 1 of golf is left out: ") == true)
    #expect(problems.last?.hasPrefix("The project waves is left out: training.csv ") == true)
  }

  @Test(
    "no id leads out of the library",
    arguments: ["", ".", "..", "../projects/a", "a/b", ".deleted", "a\u{0}", "/etc"])
  func pathTricks(id: String) throws {
    _ = try library.create(name: "a")
    let error = expectError(StudioError.self) { try library.project(id) }
    #expect(error?.code == .notFound)
  }

  @Test("a project opened by its path is listed as well, with an id of its own")
  func elsewhere() throws {
    _ = try library.create(name: "Golf")
    _ = try Project.create(at: temporary.url("elsewhere/golf"), name: "Golf")
    let opened = try library.open(temporary.url("elsewhere/golf"))
    #expect(opened.id == "golf-2")
    #expect(try library.open(temporary.url("elsewhere/golf")) === opened)
    #expect(library.projects.map(\.id) == ["golf", "golf-2"])
    #expect(throws: StudioError.self) { try library.delete("golf-2") }
  }

  @Test("a deleted project can be restored, for 30 days")
  func deletes() throws {
    let golf = try library.create(name: "Golf")
    _ = try golf.add([NewItem(file: "a.mp4", label: "swing")])
    _ = try library.delete("golf")
    #expect(library.projects.isEmpty)
    #expect(library.deleted().map(\.name) == ["Golf"])
    let restored = try library.restore("golf")
    #expect(restored.id == "golf")
    #expect(try restored.items().count == 1)

    let aside = try library.delete("golf")
    _ = try library.create(name: "Golf")
    #expect(try library.restore(aside).id == "golf-2")

    _ = try library.delete("golf-2", now: Date(timeIntervalSinceNow: -31 * 86_400))
    #expect(library.deleted().count == 1)
    #expect(ProjectLibrary(folder: library.folder).deleted().isEmpty)
  }

  @Test("a copy has media, items and parameters, and none of the runs")
  func duplicates() throws {
    let golf = try library.create(name: "Golf")
    try Data("video".utf8).write(to: golf.folder.sources.appending(path: "a.mp4"))
    _ = try golf.add([NewItem(file: "a.mp4", label: "swing")])
    try golf.update { try $0.merge(Data(#"{"parameters":{"duration":3}}"#.utf8)) }
    try FileManager.default.createDirectory(
      at: golf.folder.run(1), withIntermediateDirectories: true)
    let copy = try library.duplicate("golf", name: "Golf again")
    #expect(try copy.description.name == "Golf again")
    #expect(try copy.description.parameters == golf.description.parameters)
    #expect(try copy.items() == golf.items())
    #expect(!FileManager.default.fileExists(atPath: copy.folder.run(1).path))
    _ = try copy.remove(copy.items().map(\.id))
    #expect(try golf.items().count == 1)
    #expect(
      try Data(contentsOf: copy.folder.sources.appending(path: "a.mp4")) == Data("video".utf8))
  }
}
