import Foundation
import KinemaAction
import KinemaHTTP
import KinemaModelFiles
import KinemaServer
import KinemaStudio
import KinemaTestSupport
import Testing

@Suite("Routes of training runs", .ownThreads)
struct RunRoutesTests {
  private let folder: TemporaryFolder
  private let project: Project
  private let center: RunCenter
  private let models: ModelLibrary
  private let application: LiveApplication

  init() throws {
    folder = try TemporaryFolder()
    project = try WaveProject.make(at: folder.url("projects/waves"), iterations: 4)
    center = RunCenter(RunCenter.Configuration(folder: folder.url("data"), threadCount: { 1 }))
    models = try ModelLibrary(folder: folder.url("models"))
    let studio = Studio(
      library: ProjectLibrary(folder: folder.url("projects")), folders: ImportFolders([]),
      runs: center)
    application = LiveApplication(routes: StudioRoutes.routes(studio, models: models))
  }

  private func ask(
    _ method: String, _ path: String, _ query: [String: String] = [:], body: String = ""
  ) async throws -> HTTPResponse {
    await application.response(
      to: HTTPRequest(
        method: method, path: "/api/v1/studio/projects/waves/" + path, query: query,
        body: Data(body.utf8)))
  }

  private func object(_ response: HTTPResponse) throws -> [String: Any] {
    guard case .data(let data) = response.body else { return [:] }
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func data(_ response: HTTPResponse) -> Data {
    if case .data(let data) = response.body { data } else { Data() }
  }

  @Test("a run is started, listed, renamed and deleted")
  func runs() async throws {
    let started = try await ask("POST", "runs", body: #"{"name":"First"}"#)
    #expect(started.status == 201)
    #expect(try object(started)["name"] as? String == "First")
    #expect(try await ask("GET", "runs/1/evaluation", ["well": "training"]).status == 409)
    await center.finishAll()
    let listed = try object(try await ask("GET", "runs"))
    let run = try #require((listed["runs"] as? [[String: Any]])?.first)
    #expect(run["state"] as? String == "done")
    #expect(run["history"] == nil)
    #expect(run["leaveOneOut"] is NSNull && run["message"] is NSNull)
    let progress = try #require(run["progress"] as? [String: Any])
    #expect(progress["fraction"] as? Double == 1 && progress["iteration"] as? Int == 4)
    let whole = try object(try await ask("GET", "runs/1"))
    #expect((whole["history"] as? [Any])?.count == 4)
    #expect(whole["hasModel"] as? Bool == true)
    #expect((whole["parameters"] as? [String: Any])?["iterations"] as? Int == 4)
    let renamed = try await ask("PATCH", "runs/1", body: #"{"name":"Second"}"#)
    #expect(try object(renamed)["name"] as? String == "Second")
    #expect(try await ask("DELETE", "runs/1").status == 200)
    #expect(try await ask("GET", "runs/1").status == 404)
  }

  @Test("evaluation, timeline, output and model of a run that is done")
  func results() async throws {
    try project.update { description in
      description.metadata.author = "Ada"
      description.metadata.license = "CC0"
    }
    _ = try await ask("POST", "runs")
    await center.finishAll()
    let evaluation = try object(try await ask("GET", "runs/1/evaluation", ["well": "testing"]))
    #expect(evaluation["labels"] as? [String] == ["down", "up"])
    let examples = try #require(evaluation["examples"] as? [[String: Any]])
    let ids = Set(try project.items(in: .testing).map(\.id))
    #expect(Set(examples.compactMap { $0["item"] as? String }) == ids)
    // Two seconds in windows of half a second.
    #expect(examples.count == 8 && examples[1]["start"] as? Double == 0.5)
    #expect(examples.allSatisfy { $0["frames"] as? Int == 5 })
    let clips = try #require(evaluation["clips"] as? [[String: Any]])
    #expect(clips.count == 2 && Set(clips.compactMap { $0["item"] as? String }) == ids)
    #expect(clips[0]["start"] as? Double == 0)
    #expect(try await ask("GET", "runs/1/evaluation", ["well": "validation"]).status == 409)
    #expect(try await ask("GET", "runs/1/evaluation", ["well": "leftOut"]).status == 400)

    var timeline = try await ask("GET", "runs/1/timeline", ["file": "up0.jsonl"])
    #expect(timeline.status == 202)
    while timeline.status == 202 {
      try await Task.sleep(for: .milliseconds(5))
      timeline = try await ask("GET", "runs/1/timeline", ["file": "up0.jsonl"])
    }
    let windows = try #require(try object(timeline)["windows"] as? [[String: Any]])
    #expect(windows.compactMap { $0["start"] as? Double } == [0, 0.5, 1, 1.5])
    #expect(windows.last?["status"] as? String != "noPerson")
    #expect(try await ask("GET", "runs/1/timeline", ["file": "../project.json"]).status == 404)
    #expect(try await ask("GET", "runs/1/timeline", ["file": "/etc/passwd"]).status == 404)

    let output = try object(try await ask("GET", "runs/1/output"))
    #expect(output["windowSize"] as? Int == 5 && output["duration"] as? Double == 0.5)
    let snippets = try #require(output["snippets"] as? [String: String])
    #expect(snippets["python"]?.contains(#"labels = ["down", "up"]"#) == true)
    #expect(snippets["swift"]?.contains("shape: [5, 3, 18]") == true)
    let model = try await ask("GET", "runs/1/model")
    #expect(
      model.headers["content-disposition"] == #"attachment; filename="Waves.mlmodel""#)
    let file = folder.url("Waves.mlmodel")
    try data(model).write(to: file)
    let classifier = try ActionClassifier(contentsOf: file)
    #expect(classifier.metadata.author == "Ada" && classifier.metadata.license == "CC0")
    let onnx = try await ask("GET", "runs/1/model", ["format": "onnx"])
    #expect(onnx.status == 200 && data(onnx).count > 1000)
    #expect(try await ask("GET", "runs/1/model", ["format": "pdf"]).status == 400)
    // Used twice, it is one model of the live app.
    for _ in 0..<2 {
      let used = try object(try await ask("POST", "runs/1/use"))
      #expect(used["model"] as? String == "Waves")
    }
    #expect(await models.description(of: "Waves")?.labels == ["down", "up"])
  }

  @Test("a snapshot has an evaluation, a timeline, an output and a model of its own")
  func snapshots() async throws {
    try project.update { $0.parameters.iterations = 100_000 }
    _ = try await ask("POST", "runs")
    var snapshot = try await ask("POST", "runs/1/snapshot")
    // No epoch is complete at first; training has a low priority.
    let isKept = try await waitUntil(within: 3600) {
      snapshot = try await ask("POST", "runs/1/snapshot")
      return snapshot.status != 409
    }
    #expect(isKept, "\(snapshot)")
    let made = try #require(try object(snapshot)["snapshots"] as? [[String: Any]])
    let iteration = try #require(made.first?["iteration"] as? Int)
    #expect(Set(made[0].keys) == ["iteration", "created", "bytes"])
    _ = try await ask("POST", "runs/1/pause")
    let query = ["snapshot": String(iteration)]
    func answer(_ path: String, _ more: [String: String]) async throws -> HTTPResponse {
      while true {
        let answer = try await ask("GET", path, query.merging(more) { $1 })
        if answer.status != 202 { return answer }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    let evaluation = try object(try await answer("runs/1/evaluation", ["well": "testing"]))
    #expect(evaluation["labels"] as? [String] == ["down", "up"])
    #expect(try await answer("runs/1/evaluation", ["well": "validation"]).status == 409)
    let timeline = try object(try await answer("runs/1/timeline", ["file": "up0.jsonl"]))
    #expect((timeline["windows"] as? [Any])?.count == 4)
    #expect(try object(try await answer("runs/1/output", [:]))["windowSize"] as? Int == 5)
    #expect(data(try await answer("runs/1/model", ["format": "onnx"])).count > 1000)
    #expect(try await ask("POST", "runs/1/use", query).status == 200)
    #expect(try await ask("GET", "runs/1/output", ["snapshot": "x"]).status == 400)
    #expect(try await ask("GET", "runs/1/output", ["snapshot": "99999"]).status == 404)
    let left = try object(try await ask("DELETE", "runs/1/snapshots/\(iteration)"))
    #expect((left["snapshots"] as? [Any])?.isEmpty == true)
    #expect(try await ask("DELETE", "runs/1/snapshots/\(iteration)").status == 404)
    #expect(try await ask("DELETE", "runs/1").status == 200)
  }

  @Test("orders are obeyed, and refused where they do not fit")
  func orders() async throws {
    _ = try await ask("POST", "runs")
    await center.finishAll()
    let more = try object(try await ask("POST", "runs/1/more", body: #"{"iterations":2}"#))
    #expect((more["progress"] as? [String: Any])?["iterationCount"] as? Int == 6)
    await center.finishAll()
    #expect(try await ask("POST", "runs/1/pause").status == 409)
    #expect(try await ask("POST", "runs/1/resume").status == 409)
    #expect(try await ask("POST", "runs/1/more", body: #"{"iterations":0}"#).status == 400)
    #expect(try await ask("POST", "runs/1/more", body: "{").status == 400)
    #expect(try await ask("POST", "runs/1/dance").status == 404)
    #expect(try await ask("GET", "runs/0").status == 404)
    #expect(try await ask("GET", "runs/01").status == 404)
    #expect(try await ask("GET", "runs/2/output").status == 409)
  }
}
