import Foundation
import KinemaAction
import KinemaFiles
import KinemaHTTP
import KinemaStudio
import KinemaTraining
import KinemaVideo
import KinemaVision

/// Training runs and their models, under `/api/v1/studio/projects/ID/runs`: see `docs/studio-api.md`.
struct RunRoutes {
  private let studio: Studio
  private let models: ModelLibrary

  private var center: RunCenter { studio.runs }

  init(_ studio: Studio, models: ModelLibrary) {
    self.studio = studio
    self.models = models
  }

  var routes: [Route] {
    let runs = "\(StudioRoutes.project)/runs"
    return list(at: runs) + orders(at: "\(runs)/{run}") + results(at: "\(runs)/{run}")
  }

  private func list(at runs: String) -> [Route] {
    let limit = StudioBody.settingsByteCount
    return [
      Route("GET", runs) { _, path in
        let project = try studio.library.project(path["project"])
        return try .json(["runs": await center.runs(of: project).map { Self.json($0) }])
      },
      Route("POST", runs, bodyLimit: limit) { request, path in
        struct Body: Decodable { var name: String? }
        let project = try studio.library.project(path["project"])
        let body = request.body.isEmpty ? Body() : try StudioBody.decoded(Body.self, request.body)
        return try .json(Self.json(try await center.start(project, name: body.name)), status: 201)
      },
      Route("GET", "\(runs)/{run}") { _, path in
        let (number, project) = try run(path)
        return try .json(Self.json(try await center.run(number, of: project), history: true))
      },
      Route("PATCH", "\(runs)/{run}", bodyLimit: limit) { request, path in
        struct Body: Decodable { var name: String }
        let (number, project) = try run(path)
        let name = try StudioBody.decoded(Body.self, request.body).name
        return try .json(Self.json(try await center.rename(number, of: project, to: name)))
      },
      Route("DELETE", "\(runs)/{run}") { _, path in
        let (number, project) = try run(path)
        try await center.delete(number, of: project)
        return try .json(["id": number])
      },
      Route("DELETE", "\(runs)/{run}/snapshots/{iteration}") { _, path in
        let (number, project) = try run(path)
        try RunFolder(project.folder.run(number))
          .deleteSnapshot(try Self.iteration(path["iteration"]))
        return try .json(Self.json(try await center.run(number, of: project)))
      },
    ]
  }

  /// The run of an address, and its project.
  private func run(_ path: PathValues) throws -> (number: Int, project: Project) {
    let project = try studio.library.project(path["project"])
    let text = path["run"]
    guard let number = Int(text), number > 0, String(number) == text else {
      throw StudioError(.noRun(number: StudioMessage.quoted(text)))
    }
    return (number, project)
  }

  /// The iteration of a snapshot, as an address writes it.
  private static func iteration(_ text: String) throws -> Int {
    guard let iteration = Int(text), iteration > 0, String(iteration) == text else {
      throw StudioError(.badValue(name: "snapshot", wanted: "the iteration of a snapshot"))
    }
    return iteration
  }

  // MARK: - Orders

  private func orders(at run: String) -> [Route] {
    [
      order("\(run)/pause") { number, project, _ in try await center.pause(number, of: project) },
      order("\(run)/resume") { number, project, _ in
        try await center.resume(number, of: project)
      },
      order("\(run)/stop") { number, project, _ in try await center.stop(number, of: project) },
      order("\(run)/snapshot") { number, project, _ in
        try await center.snapshot(number, of: project)
      },
      order("\(run)/more") { number, project, request in
        struct Body: Decodable { var iterations: Int }
        let count = try StudioBody.decoded(Body.self, request.body).iterations
        guard (1...100_000).contains(count) else {
          throw StudioError(
            .badValue(name: "iterations", wanted: "a whole number from 1 to 100000"))
        }
        return try await center.train(number, of: project, moreIterations: count)
      },
      Route("POST", "\(run)/use", bodyLimit: StudioBody.settingsByteCount) { request, path in
        let (number, project) = try self.run(path)
        let data = Data(try output(number, request, project).bytes(.mlmodel))
        if let known = await models.id(of: data) { return try .json(["model": known]) }
        let model = try await models.add(data, name: try project.description.name)
        return try .json(["model": model.id])
      },
    ]
  }

  /// The row of an order to a run, answered with its status.
  private func order(
    _ pattern: String,
    _ obey:
      @escaping @Sendable (Int, Project, HTTPRequest) async throws -> RunCenter.Status
  ) -> Route {
    Route("POST", pattern, bodyLimit: StudioBody.settingsByteCount) { request, path in
      let (number, project) = try run(path)
      return try .json(Self.json(try await obey(number, project, request)))
    }
  }

  // MARK: - Results

  private func results(at run: String) -> [Route] {
    [
      Route("GET", "\(run)/evaluation") { request, path in
        let (number, project) = try self.run(path)
        return try await evaluation(number, request, project)
      },
      Route("GET", "\(run)/timeline") { request, path in
        let (number, project) = try self.run(path)
        return try await timeline(RunFolder(project.folder.run(number)), request, project)
      },
      Route("GET", "\(run)/output") { request, path in
        let (number, project) = try self.run(path)
        return try .json(try output(number, request, project).json())
      },
      Route("GET", "\(run)/model") { request, path in
        let (number, project) = try self.run(path)
        return try model(number, request, project)
      },
    ]
  }

  private func model(
    _ number: Int, _ request: HTTPRequest, _ project: Project
  ) throws -> HTTPResponse {
    guard let format = ModelOutput.Format(rawValue: request.query["format"] ?? "mlmodel") else {
      throw StudioError(.badValue(name: "format", wanted: "mlmodel or onnx"))
    }
    let name = Self.fileName(of: try project.description)
    return HTTPResponse(
      headers: [
        "content-type": "application/octet-stream",
        "content-disposition": "attachment; filename=\"\(name).\(format.rawValue)\"",
      ], body: .data(Data(try output(number, request, project).bytes(format))))
  }

  private func evaluation(
    _ number: Int, _ request: HTTPRequest, _ project: Project
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
    let file = RunFolder(project.folder.run(number)).evaluation(well)
    guard let data = try Project.content(of: file) else {
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
