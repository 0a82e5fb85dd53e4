import Foundation
import KinemaFiles
import KinemaHTTP
import KinemaStudio

/// What is found in recordings: suggestions for the montage, and takes that become items.
struct TakeRoutes {
  private let studio: Studio

  init(_ studio: Studio) { self.studio = studio }

  var routes: [Route] {
    let takes = "\(StudioRoutes.project)/takes"
    return [
      Route("GET", takes) { try await list(try studio.workspace($1["project"])) },
      Route("POST", takes, bodyLimit: StudioBody.settingsByteCount) {
        try await begin(try studio.workspace($1["project"]), $0)
      },
      Route("GET", "\(StudioRoutes.project)/suggestions") {
        try await suggestions(try studio.workspace($1["project"]), $0)
      },
    ]
  }

  private func begin(_ workspace: ProjectWorkspace, _ request: HTTPRequest) async throws
    -> HTTPResponse
  {
    struct Body: Decodable {
      var upload: String
      var label: String
      var keepVideo: Bool?
      var person: String?
      var well: Well?
    }
    let body = try StudioBody.decoded(Body.self, request.body)
    let take = try await workspace.takes.begin(
      file: try workspace.uploads.file(of: body.upload), label: body.label,
      person: body.person.flatMap { $0.isEmpty ? nil : $0 }, well: body.well ?? .training,
      keepsVideo: body.keepVideo ?? false)
    return try .json(["take": take.id], status: 202)
  }

  private func list(_ workspace: ProjectWorkspace) async throws -> HTTPResponse {
    let takes = await workspace.takes.all
    var listed: [JSONObject] = []
    for take in takes {
      // By file: an item that is restored after it was thrown away has another id.
      let items = try workspace.project.items(of: take.file)
      listed.append([
        "id": take.id, "label": take.label, "state": take.state, "fraction": take.fraction,
        "file": take.file,
        "items": try await ItemRoutes.json(items, of: workspace.project),
        "repetitions": take.repetitions, "message": JSONObject.orNull(take.message),
        "text": take.text,
      ])
    }
    return try .json(["takes": listed] as JSONObject)
  }

  private func suggestions(
    _ workspace: ProjectWorkspace, _ request: HTTPRequest
  ) async throws -> HTTPResponse {
    let url = try workspace.project.url(of: try request.required("file"))
    let namer = try await namer(workspace, request)
    let poses = try await workspace.poses.poses(of: url)
    let header = try await workspace.project.headers.headers(of: [url])[url]
    let answer = try await studio.suggestions.answer(
      for: url, poses: poses, aspectRatio: header?.aspectRatio ?? 1, namer: namer)
    switch answer {
    case .working(let fraction): return try .json(["fraction": fraction], status: 202)
    case .done(let suggestions):
      let segments: [JSONObject] = suggestions.map {
        [
          "start": $0.start, "end": $0.end, "label": JSONObject.orNull($0.label),
          "confidence": $0.confidence, "count": JSONObject.orNull($0.count), "kind": $0.kind,
        ]
      }
      return try .json(["segments": segments] as JSONObject)
    }
  }

  /// The model that names suggestions: one of the live app, or that of a run; `nil` for none.
  private func namer(
    _ workspace: ProjectWorkspace, _ request: HTTPRequest
  ) async throws -> Suggestions.Namer? {
    if let number = try request.number("run", 1...Int(Int32.max)) {
      return try await Suggestions.Namer(RunFolder(workspace.project.folder.run(number)))
    }
    guard let id = request.query["model"], !id.isEmpty else { return nil }
    return Suggestions.Namer(id: id, try await studio.model(id))
  }
}
