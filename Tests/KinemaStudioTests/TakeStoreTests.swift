import Foundation
import KinemaPose
import KinemaStudio
import KinemaTestSupport
import Testing

@Suite("Takes, suggestions, poses and extraction of a project")
struct TakeStoreTests {
  private let temporary: TemporaryFolder
  private let studio: Studio
  private let workspace: ProjectWorkspace
  private var project: Project { workspace.project }

  init() throws {
    temporary = try TemporaryFolder()
    studio = Self.studio(temporary)
    workspace = try studio.workspace(try studio.library.create(name: "Golf").id)
  }

  private static func studio(_ folder: TemporaryFolder) -> Studio {
    Studio(
      library: ProjectLibrary(folder: folder.url("projects")), folders: ImportFolders([]),
      runs: RunCenter(.init(folder: folder.url("data"), threadCount: { 1 })))
  }

  private func source(_ name: String) -> URL { project.folder.sources.appending(path: name) }

  private func begin(_ file: String, label: String = "stand", well: Well = .training) async throws
    -> TakeStore.Take
  {
    try await workspace.takes.begin(
      file: file, label: label, person: "Anna", well: well, keepsVideo: true)
  }

  // MARK: - Takes

  @Test("a take in which nothing repeats is one item, of its label, person and well")
  func still() async throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 3)
    let begun = try await begin("a.jsonl", label: " plank ", well: .testing)
    #expect(begun.state == .working && begun.label == "plank")
    await workspace.takes.finish()
    let take = try #require(await workspace.takes.all.first)
    #expect(take.state == .done && take.fraction == 1 && take.repetitions.isEmpty)
    let items = try project.items(in: .testing)
    #expect(items.map(\.id) == take.items && items.count == 1)
    #expect(items[0].label == "plank" && items[0].person == "Anna")
    #expect(items[0].start == nil && items[0].end == nil)
  }

  @Test("a take without a person, and one that is damaged, fail by name and add no item")
  func failures() async throws {
    try PoseTakes.write(to: source("empty.jsonl"), seconds: 2, isVisible: false)
    try Data("{".utf8).write(to: source("bad.jsonl"))
    for file in ["empty.jsonl", "bad.jsonl"] { _ = try await begin(file) }
    await workspace.takes.finish()
    let takes = await workspace.takes.all
    #expect(takes.count == 2 && takes.allSatisfy { $0.state == .failed })
    let empty = try #require(takes.first { $0.file == "empty.jsonl" })
    #expect(empty.text == .nobodyVisible)
    #expect(takes.allSatisfy { $0.text?.sentence == $0.message })
    #expect(takes.first { $0.file == "bad.jsonl" }?.message?.contains("bad.jsonl") == true)
    #expect(try project.items().isEmpty)
  }

  @Test("a take of a file that is not there, or with a label that cannot be used, does not begin")
  func refusals() async throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 1)
    for (file, label) in [("gone.jsonl", "stand"), ("../project.json", "stand"), ("a.jsonl", " ")] {
      await #expect(throws: StudioError.self) { try await begin(file, label: label) }
    }
    #expect(await workspace.takes.all.isEmpty)
  }

  @Test("takes are there after a restart, those under way go on, and a damaged record is left out")
  func restart() async throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 2)
    let done = try await begin("a.jsonl")
    await workspace.takes.finish()
    let record = project.folder.uploads.appending(path: "take-\(done.id).json")
    // As a process leaves it that is killed before the items are added.
    _ = try project.remove(try project.items().map(\.id))
    var json = try String(contentsOf: record, encoding: .utf8)
    json.replace("\"done\"", with: "\"working\"")
    json.replace(/"items"\s*:\s*\[[^\]]*\]/, with: "\"items\":[]")
    try Data(json.utf8).write(to: record)
    try Data("{".utf8).write(to: project.folder.uploads.appending(path: "take-bad.json"))
    let again = Self.studio(temporary)
    await again.resume()
    let takes = try again.workspace("golf").takes
    await takes.finish()
    let all = await takes.all
    #expect(all.map(\.id) == [done.id] && all[0].state == .done)
    #expect(try project.items().map(\.id) == all[0].items)
    await again.shutDown()
  }

  // MARK: - Suggestions

  @Test("a model suggests the stretches of its labels, one after the other")
  func modelSuggestions() throws {
    let heights = [Float](repeating: 0.9, count: 20) + [Float](repeating: 0.1, count: 20)
    let found = try Suggestions.suggestions(
      in: PoseTakes.poses(heights), aspectRatio: 1,
      classifier: try WristModel.classifier(labels: ["up", "down"]))
    let named = found.filter { $0.kind == .model }
    #expect(named.first?.label == "up" && named.last?.label == "down")
    #expect(!named.drop { $0.label == "up" }.contains { $0.label == "up" })
    #expect(zip(named, named.dropFirst()).allSatisfy { $0.end <= $1.start })
    #expect(try #require(named.first).start < 0.5 && #require(named.last).end > 3)
    #expect(named.allSatisfy { $0.confidence > 0.6 && $0.confidence <= 1 && $0.count == nil })
  }

  @Test("who stands still, and nobody, give no suggestion")
  func noSuggestions() throws {
    for height in [0.5, nil] as [Float?] {
      let poses = PoseTakes.poses([Float?](repeating: height, count: 50))
      #expect(try Suggestions.suggestions(in: poses, aspectRatio: 1, classifier: nil).isEmpty)
    }
  }

  @Test("suggestions are made once for a file, and again when it changes")
  func suggestionsAgain() async throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 1)
    let namer = Suggestions.Namer(
      id: "wrist", try WristModel.classifier(labels: ["up", "down"]))
    func count() async throws -> Int {
      let poses = try await workspace.poses.poses(of: source("a.jsonl"))
      while true {
        let answer = try await studio.suggestions.answer(
          for: source("a.jsonl"), poses: poses, aspectRatio: 1, namer: namer)
        if case .done(let found) = answer { return found.filter { $0.kind == .model }.count }
        try await Task.sleep(for: .milliseconds(2))
      }
    }
    let before = try await count()
    try FileManager.default.removeItem(at: source("a.jsonl"))
    let heights = [Float](repeating: 0.9, count: 20) + [Float](repeating: 0.1, count: 20)
    try PoseTakes.poses(heights + heights).write(to: source("a.jsonl"))
    #expect(try await count() > before)
  }

  // MARK: - Poses and extraction

  @Test("poses are those of the file as it is now; a stretch of them is cut by time")
  func poses() async throws {
    try PoseTakes.write(to: source("a.jsonl"), seconds: 2)
    let poses = try await workspace.poses.poses(of: source("a.jsonl"))
    #expect(poses.frames.count == 20)
    #expect(poses.frames(from: 0.45, to: 0.8).map(\.time) == [0.5, 0.6, 0.7])
    #expect(poses.frames(from: 5, to: 9).isEmpty && poses.frames(from: 0, to: 0).isEmpty)
    try FileManager.default.removeItem(at: source("a.jsonl"))
    try PoseTakes.write(to: source("a.jsonl"), seconds: 1)
    #expect(try await workspace.poses.poses(of: source("a.jsonl")).frames.count == 10)
    try Data("{".utf8).write(to: source("bad.jsonl"))
    var error = await expectAsyncError(StudioError.self) {
      try await workspace.poses.poses(of: source("bad.jsonl"))
    }
    #expect(error?.code == .badFile)
    error = await expectAsyncError(StudioError.self) {
      try await workspace.poses.poses(of: source("gone.jsonl"))
    }
    #expect(error?.code == .notFound)
    let known = await workspace.poses.extracted([source("a.jsonl")])
    #expect(known == [source("a.jsonl")])
  }

  @Test("an extraction ends idle, and names the first file that cannot be read")
  func extraction() async throws {
    #expect(workspace.extraction.status.state == .idle)
    try PoseTakes.write(to: source("a.jsonl"), seconds: 1)
    workspace.extraction.start()
    await workspace.extraction.finish()
    #expect(workspace.extraction.status.state == .idle)
    #expect(workspace.extraction.status.fraction == 1 && workspace.extraction.status.text == nil)
    try Data("{".utf8).write(to: source("bad.jsonl"))
    workspace.extraction.start()
    await workspace.extraction.finish()
    #expect(workspace.extraction.status.text?.sentence.contains("bad.jsonl") == true)
    #expect(await studio.state(of: project) == "idle")
    // It has ended: a server that starts again does not go on with it.
    #expect(
      !FileManager.default.fileExists(
        atPath: project.folder.poses.appending(path: "extracting").path))
  }

  // MARK: - The studio

  @Test("a project has one workspace until it is deleted, and then none")
  func workspaces() async throws {
    #expect(try studio.workspace("golf") === workspace)
    let deleted = try await studio.delete("golf")
    let error = expectError(StudioError.self) { try studio.workspace("golf") }
    #expect(error?.text == .noProject(id: "golf"))
    let restored = try studio.library.restore(deleted)
    #expect(try studio.workspace("golf") !== workspace)
    #expect(try studio.workspace("golf").project === restored)
  }

  @Test("a model that is not there is named, its name shortened")
  func noModel() async throws {
    let id = String(repeating: "x", count: 300)
    let error = await expectAsyncError(StudioError.self) { try await studio.model(id) }
    #expect(error?.text == .noModel(id: String(id.prefix(200))))
  }
}
