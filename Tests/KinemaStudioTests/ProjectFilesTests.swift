import Foundation
import KinemaStudio
import KinemaTestSupport
import Testing

@Suite("Files of a project that others wrote, or that cannot be written")
struct ProjectFilesTests {
  private let temporary: TemporaryFolder
  private let project: Project

  init() throws {
    temporary = try TemporaryFolder()
    project = try Project.create(at: temporary.url("golf"), name: "Golf")
  }

  private func write(_ text: String, to well: Well = .training) throws {
    try Data(text.utf8).write(to: project.folder.table(well), options: .atomic)
  }

  private func text(_ well: Well = .training) throws -> String {
    try String(contentsOf: project.folder.table(well), encoding: .utf8)
  }

  /// What opening the project fails with.
  private func refusal(ofFile json: String) throws -> StudioError? {
    try Data(json.utf8).write(to: project.folder.projectFile, options: .atomic)
    return expectError(StudioError.self) { try Project(opening: project.folder.url) }
  }

  // MARK: - project.json

  @Test(
    "a project file that is none is refused with what is wrong in it",
    arguments: [
      ("", "it is not valid JSON."), ("[]", "“” is not a JSON object."),
      (
        #"{"format":"kinema-project","version":1,"created":"2026-01-01T00:00:00Z"}"#,
        "“name” is missing."
      ),
      (
        #"{"format":"kinema-project","version":1,"name":7,"created":"2026-01-01T00:00:00Z"}"#,
        "“name” is not a text."
      ),
      (
        #"{"format":"kinema-project","version":1,"name":"G","created":"2026-01-01T00:00:00Z","#
          + #""parameters":{"seed":"one"},"metadata":{}}"#,
        "“parameters.seed” is not a number."
      ),
    ])
  func badProjectFile(json: String, fault: String) throws {
    let error = try refusal(ofFile: json)
    #expect(error?.text == .badProjectFile(file: project.folder.projectFile.path, fault: fault))
    #expect(error?.code == .badFile)
  }

  @Test("a file of a newer version, or of another program, says which it is")
  func otherVersion() throws {
    let rest = #""name":"G","created":"2026-01-01T00:00:00Z","parameters":{},"metadata":{}}"#
    let newer = try refusal(ofFile: #"{"format":"kinema-project","version":2,"# + rest)
    #expect(
      newer?.text
        == .otherVersion(
          file: project.folder.projectFile.path, format: "kinema-project", version: 2))
    let other = try refusal(ofFile: #"{"format":"golf","version":1,"# + rest)
    #expect(other?.message.contains("a golf of version 1") == true)
  }

  @Test("a member that a newer Kinema wrote is no obstacle")
  func unknownMember() throws {
    let json = try String(contentsOf: project.folder.projectFile, encoding: .utf8)
    try Data(json.replacing("{\n", with: "{\n  \"colour\" : \"red\",\n", maxReplacements: 1).utf8)
      .write(to: project.folder.projectFile, options: .atomic)
    #expect(try Project(opening: project.folder.url).description.name == "Golf")
  }

  @Test("a project whose folder goes away is missing, and is there again when it comes back")
  func goneAndBack() throws {
    let aside = temporary.url("aside")
    try FileManager.default.moveItem(at: project.folder.url, to: aside)
    let error = expectError(StudioError.self) { try project.description }
    #expect(error?.text == .noProjectFile(folder: project.folder.url.path))
    #expect(!Project.isProject(project.folder.url))
    try FileManager.default.moveItem(at: aside, to: project.folder.url)
    #expect(try project.description.name == "Golf")
  }

  // MARK: - Annotation files

  @Test(
    "a file that is no table is refused by its name, and left as it is",
    arguments: [
      ("clip;name\n1;2\n", "training.csv has no columns file_name and label"),
      ("file_name,label\na.mp4,\"swing\n", "training.csv"),
    ])
  func noTable(table: String, message: String) throws {
    try write(table)
    let error = expectError(StudioError.self) { try project.items() }
    #expect(error?.code == .badFile && error?.message.contains(message) == true)
    #expect(throws: StudioError.self) {
      try project.add([NewItem(file: "a.mp4", label: "swing")], to: .testing)
    }
    #expect(try text() == table)
  }

