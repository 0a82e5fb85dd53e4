import Foundation
import KinemaHTTP
import KinemaStudio
import KinemaTestSupport
import Testing

/// The answers of the Studio API against `docs/schemas/studio.json`, from which the types of the pages
/// are made.
@Suite struct StudioSchemaTests {
  private let fixture: StudioFixture
  private let schema: SchemaCheck

  init() throws {
    fixture = try StudioFixture()
    schema = try SchemaCheck("studio")
  }

  /// Asks for an answer until it is there, and checks it.
  private func check(
    _ path: String, _ definition: String, query: [String: String] = [:], method: String = "GET",
    body: String = ""
  ) async throws {
    var answer: HTTPResponse
    repeat {
      answer = try await fixture.ask(method, path, query: query, body: Data(body.utf8))
      guard case .data(let data) = answer.body else {
        Issue.record("\(path) is a file.")
        return
      }
      #expect((200..<300).contains(answer.status), "\(path): \(answer.status)")
      let kind = answer.status == 202 && method == "GET" ? "waiting" : definition
      #expect(try schema.faults(in: data, as: kind) == [], "\(method) \(path)")
      if kind == "waiting" { try await Task.sleep(for: .milliseconds(5)) }
    } while answer.status == 202 && method == "GET"
  }

  @Test("projects, items, media, folders, uploads and takes are as the schema describes them")
  func data() async throws {
    let project = try fixture.project(["a.jsonl": 3])
    try Data("no poses".utf8).write(to: project.folder.sources.appending(path: "bad.jsonl"))
    _ = try project.add([
      NewItem(file: "a.jsonl", label: "swing", start: 0.5, end: 2),
      NewItem(file: "a.jsonl", label: "putt", start: 9, person: "Anna"),
      NewItem(file: "bad.jsonl", label: "swing"), NewItem(file: "gone.mp4", label: "swing"),
    ])
    let old = try fixture.studio.library.create(name: "Old")
    _ = try await fixture.studio.delete(old.id)
    try await check("projects", "projectList")
    try await check("projects/golf", "projectDetail")
    try await check(
      "projects/golf", "projectDetail", method: "PATCH",
      body: #"{"parameters":{"validation":0.25,"seed":7},"metadata":{"author":"Ada"}}"#)
    try await check("projects/golf/items", "itemPage")
    try await check("projects/golf/annotations", "annotations", query: ["file": "a.jsonl"])
    try await check("projects/golf/media", "mediaList")
    try await check("projects/golf/jobs", "jobs")
    try await check(
      "projects/golf/poses", "poses", query: ["file": "a.jsonl", "start": "0", "end": "1"])
    try await check("projects/golf/suggestions", "suggestions", query: ["file": "a.jsonl"])

    try StudioFixture.writePoses(to: fixture.temporary.url("offered/b.jsonl"), seconds: 1)
    try await check("folders", "folder")
    let path = fixture.temporary.path("offered/b.jsonl")
    try await check(
      "projects/golf/import", "importResult", method: "POST",
      body: #"{"path":"\#(path)","well":"training"}"#)
    _ = try fixture.studio.workspace("golf").uploads.begin(
      name: "c.jsonl", size: 100, well: .testing, label: "swing")
    try await check("projects/golf/uploads", "uploadList")
    let takes = try fixture.studio.workspace("golf").takes
    for file in ["a.jsonl", "bad.jsonl"] {
      _ = try await takes.begin(
        file: file, label: "stand", person: nil, well: .training, keepsVideo: true)
    }
    await takes.finish()
    try await check("projects/golf/takes", "takeList")
  }

  @Test("runs, evaluations, timelines and models are as the schema describes them")
  func runs() async throws {
    let project = try WaveProject.make(
      at: fixture.temporary.url("projects/golf"), iterations: 2)
    let center = fixture.studio.runs
    _ = try await center.start(project)
    await center.finishAll()
    // A second run, which fails.
    _ = try project.add([NewItem(file: "gone.jsonl", label: "up")])
    _ = try await center.start(project)
    await center.finishAll()
    try await check("projects/golf/runs", "runList")
    try await check("projects/golf/runs/1", "run")
    try await check("projects/golf/runs/2", "run")
    try await check("projects/golf/runs/1/evaluation", "evaluation", query: ["well": "testing"])
    try await check("projects/golf/runs/1/timeline", "timeline", query: ["file": "up0.jsonl"])
    try await check("projects/golf/runs/1/output", "output")
  }
}
