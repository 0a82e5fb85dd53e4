import Foundation
import KinemaStudio
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite struct ProjectTests {
  private let temporary: TemporaryFolder
  private let project: Project

  init() throws {
    temporary = try TemporaryFolder()
    project = try Project.create(at: temporary.url("golf"), name: "Golf")
  }

  @Test("a new project has its files, and opens again as it was")
  func creates() throws {
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: project.folder.url.path))
        == [
          ".gitignore", "left-out.csv", "project.json", "runs", "sources", "testing.csv",
          "training.csv", "uploads", "validation.csv",
        ])
    let again = try Project(opening: project.folder.url)
    #expect(try again.description == project.description)
    #expect(again.id == "golf")
    #expect(throws: StudioError.self) {
      try Project.create(at: project.folder.url, name: "Other")
    }
  }

  @Test("a project is opened without what a killed process has left half-written")
  func leftovers() throws {
    let run = project.folder.run(1)
    try FileManager.default.createDirectory(at: run, withIntermediateDirectories: true)
    let halves = [
      project.folder.url.appending(path: ".training.csv.part"),
      run.appending(path: ".run.json.part"),
    ]
    for half in halves { try Data("half".utf8).write(to: half) }
    _ = try Project(opening: project.folder.url)
    #expect(!halves.contains { FileManager.default.fileExists(atPath: $0.path) })
  }

  @Test("a project's folder is data: what it is to train on, and nothing else of it")
  func data() throws {
    for name in ["a.mp4", "b.mp4"] {
      try Data("video".utf8).write(to: project.folder.sources.appending(path: name))
    }
    _ = try project.add([NewItem(file: "a.mp4", label: "swing", start: 1, end: 2.5)])
    let other = try project.add([NewItem(file: "b.mp4", label: "swing")])
    _ = try project.change([other[0].id], .init(well: .testing))
    let listing = try Project.data(at: project.folder.url).listing()
    #expect(listing.annotations.map(\.file) == ["a.mp4"])
    #expect(
      Project.data(at: project.folder.url)
        == .directoryWithVideosAndAnnotation(
          at: project.folder.sources, annotationFile: project.folder.table(.training)))
    // What any other program calls a project.
    let foreign = temporary.url("foreign")
    try FileManager.default.createDirectory(at: foreign, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: foreign.appending(path: "project.json"))
    #expect(Project.data(at: foreign) == .automatic(at: foreign))
  }

  @Test("items are added, changed, moved between wells and removed")
  func items() throws {
    let added = try project.add([
      NewItem(file: "a.mp4", label: " swing ", start: 1, end: 2.5),
      NewItem(file: "b.mp4", label: "other", person: "Anna"),
    ])
    #expect(added.map(\.label) == ["swing", "other"])
    let moved = try project.change(
      [added[0].id], .init(label: "putt", well: .testing, end: .some(nil)))
    #expect(moved.first?.end == nil)
    #expect(try project.items(in: .testing).map(\.label) == ["putt"])
    #expect(try project.items(in: .training).map(\.id) == [added[1].id])
    #expect(try project.remove(added.map(\.id) + ["nobody"]) == 2)
    #expect(try project.items().isEmpty)
  }

  @Test(
    "an item with bad times or no label is refused, and nothing is written",
    arguments: [
      NewItem(file: "a.mp4", label: "swing", start: 2, end: 2),
      NewItem(file: "a.mp4", label: "swing", start: -1), NewItem(file: "a.mp4", label: " "),
      NewItem(file: "a.mp4", label: "swing", start: .infinity),
      NewItem(file: "a.mp4", label: "a\nb"),
      NewItem(file: "a.mp4", label: String(repeating: "x", count: 201)),
    ])
  func badItems(item: NewItem) throws {
    #expect(throws: StudioError.self) {
      try project.add([NewItem(file: "b.mp4", label: "swing"), item])
    }
    #expect(try project.items().isEmpty)
  }

  @Test("unknown columns, and times as they are written, survive a change of another row")
  func unknownColumns() throws {
    try write(
      """
      clip,file,label,start,end,camera
      7,a.mp4,swing,0:01,2,left
      8,"b, c.mp4",putt,,,"far ""right"" up"
      """)
    let items = try project.items()
    #expect(items.map(\.start) == [1, nil])
    #expect(Set(items.map(\.id)).count == 2)
    _ = try project.change([items[0].id], .init(label: "drive"))
    let text = try String(contentsOf: project.folder.table(.training), encoding: .utf8)
    #expect(
      text == """
        clip,file,label,start,end,camera,id
        7,a.mp4,drive,1,2,left,\(items[0].id)
        8,"b, c.mp4",putt,,,"far ""right"" up",\(items[1].id)

        """)
    // Another well gets the columns with the row.
    _ = try project.change([items[1].id], .init(well: .leftOut))
    let leftOut = try String(contentsOf: project.folder.table(.leftOut), encoding: .utf8)
    #expect(leftOut.hasPrefix("id,file_name,label,start_time,end_time,person,camera,clip\n"))
    #expect(leftOut.hasSuffix("\(items[1].id),\"b, c.mp4\",putt,,,,\"far \"\"right\"\" up\",8\n"))
  }

  @Test("changes of the files by others are noticed; a copied row gets an id of its own")
  func changesByOthers() throws {
    let added = try project.add([NewItem(file: "a.mp4", label: "swing")])
    let row = "\(added[0].id),a.mp4,swing"
    try write("id,file_name,label\n\(row)\n\(row)\n,c.mp4,putt\n,d.mp4,putt,5\n")
    let items = try project.items()
    #expect(items.map(\.file) == ["a.mp4", "a.mp4", "c.mp4", "d.mp4"])
    #expect(items[0].id == added[0].id)
    #expect(Set(items.map(\.id)).count == 4)
    #expect(try project.items() == items)
    #expect(try Project(opening: project.folder.url).items().map(\.id) == items.map(\.id))
  }

  @Test("replacing the items of a file leaves those of other files, and unknown columns")
  func replaces() throws {
    try write(
      "id,file_name,label,start_time,end_time,note\n"
        + "x,a.mp4,swing,0,1,first\ny,b.mp4,swing,0,1,\nz,a.mp4,putt,2,3,last\n")
    let items = try project.replace(
      itemsOf: "a.mp4",
      with: [
        NewItem(id: "z", file: "a.mp4", label: "drive", start: 2.25, end: 3),
        NewItem(file: "a.mp4", label: "putt", start: 5, end: 6.5),
      ])
    #expect(items[0].id == "z")
    let text = try String(contentsOf: project.folder.table(.training), encoding: .utf8)
    #expect(
      text == """
        id,file_name,label,start_time,end_time,note
        y,b.mp4,swing,0,1,
        z,a.mp4,drive,2.25,3,last
        \(items[1].id),a.mp4,putt,5,6.5,

        """)
  }

  @Test("a removed item comes back after a restart; a damaged file of removed items is left out")
  func restoresAfterRestart() throws {
    try write("id,file_name,label,person,note\nx,a.mp4,swing,Anna,first\ny,b.mp4,putt,,\n")
    #expect(try project.remove(["x"]) == 1)
    #expect(try project.remove(["x"]) == 0)
    let again = try Project(opening: project.folder.url)
    let restored = try again.add([NewItem(id: "x", file: "a.mp4", label: "swing", person: "Anna")])
    #expect(restored.map(\.id) == ["x"])
    let text = try String(contentsOf: project.folder.table(.training), encoding: .utf8)
    #expect(text.hasSuffix("x,a.mp4,swing,Anna,first\n"))
    // It is there: the same id is another item now.
    #expect(try again.add([NewItem(id: "x", file: "a.mp4", label: "swing")])[0].id != "x")
    try Data("{".utf8).write(to: project.folder.url.appending(path: "removed.json"))
    #expect(try again.remove(["y"]) == 1)
    let other = try Project(opening: project.folder.url)
    #expect(try other.add([NewItem(id: "y", file: "b.mp4", label: "putt")])[0].id == "y")
  }

  @Test("an item that was removed comes back with its id, its person and its unknown columns")
  func restores() throws {
    try write(
      "id,file_name,label,start_time,end_time,person,note\n"
        + "x,a.mp4,swing,0,1,Anna,first\ny,a.mp4,,2,3,Ben,last\n")
    let text = { try String(contentsOf: project.folder.table(.training), encoding: .utf8) }
    let before = try text()
    // As the list of clips removes and adds: also an item without a label.
    let items = try project.items()
    #expect(try project.remove(["x", "y"]) == 2)
    _ = try project.add(
      items.map {
        NewItem(
          id: $0.id, file: $0.file, label: $0.label, well: $0.well, start: $0.start, end: $0.end,
          person: $0.person)
      })
    #expect(try text() == before)
    // As the montage saves: all segments of a file, without people.
    let segments = try project.items(of: "a.mp4").map {
      NewItem(id: $0.id, file: "a.mp4", label: $0.label, start: $0.start, end: $0.end)
    }
    _ = try project.replace(itemsOf: "a.mp4", with: [segments[0]])
    #expect(try project.items().map(\.id) == ["x"])
    _ = try project.replace(itemsOf: "a.mp4", with: segments)
    #expect(try text() == before)
    // An id that is in use, or of another file, is not taken over.
    let others = try project.add([
      NewItem(id: "x", file: "a.mp4", label: "swing"),
      NewItem(id: "q", file: "a.mp4", label: "putt"),
    ])
    #expect(Set(others.map(\.id)).isDisjoint(with: ["x", "y", "q"]))
  }

  @Test("the data of a well are those that training reads")
  func source() throws {
    #expect(try project.source(.training) == nil)
    try Data("[]".utf8).write(to: project.folder.sources.appending(path: "a.jsonl"))
    _ = try project.add([NewItem(file: "a.jsonl", label: "swing", start: 1, end: 2, person: "P")])
    let listing = try #require(try project.source(.training)).listing()
    #expect(listing.findings.isEmpty)
    #expect(listing.annotations.map(\.person) == ["P"])
    #expect(listing.annotations.map(\.start) == [.seconds(1)])
    #expect(try project.validation() == .split(strategy: .automatic))
  }

  @Test("the defaults are those of a training, also of one that starts from a model")
  func filledParameters() throws {
    var parameters = ProjectParameters()
    var filled = try parameters.filled()
    #expect(filled.iterations == 80 && filled.batchSize == nil && filled.other == nil)
    parameters.from = "Exercise"
    filled = try parameters.filled()
    #expect(filled.iterations == 6 && filled.batchSize == 128 && filled.other == true)
    #expect(filled.duration == 2 && filled.frameRate == 30)
    parameters.iterations = 12
    #expect(try parameters.filled().iterations == 12)
  }

  @Test("parameters are merged, reset by null and checked")
  func parameters() throws {
    try project.update {
      try $0.merge(
        Data(#"{"parameters":{"duration":3,"validation":0.25,"augmentation":"flip"}}"#.utf8))
    }
    let training = try project.description.parameters.training()
    #expect(training.predictionWindowSize == 90)
    #expect(training.validation == .fixed(ratio: 0.25))
    #expect(training.augmentationOptions == .horizontalFlip)
    try project.update {
      try $0.merge(Data(#"{"parameters":{"duration":null},"metadata":{"author":"A"}}"#.utf8))
    }
    #expect(try project.description.parameters.duration == nil)
    #expect(try project.description.parameters.augmentation == .flip)
    #expect(try project.description.metadata.author == "A")
  }

  @Test(
    "a change that cannot be made says what is wrong and changes nothing",
    arguments: [
      #"{"parameters":{"duration":"long"}}"#, #"{"parameters":{"frameRate":0}}"#,
      #"{"parameters":{"iterations":1.5}}"#, #"{"parameters":{"seed":-1}}"#,
      #"{"parameters":{"validation":"most"}}"#, #"{"parameters":{"validation":1}}"#,
      #"{"parameters":{"algorithm":"stgcn","from":"Exercise"}}"#, #"{"parameters":{"speed":1}}"#,
      #"{"parameters":7}"#, #"{"name":""}"#, #"{"name":7}"#, #"{"created":"now"}"#, "[]", "{",
      #"{"metadata":{"author":["A"]}}"#,
    ])
  func badChanges(body: String) throws {
    let before = try project.description
    #expect(throws: StudioError.self) { try project.update { try $0.merge(Data(body.utf8)) } }
    #expect(try project.description == before)
  }

  @Test("a damaged project file is refused with its path")
  func damaged() throws {
    try Data(#"{"format":"kinema-project","version":2,"name":"x","created":"now"}"#.utf8)
      .write(to: project.folder.projectFile)
    let error = expectError(StudioError.self) { try project.items() }
    #expect(error?.code == .badFile)
    #expect(error?.message.contains(project.folder.projectFile.path) == true)
  }

  @Test("requests that come at once lose no item")
  func atOnce() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask { [project] in
          _ = try project.add([NewItem(file: "\(number).mp4", label: "swing")])
        }
      }
      try await group.waitForAll()
    }
    #expect(try project.items().count == 40)
  }

  private func write(_ table: String) throws {
    try Data(table.utf8).write(to: project.folder.table(.training), options: .atomic)
  }
}
