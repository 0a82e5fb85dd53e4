import Foundation
import KinemaAction
import KinemaFiles
import KinemaModelFiles
import KinemaPose
import KinemaStudio
import KinemaTestSupport
import Testing

@Suite("The folders of runs, and the models in them")
struct RunFolderTests {
  private let temporary: TemporaryFolder
  private let project: Project

  init() throws {
    temporary = try TemporaryFolder()
    project = try Project.create(at: temporary.url("waves"), name: "Waves")
  }

  /// Makes the folder of a run with some files.
  private func run(_ number: Int, _ files: [String: Data] = [:]) throws -> RunFolder {
    let folder = RunFolder(project.folder.run(number))
    for (name, data) in files {
      let file = folder.url.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
    }
    return folder
  }

  private func model() throws -> Data { Data(try WristModel.bytes(labels: ["up", "down"])) }

  private func center() -> RunCenter {
    RunCenter(RunCenter.Configuration(folder: temporary.url("data"), threadCount: { 1 }))
  }

  // MARK: - Numbers

  @Test("folders whose names are no numbers of runs are no runs, and do not count")
  func otherFolders() async throws {
    for name in ["9223372036854775807", "1000000", "007", "0", "-3", "+5", "notes"] {
      try FileManager.default.createDirectory(
        at: project.folder.runs.appending(path: name), withIntermediateDirectories: true)
    }
    try PoseTakes.write(
      to: project.folder.sources.appending(path: "a.npz"), seconds: 2)
    _ = try project.add([NewItem(file: "a.npz", label: "up")])
    let center = center()
    #expect(try await center.start(project).record.id == 1)
    try await center.delete(1, of: project)
    _ = try run(999_999, ["run.json": Data("{".utf8)])
    let error = await expectAsyncError(StudioError.self) { try await center.start(project) }
    #expect(error?.text == .lastRun(number: 999_999))
    await center.shutDown()
  }

  // MARK: - Records

  @Test("a damaged record is left out of the list and named where it is asked for; others stay")
  func damagedRecord() async throws {
    let record = """
      {"id":2,"name":"Good","created":"2026-01-01T00:00:00Z","state":"done","parameters":{},
      "isEnding":false,"classes":["up"],"summary":{},"notes":[],"history":[],"newer":{"a":1}}
      """
    _ = try run(1, ["run.json": Data("{".utf8)])
    _ = try run(2, ["run.json": Data(record.utf8)])
    _ = try run(3)
    try FileManager.default.createDirectory(
      at: project.folder.runs.appending(path: "notes"), withIntermediateDirectories: true)
    let center = center()
    let runs = await center.runs(of: project)
    #expect(runs.map(\.record.name) == ["Good"])
    #expect(runs[0].record.noteTexts == nil && !runs[0].hasModel && runs[0].snapshots.isEmpty)
    var error = await expectAsyncError(StudioError.self) { try await center.run(1, of: project) }
    #expect(error?.code == .badFile)
    #expect(error?.message.contains(project.folder.run(1).appending(path: "run.json").path) == true)
    error = await expectAsyncError(StudioError.self) { try await center.run(3, of: project) }
    #expect(error?.text == .noRun(number: "3"))
  }

  @Test("a new run gets the number after the highest folder, also of a damaged run")
  func numbers() async throws {
    let waves = try WaveProject.make(at: temporary.url("numbers"), iterations: 1)
    try FileManager.default.createDirectory(
      at: waves.folder.run(7), withIntermediateDirectories: true)
    let center = center()
    #expect(try await center.start(waves, name: " Eighth ").record.id == 8)
    await center.finishAll()
    #expect(await center.runs(of: waves).map(\.record.name) == ["Eighth"])
  }

  @Test("notes are exact sentences, by name and with their values")
  func notes() throws {
    let notes: [(RunNote, String)] = [
      (
        .notEvaluated(well: .testing, reason: "a.mp4 is gone.", text: nil),
        "The clips of a well (testing) were not evaluated: a.mp4 is gone."
      ),
      (
        .notCalibrated(iteration: 12),
        "It was stopped in iteration 12: its confidence is not calibrated by takes that are left out."
      ),
      (
        .takesRight(right: 1, takes: 6),
        "1 of 6 takes were classified right by models that were trained without them. "
          + "Other people may be classified less well."
      ),
    ]
    for (note, sentence) in notes {
      #expect(note.sentence == sentence)
      let data = try JSONEncoder().encode(note)
      #expect(try JSONDecoder().decode(RunNote.self, from: data) == note)
    }
  }