  @Test("bytes that are no text are refused")
  func noText() throws {
    try Data([0xFF, 0xFE, 0x00, 0xD8]).write(to: project.folder.table(.training))
    let error = expectError(StudioError.self) { try project.items() }
    #expect(error?.code == .badFile)
  }

  @Test("semicolons, CR LF and a mark of byte order are read as others write them")
  func foreignTable() throws {
    try write("\u{FEFF}file_name;label;start_time\r\na.mp4;swing;1,5\r\n\"b;c.mp4\";putt;\r\n")
    let items = try project.items()
    #expect(items.map(\.file) == ["a.mp4", "b;c.mp4"])
    #expect(items.map(\.label) == ["swing", "putt"])
  }

  @Test("rows with a bad time, no file or no label are kept with what is wrong")
  func flawedRows() throws {
    try write(
      """
      id,file_name,label,start_time,end_time
      a,a.mp4,swing,soon,2
      b,,swing,,
      c,a.mp4,,0,1
      d,a.mp4,swing,0,1
      e,a.mp4,swing,1e19,1e300

      """)
    let before = try text()
    let items = try project.items()
    #expect(
      items.map(\.problem) == [
        .badRowTime(table: "training.csv", row: 2, time: "soon"),
        .rowWithoutFile(table: "training.csv", row: 3),
        .rowWithoutLabel(table: "training.csv", row: 4), nil,
        .badRowTime(table: "training.csv", row: 6, time: "1e300"),
      ])
    // Another row changes and they stay as they were written.
    _ = try project.change(["d"], .init(label: "putt"))
    #expect(try text() == before.replacing("d,a.mp4,swing", with: "d,a.mp4,putt"))
    // A time that is given takes the place of the bad one.
    _ = try project.change(["a"], .init(start: 1.25))
    #expect(try text().contains("a,a.mp4,swing,1.25,2\n"))
  }

  @Test("a row without an id has the same one whenever it is read")
  func stableIDs() throws {
    try write("file_name,label\na.mp4,swing\na.mp4,swing\nb.mp4,putt\n")
    let ids = try project.items().map(\.id)
    #expect(Set(ids).count == 3)
    #expect(try Project(opening: project.folder.url).items().map(\.id) == ids)
    try write("file_name,label\nb.mp4,putt\na.mp4,swing\n")
    #expect(Set(try project.items().map(\.id)).isSubset(of: ids))
  }

  @Test("times are written to the microsecond, and whole ones without a fraction")
  func times() throws {
    let items = try project.add([
      NewItem(file: "a.mp4", label: "swing", start: 0, end: 1.0 / 3),
      NewItem(file: "a.mp4", label: "swing", start: 0.1 + 0.2, end: 3_600_000),
    ])
    #expect(
      String(decoding: try project.csv(of: .training), as: UTF8.self) == """
        id,file_name,label,start_time,end_time,person
        \(items[0].id),a.mp4,swing,0,0.333333,
        \(items[1].id),a.mp4,swing,0.3,3600000,

        """)
    let empty = "id,file_name,label,start_time,end_time,person\n"
    #expect(try project.csv(of: .leftOut) == Data(empty.utf8))
  }

  @Test("names and labels with commas, quotes and letters of any language come back as they were")
  func oddTexts() throws {
    let texts = [
      "a, b", "say \"hi\"", "Kniebeuge – tief", "スクワット", "👍🏽", "=1+1", "; ,",
    ]
    let added = try project.add(texts.map { NewItem(file: "\($0).mp4", label: $0, person: $0) })
    let read = try Project(opening: project.folder.url).items()
    #expect(read == added)
    #expect(read.map(\.label) == texts && read.map(\.person) == texts)
  }

  // MARK: - Two at once

  @Test("two who opened the same project see each other's changes, and overwrite none")
  func twoOpened() throws {
    let other = try Project(opening: project.folder.url)
    let first = try project.add([NewItem(file: "a.mp4", label: "swing")])
    let second = try other.add([NewItem(file: "b.mp4", label: "putt")])
    #expect(try project.items() == first + second)
    _ = try other.change([first[0].id], .init(well: .testing))
    #expect(try project.items(in: .testing).map(\.id) == [first[0].id])
    try project.update { $0.name = "Golf 2" }
    try other.update { $0.parameters.seed = 7 }
    #expect(try project.description.name == "Golf 2" && project.description.parameters.seed == 7)
    #expect(try project.remove([second[0].id]) == 1)
    let error = expectError(StudioError.self) {
      try other.change([second[0].id], .init(label: "x"))
    }
    #expect(error?.text == .noItem(id: second[0].id))
    // What one removed the other brings back.
    #expect(try other.add([NewItem(id: second[0].id, file: "b.mp4", label: "putt")]) == second)
  }

  @Test("readers beside a writer see each state whole")
  func readersBesideWriter() async throws {
    let reader = try Project(opening: project.folder.url)
    try await withThrowingTaskGroup(of: Void.self) { [project] group in
      group.addTask {
        for _ in 0..<20 {
          _ = try project.replace(
            itemsOf: "a.mp4",
            with: (0..<3).map { NewItem(file: "a.mp4", label: "swing", start: Double($0)) })
        }
      }
      group.addTask {
        for _ in 0..<200 {
          let items = try reader.items()
          #expect([0, 3].contains(items.count))
        }
      }
      try await group.waitForAll()
    }
  }

  // MARK: - What cannot be written

  @Test("a change that cannot be kept fails whole: nothing else is changed")
  func unwritable() throws {
    let items = try project.add([NewItem(file: "a.mp4", label: "swing")])
    // A folder where the file should be.
    try FileManager.default.createDirectory(
      at: project.folder.url.appending(path: "removed.json"), withIntermediateDirectories: false)
    let error = expectError(StudioError.self) { try project.remove([items[0].id]) }
    #expect(error?.code == .storage)
    #expect(error?.message.hasPrefix("The clips cannot be stored: ") == true)
    #expect(try project.items() == items)
    #expect(try Project(opening: project.folder.url).items() == items)
  }

  @Test("an item that moves is in its new well before it leaves the old one")
  func interruptedMove() throws {
    let items = try project.add([
      NewItem(file: "a.mp4", label: "swing"), NewItem(file: "b.mp4", label: "swing"),
    ])
    let file = project.folder.table(.testing)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(throws: StudioError.self) {
      try project.change([items[0].id], .init(well: .testing))
    }
    #expect(try project.items() == items)
  }

  @Test("a project cannot be made where a file is")
  func madeOnFile() throws {
    try Data().write(to: temporary.url("file"))
    let error = expectError(StudioError.self) {
      try Project.create(at: temporary.url("file"), name: "Golf")
    }
    #expect(error?.code == .storage)
    #expect(error?.message.hasPrefix("The project cannot be stored: ") == true)
  }

  // MARK: - Limits

  @Test("names and texts have limits, which are named")
  func limits() throws {
    let longest = String(repeating: "x", count: ProjectDescription.longestName)
    #expect(try project.update { $0.name = longest }.name == longest)
    for name in [longest + "x", "", " ", "a\nb", "a\u{2028}b", "a\u{0}"] {
      let error = expectError(StudioError.self) { try project.update { $0.name = name } }
      #expect(error?.text == .badName(limit: 200), "\(name)")
    }
    let error = expectError(StudioError.self) {
      try project.update { $0.metadata.license = String(repeating: "é", count: 5001) }
    }
    #expect(error?.text == .longText(limit: 10_000))
    // Labels are measured in bytes, as they are in files.
    _ = try project.add([NewItem(file: "a.mp4", label: String(repeating: "é", count: 100))])
    for item in [
      NewItem(file: "a.mp4", label: String(repeating: "é", count: 101)),
      NewItem(file: "a.mp4", label: "swing", person: String(repeating: "x", count: 201)),
      NewItem(file: "a.mp4", label: "swing", end: 3_600_001),
    ] {
      #expect(throws: StudioError.self) { try project.add([item]) }
    }
    #expect(try project.items().count == 1)
  }
}
