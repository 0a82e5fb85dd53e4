import Foundation
import KinemaAction
import KinemaFiles
package import KinemaStudio
import KinemaTraining
import KinemaVideo
import KinemaVision

/// Training runs and their models, under `/api/v1/studio/projects/ID/runs`: see `docs/studio-api.md`.
package struct RunRoutes: StudioHandler {
  private let studio: Studio
  private let models: ModelLibrary

  private var center: RunCenter { studio.runs }

  package init(_ studio: Studio, models: ModelLibrary) {
    self.studio = studio
    self.models = models
  }

  package func bodyLimit(for method: String, path: [String]) -> Int? {
    guard Self.isRun(path) else { return nil }
    return ["POST", "PATCH"].contains(method) ? StudioBody.settingsByteCount : 0
  }

  package func response(to request: HTTPRequest, path: [String]) async throws -> HTTPResponse? {
    guard Self.isRun(path) else { return nil }
    do {
      let project = try studio.library.project(path[1])
      if path.count == 3 { return try await runs(request, project) }
      guard let number = Int(path[3]), number > 0, String(number) == path[3] else {
        throw StudioError(.noRun(number: StudioMessage.quoted(path[3])))
      }
      if path.count == 4 { return try await run(number, request, project) }
      if path.count == 6, path[4] == "snapshots", request.method == "DELETE" {
        try RunFolder(project.folder.run(number)).deleteSnapshot(try Self.iteration(path[5]))
        return try .json(Self.json(try await center.run(number, of: project)))
      }
      guard path.count == 5 else { return nil }
      switch request.method {
      case "POST": return try await order(path[4], number, request, project)
      case "GET": return try await result(path[4], number, request, project)
      default: return nil
      }
    } catch {
      // The data or a model, not the request, is the cause.
      throw StudioError(work: error) ?? error
    }
  }

  /// The iteration of a snapshot, as an address writes it.
  private static func iteration(_ text: String) throws -> Int {
    guard let iteration = Int(text), iteration > 0, String(iteration) == text else {
      throw StudioError(.badValue(name: "snapshot", wanted: "the iteration of a snapshot"))
    }
    return iteration
  }

  private static func isRun(_ path: [String]) -> Bool {
    path.count >= 3 && path[0] == "projects" && path[2] == "runs"
  }

  // MARK: - Runs

  private func runs(_ request: HTTPRequest, _ project: Project) async throws -> HTTPResponse? {
    switch request.method {
    case "GET":
      let runs = await center.runs(of: project).map { Self.json($0) }
      return try .json(["runs": runs])
    case "POST":
      struct Body: Decodable { var name: String? }
      let body = request.body.isEmpty ? Body() : try StudioBody.decoded(Body.self, request.body)
      return try .json(Self.json(try await center.start(project, name: body.name)), status: 201)
    default: return nil
    }
  }

  private func run(
    _ number: Int, _ request: HTTPRequest, _ project: Project
  ) async throws -> HTTPResponse? {
    switch request.method {
    case "GET":
      return try .json(Self.json(try await center.run(number, of: project), history: true))
    case "PATCH":
      struct Body: Decodable { var name: String }
      let name = try StudioBody.decoded(Body.self, request.body).name
      return try .json(Self.json(try await center.rename(number, of: project, to: name)))
    case "DELETE":
      try await center.delete(number, of: project)
      return try .json(["id": number])
    default: return nil
    }
  }

  private func order(
    _ order: String, _ number: Int, _ request: HTTPRequest, _ project: Project
  ) async throws -> HTTPResponse? {
    switch order {
    case "pause": return try .json(Self.json(try await center.pause(number, of: project)))
    case "resume": return try .json(Self.json(try await center.resume(number, of: project)))
    case "stop": return try .json(Self.json(try await center.stop(number, of: project)))
    case "snapshot": return try .json(Self.json(try await center.snapshot(number, of: project)))
    case "more":
      struct Body: Decodable { var iterations: Int }
      let count = try StudioBody.decoded(Body.self, request.body).iterations
      guard (1...100_000).contains(count) else {
        throw StudioError(
          .badValue(name: "iterations", wanted: "a whole number from 1 to 100000"))
      }
      return try .json(
        Self.json(try await center.train(number, of: project, moreIterations: count)))
    case "use":
      let data = Data(try output(number, request, project).bytes(.mlmodel))
      if let known = await models.id(of: data) { return try .json(["model": known]) }
      let model = try await models.add(data, name: try project.description.name)
      return try .json(["model": model.id])
    default: return nil
    }
  }

  // MARK: - Results

  private func result(
    _ result: String, _ number: Int, _ request: HTTPRequest, _ project: Project
  ) async throws -> HTTPResponse? {
    let folder = RunFolder(project.folder.run(number))
    switch result {
    case "evaluation": return try await evaluation(folder, request, project, number)
    case "timeline": return try await timeline(folder, request, project)
    case "output": return try .json(try output(number, request, project).json())
    case "model":
      guard let format = ModelOutput.Format(rawValue: request.query["format"] ?? "mlmodel") else {
        throw StudioError(.badValue(name: "format", wanted: "mlmodel or onnx"))
      }
      let name = Self.fileName(of: try project.description)
      return HTTPResponse(
        headers: [
          "content-type": "application/octet-stream",
          "content-disposition": "attachment; filename=\"\(name).\(format.rawValue)\"",
        ], body: .data(Data(try output(number, request, project).bytes(format))))
    default: return nil
    }
  }

  private func evaluation(
    _ folder: RunFolder, _ request: HTTPRequest, _ project: Project, _ number: Int
  ) async throws -> HTTPResponse {
    guard let well = Well(rawValue: request.query["well"] ?? "validation"), well != .leftOut else {
      throw StudioError(.badValue(name: "well", wanted: "training, validation or testing"))
    }
    if let iteration = try Self.snapshot(request) {
      return try Self.answer(
        try await studio.evaluations.evaluation(
          of: iteration, ofRun: number, on: well, in: project))
    }
    let state = try await center.run(number, of: project).record.state
    guard state == .done || state == .stopped else {
      throw StudioError(.runUnderWay(number: number, state: state))
    }
    guard let data = try? Data(contentsOf: folder.evaluation(well)) else {
      throw StudioError(.noEvaluation(number: number, well: well))
    }
    return Self.json(data)
  }

  private func timeline(
    _ folder: RunFolder, _ request: HTTPRequest, _ project: Project
  ) async throws -> HTTPResponse {
    let media = try project.url(of: try request.required("file"))
    return try Self.answer(
      try await studio.timelines.timeline(
        of: media, by: folder, snapshot: try Self.snapshot(request), in: project))
  }

  /// Whose results are asked for: `nil` for the model of the run.
  private static func snapshot(_ request: HTTPRequest) throws -> Int? {
    try request.query["snapshot"].map { try iteration($0) }
  }

  private func output(
    _ number: Int, _ request: HTTPRequest, _ project: Project
  ) throws -> ModelOutput {
    let description = try project.description
    return try ModelOutput(
      RunFolder(project.folder.run(number)), snapshot: try Self.snapshot(request),
      description, name: Self.fileName(of: description))
  }

  /// A name for files in the header of a response, in ASCII.
  private static func fileName(of description: ProjectDescription) -> String {
    ModelName(fileName: description.name).id
  }

  // MARK: - JSON

  private static func answer(_ answer: SlowAnswer<Data>) throws -> HTTPResponse {
    switch answer {
    case .working(let fraction): try .json(["fraction": fraction], status: 202)
    case .done(let data): json(data)
    }
  }

  private static func json(_ data: Data) -> HTTPResponse {
    HTTPResponse(
      headers: ["content-type": "application/json; charset=utf-8"], body: .data(data))
  }

  private static func json(_ status: RunCenter.Status, history: Bool = false) -> JSONObject {
    let record = status.record
    let progress: JSONObject = [
      "fraction": status.progress.fraction,
      "secondsLeft": JSONObject.orNull(status.progress.secondsLeft),
      "iteration": record.history.last?.iteration ?? 0, "iterationCount": record.iterationCount,
    ]
    let summary: JSONObject = [
      "training": JSONObject.orNull(record.summary.training),
      "validation": JSONObject.orNull(record.summary.validation),
      "testing": JSONObject.orNull(record.summary.testing),
    ]
    let leaveOneOut = record.leaveOneOut.map { result -> JSONObject in
      [
        "accuracy": result.accuracy, "lower": result.lower, "upper": result.upper,
        "confused": JSONObject.orNull(result.confused),
      ]
    }
    return [
      "id": record.id, "name": record.name, "created": record.created.formatted(.iso8601),
      "state": record.state.rawValue, "parameters": record.parameters, "classes": record.classes,
      "progress": progress, "best": JSONObject.orNull(record.best), "hasModel": status.hasModel,
      "summary": summary,
      "leaveOneOut": JSONObject.orNull(leaveOneOut), "message": JSONObject.orNull(record.message),
      "text": record.messageText, "notes": record.notes, "noteTexts": record.noteTexts,
      "findings": record.findings ?? [],
      "snapshots": status.snapshots.map { snapshot -> JSONObject in
        [
          "iteration": snapshot.iteration, "created": snapshot.created.formatted(.iso8601),
          "bytes": snapshot.bytes,
        ]
      },
      "history": history ? record.history.map(metrics) : nil,
    ]
  }

  private static func metrics(_ metrics: TrainingMetrics) -> JSONObject {
    [
      "iteration": metrics.iteration, "trainingLoss": metrics.trainingLoss,
      "trainingAccuracy": metrics.trainingAccuracy,
      "validationLoss": JSONObject.orNull(metrics.validationLoss),
      "validationAccuracy": JSONObject.orNull(metrics.validationAccuracy),
    ]
  }
}