  @Test("a run whose record, or table, cannot be read is not taken for none")
  func unreadable() async throws {
    // Reading from its start fails, for everybody.
    let unreadable = "/proc/self/mem"
    let folder = try run(1, ["note.txt": Data()])
    let record = folder.url.appending(path: "run.json")
    try FileManager.default.createSymbolicLink(atPath: record.path, withDestinationPath: unreadable)
    let error = await expectAsyncError(StudioError.self) { try await center().run(1, of: project) }
    #expect(error?.text == .unreadableFile(file: record.path))
    let table = project.folder.table(.training)
    try FileManager.default.removeItem(at: table)
    try FileManager.default.createSymbolicLink(atPath: table.path, withDestinationPath: unreadable)
    let other = expectError(StudioError.self) { try project.items() }
    #expect(other?.text == .unreadableFile(file: table.path))
  }

  @Test("a snapshot whose evaluation cannot be deleted stays, and says why")
  func undeletable() throws {
    let folder = try run(
      1, ["snapshots/9.mlmodel": try model(), "snapshots/9-testing.json/x": Data()])
    let error = expectError(StudioError.self) { try folder.deleteSnapshot(9) }
    #expect(error?.code == .storage && error?.message.contains("9-testing.json") == true)
    #expect(folder.snapshots.map(\.iteration) == [9])
  }

  // MARK: - Models

  @Test("the model of a run is that of its end, else its newest snapshot's")
  func models() throws {
    let empty = try run(1)
    let missing = expectError(StudioError.self) { try empty.model(of: nil) }
    #expect(missing?.text == .noRunModel)
    let folder = try run(
      2,
      [
        "snapshots/9.mlmodel": try model(), "snapshots/10.mlmodel": try model(),
        "snapshots/x.mlmodel": Data(), "snapshots/10-testing.json": Data("{}".utf8),
      ])
    #expect(folder.snapshots.map(\.iteration) == [10, 9])
    #expect(try folder.model(of: nil).url == folder.snapshotModel(10))
    #expect(project.model == folder.snapshotModel(10))
    let error = expectError(StudioError.self) { try folder.model(of: 11) }
    #expect(error?.text == .noSnapshot(number: 2, iteration: 11))
    try model().write(to: folder.model)
    #expect(try folder.model(of: nil).url == folder.model && folder.hasModel)
    // Its evaluation goes with a snapshot.
    try folder.deleteSnapshot(10)
    #expect(folder.snapshots.map(\.iteration) == [9])
    #expect(!FileManager.default.fileExists(atPath: folder.evaluation(.testing, of: 10).path))
    #expect(throws: StudioError.self) { try folder.deleteSnapshot(10) }
    // What the command line exports comes first.
    try model().write(to: project.exportedModel)
    #expect(project.model == project.exportedModel)
  }

  @Test("an exported model has the project's metadata, and those of its training where it has none")
  func output() throws {
    let folder = try run(1, ["model.mlmodel": try model()])
    var description = try project.description
    let plain = try ModelOutput(folder, description, name: "Waves")
    let file = temporary.url("Waves.mlmodel")
    try Data(plain.bytes(.mlmodel)).write(to: file)
    let exported = try ActionClassifier(contentsOf: file)
    #expect(exported.labels == ["up", "down"])
    #expect(exported.metadata.shortDescription.hasPrefix("Waves: classifies actions by the poses"))
    description.metadata.author = "Ada"
    description.metadata.description = ""
    description.metadata.version = "2"
    let named = try ModelOutput(folder, description, name: "Waves")
    try Data(named.bytes(.mlmodel)).write(to: file)
    let metadata = try ActionClassifier(contentsOf: file).metadata
    #expect(metadata.author == "Ada" && metadata.version == "2")
    #expect(metadata.shortDescription == exported.metadata.shortDescription)
    #expect(metadata.license == exported.metadata.license)
    // The format of ONNX, whose first field is its version.
    #expect(try named.bytes(.onnx).first == 8)
  }

