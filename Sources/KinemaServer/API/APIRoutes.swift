import Foundation
package import KinemaHTTP

/// Everything under `/api/v1/` but the WebSocket: see `docs/live-protocol.md`.
package struct APIRoutes: Sendable {
  private let history: History
  private let models: ModelLibrary
  private let routines: Routines
  private let information: @Sendable () async -> ServerInformation
  private let isRecordingAllowed: Bool
  private let watch: WatchRoutes

  /// The most bytes of a JSON body.
  private static let maximumJSONByteCount = 16 << 10
  /// The most characters of a session's name.
  package static let maximumNameLength = 200

  package init(
    history: History, models: ModelLibrary, routines: Routines,
    information: @escaping @Sendable () async -> ServerInformation, isRecordingAllowed: Bool,
    watch: WatchRoutes = WatchRoutes()
  ) {
    self.history = history
    self.models = models
    self.routines = routines
    self.information = information
    self.isRecordingAllowed = isRecordingAllowed
    self.watch = watch
  }

  /// The rows of the table of addresses.
  package var routes: [Route] {
    let json = Self.maximumJSONByteCount
    return live + [
      Route("GET", "/api/v1/models") { _, _ in
        try .json(["models": await models.models()])
      },
      Route("POST", "/api/v1/models", bodyLimit: ModelLibrary.maximumByteCount) { request, _ in
        try await addModel(request)
      },
      Route("DELETE", "/api/v1/models/{model}") { try await removeModel($1["model"]) },
      Route("GET", "/api/v1/routines") { _, _ in try .json(["routines": try routines.all()]) },
      Route("PUT", "/api/v1/routines", bodyLimit: json) { request, _ in
        try routines.save(
          try Self.routine(in: request.body), replaces: request.query["replace"] != "false")
        return try .json(["routines": try routines.all()])
      },
      Route("DELETE", "/api/v1/routines") { request, _ in
        try routines.delete(request.query["name"] ?? "")
        return HTTPResponse(status: 204)
      },
      Route("GET", "/api/v1/profiles") { _, _ in try .json(["profiles": try history.profiles()]) },
      Route("POST", "/api/v1/profiles", bodyLimit: json) { request, _ in
        let name = try Self.profileName(in: request.body)
        return try .json(try history.addProfile(named: name), status: 201)
      },
      Route("PATCH", "/api/v1/profiles/{profile#}", bodyLimit: json) { request, path in
        let name = try Self.profileName(in: request.body)
        return try .json(try history.renameProfile(path.number("profile"), to: name))
      },
      Route("DELETE", "/api/v1/profiles/{profile#}") { _, path in
        try history.deleteProfile(path.number("profile"))
        return HTTPResponse(status: 204)
      },
      Route("GET", "/api/v1/history") { request, _ in try page(of: request) },
      Route("GET", "/api/v1/history/{session#}") { try session($1.number("session")) },
      Route("PATCH", "/api/v1/history/{session#}", bodyLimit: json) {
        try change($1.number("session"), $0)
      },
      Route("DELETE", "/api/v1/history/{session#}") { _, path in
        try history.delete(path.number("session"))
        return HTTPResponse(status: 204)
      },
      Route("GET", "/api/v1/history/{session#}/export") {
        try export($1.number("session"), $0)
      },
      Route("GET", "/api/v1/history/{session#}/recording") {
        try recording(of: $1.number("session"))
      },
    ]
  }

  private var live: [Route] {
    [
      Route("GET", LiveApplication.webSocketPath) { _, _ in
        .failure(400, code: "webSocketOnly", MessageText("webSocketOnly"))
      },
      Route("GET", "/api/v1/info") { _, _ in try .json(await information()) },
      Route("GET", "/api/v1/state") { _, _ in try .json(watch.state) },
      Route("GET", "/api/v1/demonstrations/{label}") { _, path in
        guard let message = DemonstrationMessage(of: path["label"]) else {
          throw ServerError(
            .notFound, MessageText("noDemonstration", ["label": path["label"].prefix(60)]))
        }
        return try .json(message)
      },
      Route("GET", "/api/v1/events") { request, _ in
        try watch.events(after: request.headers["last-event-id"])
      },
      Route("GET", "/api/v1/sources/{source}/picture") {
        try await watch.picture(of: $1["source"])
      },
      Route("GET", "/api/v1/sources/{source}/areas") { try watch.areas(of: $1["source"]) },
      Route("PUT", "/api/v1/sources/{source}/areas", bodyLimit: WatchRoutes.maximumAreasByteCount) {
        try watch.change($1["source"], to: $0.body)
      },
      Route("POST", "/api/v1/cameras", bodyLimit: Self.maximumJSONByteCount) { request, _ in
        try await watch.cameras.cameras(request.body)
      },
      Route("POST", "/api/v1/sources", bodyLimit: Self.maximumJSONByteCount) { request, _ in
        try watch.cameras.add(request.body)
      },
      Route("GET", "/api/v1/log") { _, _ in try watch.log() },
      Route("GET", "/api/v1/log/{event}/picture") { try watch.logPicture(of: $1["event"]) },
      Route("POST", "/api/v1/log/{event}/acknowledge") { try watch.acknowledge($1["event"]) },
    ]
  }

  // MARK: - Models

  private func addModel(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let name = request.query["name"], !name.isEmpty else {
      throw ServerError(.badRequest, MessageText("modelWithoutName"))
    }
    do {
      return try .json(try await models.add(request.body, name: name), status: 201)
    } catch let error as ServerError where error.code == .badRequest {
      return .failure(422, code: "badModel", error)
    }
  }

  private func removeModel(_ id: String) async throws -> HTTPResponse {
    if let model = await models.description(of: id), model.isBuiltIn {
      return .failure(403, code: "builtIn", MessageText("builtInModel", ["name": model.name]))
    }
    try await models.remove(id)
    return HTTPResponse(status: 204)
  }

  // MARK: - History

  private func page(of request: HTTPRequest) throws -> HTTPResponse {
    struct Page: Encodable {
      var total: Int
      var sessions: [SessionRecord]
    }
    let page = try history.sessions(
      limit: try request.number("limit", 1...History.maximumPageLength) ?? 50,
      offset: try request.number("offset", 0...Int(Int32.max)) ?? 0,
      of: try Self.selection(in: request))
    return try .json(Page(total: page.total, sessions: page.sessions))
  }

  private func change(_ id: Int, _ request: HTTPRequest) throws -> HTTPResponse {
    if let profile = Self.profile(in: request.body) {
      try history.assign(id, to: profile)
    } else {
      try history.rename(id, to: try Self.name(in: request.body))
    }
    return try session(id)
  }

  private func session(_ id: Int) throws -> HTTPResponse {
    guard let session = try history.session(id) else { throw History.notFound(id) }
    return try .json(session)
  }

  private func export(_ id: Int, _ request: HTTPRequest) throws -> HTTPResponse {
    guard let format = SessionExport.Format(rawValue: request.query["format"] ?? "csv") else {
      throw ServerError(.badRequest, MessageText("badFormat"))
    }
    let export = try history.export(id, as: format)
    return HTTPResponse(
      headers: [
        "content-type": export.contentType,
        "content-disposition": "attachment; filename=\"\(export.fileName)\"",
      ], body: .data(export.data))
  }

  private func recording(of id: Int) throws -> HTTPResponse {
    guard let url = try history.recordingURL(of: id),
      FileManager.default.isReadableFile(atPath: url.path)
    else {
      throw ServerError(
        .notFound,
        isRecordingAllowed
          ? MessageText("noRecording", ["id": id]) : MessageText("recordingForbidden"))
    }
    let types = ["mp4": "video/mp4", "webm": "video/webm", "mkv": "video/x-matroska"]
    return HTTPResponse(
      headers: [
        "content-type": types[url.pathExtension] ?? "application/octet-stream",
        "cache-control": "private, no-cache",
      ], body: .file(url))
  }
}