  @Test("the description of a model is as docs/schemas says, its snippets quote any name")
  func outputJSON() throws {
    let folder = try run(
      1, ["model.mlmodel": Data(try WristModel.bytes(labels: [#"say "hi""#, "down"]))])
    let output = try ModelOutput(folder, project.description, name: #"my "best" model"#)
    let json = try output.json().jsonText()
    #expect(try SchemaCheck("studio").faults(in: Data(json), as: "output") == [])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    let byteCount = try output.bytes(.mlmodel).count
    #expect(object["bytes"] as? Int == byteCount)
    #expect(object["windowSize"] as? Int == 4 && object["duration"] as? Double == 0.4)
    let snippets = try #require(object["snippets"] as? [String: String])
    #expect(snippets["python"]?.contains(#"labels = ["say \"hi\"", "down"]"#) == true)
    #expect(snippets["swift"]?.contains(#"URL(filePath: "my \"best\" model.mlmodel")"#) == true)
  }

  @Test("a damaged model is an error of the model, and a missing one of the run")
  func damagedModel() throws {
    let folder = try run(1, ["model.mlmodel": Data("no model".utf8)])
    let error = expectError(ActionError.self) {
      try ModelOutput(folder, project.description, name: "Waves")
    }
    #expect(error?.message.contains("model.mlmodel") == true)
    let missing = expectError(StudioError.self) {
      try ModelOutput(try run(2), project.description, name: "Waves")
    }
    #expect(missing?.text == .noRunModel)
  }

  // MARK: - Timelines and evaluations

  @Test("a timeline is made once, fits docs/schemas, and is made again for a changed model")
  func timeline() async throws {
    let folder = try run(1, ["model.mlmodel": try model()])
    let file = project.folder.sources.appending(path: "a.jsonl")
    try PoseTakes.poses([Float?](repeating: 0.9, count: 12)).write(to: file)
    let studio = Studio(
      library: ProjectLibrary(folder: temporary.url("projects")), folders: ImportFolders([]),
      runs: center())
    func timeline() async throws -> Data {
      while true {
        let answer = try await studio.timelines.timeline(of: file, by: folder, in: project)
        if case .done(let data) = answer { return data }
        try await Task.sleep(for: .milliseconds(2))
      }
    }
    let data = try await timeline()
    #expect(try SchemaCheck("studio").faults(in: data, as: "timeline") == [])
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let windows = try #require(object["windows"] as? [[String: Any]])
    // Windows of four frames at ten a second, one after the other.
    #expect(windows.compactMap { $0["start"] as? Double }.map { ($0 * 10).rounded() } == [0, 4, 8])
    #expect(windows.allSatisfy { $0["label"] as? String == "up" })
    #expect(try await timeline() == data)
    try Data(WristModel.bytes(labels: ["high", "low"])).write(to: folder.model)
    let text = String(decoding: try await timeline(), as: UTF8.self)
    #expect(text.contains(#""high""#) && !text.contains(#""up""#))
    await #expect(throws: StudioError.self) {
      try await studio.timelines.timeline(
        of: project.folder.sources.appending(path: "gone.jsonl"), by: folder, in: project)
    }
  }

  @Test("evaluations of a run are as docs/schemas says, and agree with the run's summary")
  func evaluations() async throws {
    let waves = try WaveProject.make(at: temporary.url("trained"), iterations: 2)
    let center = center()
    _ = try await center.start(waves)
    await center.finishAll()
    let record = try await center.run(1, of: waves).record
    let schema = try SchemaCheck("studio")
    let folder = RunFolder(waves.folder.run(1))
    for (well, accuracy) in [
      (Well.training, record.summary.training), (.testing, record.summary.testing),
    ] {
      let data = try Data(contentsOf: folder.evaluation(well))
      #expect(try schema.faults(in: data, as: "evaluation") == [])
      let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      #expect(object["accuracy"] as? Double == accuracy)
      // The matrix counts each frame once.
      let frames = try #require(object["frames"] as? [String: Any])
      let matrix = try #require(frames["matrix"] as? [[Int]])
      let clips = try waves.items(in: well).count
      #expect(matrix.joined().reduce(0, +) == clips * 20)
      #expect((object["clips"] as? [Any])?.count == clips)
      let right = matrix.indices.reduce(0) { $0 + matrix[$1][$1] }
      #expect(abs((accuracy ?? 0) - Double(right) / Double(clips * 20)) < 1e-9)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.evaluation(.validation).path))
  }
}
