import Foundation

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

  package func bodyLimit(for method: String, path: String) -> Int {
    switch (method, Route(path)) {
    case ("POST", .models): ModelLibrary.maximumByteCount
    case ("PATCH", .session), ("PATCH", .profile), ("PUT", .routines), ("POST", .profiles):
      Self.maximumJSONByteCount
    default: 0
    }
  }

  /// Answers a request; `nil` where its path is not under `/api/v1`.
  package func response(to request: HTTPRequest) async -> HTTPResponse? {
    guard (request.path + "/").hasPrefix("/api/v1/") else { return nil }
    guard let route = Route(request.path) else {
      return .nothing
    }
    guard route.methods.contains(request.method) else {
      var response = HTTPResponse.failure(
        405, code: "methodNotAllowed",
        "\(request.method) is not possible here: use \(route.methods.joined(separator: ", ")).")
      response.headers["allow"] = route.methods.joined(separator: ", ")
      return response
    }
    do {
      var response = try await answer(request, route)
      if response.headers["cache-control"] == nil {
        response.headers["cache-control"] = "no-store"
      }
      return response
    } catch {
      return Self.failure(error)
    }
  }

  private func answer(_ request: HTTPRequest, _ route: Route) async throws -> HTTPResponse {
    switch (route, request.method) {
    case (.live, _):
      return .failure(400, code: "webSocketOnly", "This address is for WebSockets only.")
    case (.information, _): return try .json(await information())
    case (.state, _): return try .json(watch.state)
    case (.events, _): return try watch.events(after: request.headers["last-event-id"])
    case (.picture(let name), _): return try await watch.picture(of: name)
    case (.models, "POST"): return try await addModel(request)
    case (.models, _): return try .json(["models": await models.models()])
    case (.model(let id), _): return try await removeModel(id)
    case (.routines, "PUT"):
      try routines.save(try Self.routine(in: request.body))
      return try .json(["routines": try routines.all()])
    case (.routines, "DELETE"):
      try routines.delete(request.query["name"] ?? "")
      return HTTPResponse(status: 204)
    case (.routines, _): return try .json(["routines": try routines.all()])
    case (.history, _): return try page(of: request)
    case (.profiles, "POST"):
      let name = try Self.profileName(in: request.body)
      return try .json(try history.addProfile(named: name), status: 201)
    case (.profiles, _): return try .json(["profiles": try history.profiles()])
    case (.profile(let id), "DELETE"):
      try history.deleteProfile(id)
      return HTTPResponse(status: 204)
    case (.profile(let id), _):
      return try .json(
        try history.renameProfile(id, to: try Self.profileName(in: request.body)))
    case (.session(let id), "PATCH"):
      if let profile = Self.profile(in: request.body) {
        try history.assign(id, to: profile)
      } else {
        try history.rename(id, to: try Self.name(in: request.body))
      }
      return try session(id)
    case (.session(let id), "DELETE"):
      try history.delete(id)
      return HTTPResponse(status: 204)
    case (.session(let id), _): return try session(id)
    case (.export(let id), _): return try export(id, request)
    case (.recording(let id), _): return try recording(of: id)
    }
  }

  // MARK: - Models

  private func addModel(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let name = request.query["name"], !name.isEmpty else {
      throw ServerError(.badRequest, "The model has no name: give it as ?name=squats.mlmodel.")
    }
    do {
      return try .json(try await models.add(request.body, name: name), status: 201)
    } catch let error as ServerError where error.code == .badRequest {
      return .failure(422, code: "badModel", error.message, text: error.text)
    }
  }

  private func removeModel(_ id: String) async throws -> HTTPResponse {
    if let model = await models.description(of: id), model.isBuiltIn {
      return .failure(
        403, code: "builtIn", "The model \(model.name) was not uploaded: it cannot be deleted.",
        text: MessageText("builtInModel", ["name": model.name]))
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
      limit: try Self.number("limit", 1...History.maximumPageLength, in: request) ?? 50,
      offset: try Self.number("offset", 0...Int(Int32.max), in: request) ?? 0,
      of: try Self.selection(in: request))
    return try .json(Page(total: page.total, sessions: page.sessions))
  }

  private func session(_ id: Int) throws -> HTTPResponse {
    guard let session = try history.session(id) else { throw History.notFound(id) }
    return try .json(session)
  }

  private func export(_ id: Int, _ request: HTTPRequest) throws -> HTTPResponse {
    guard let format = SessionExport.Format(rawValue: request.query["format"] ?? "csv") else {
      throw ServerError(.badRequest, "The format is not known: give csv or json.")
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
      let reason = isRecordingAllowed ? "" : " (this server does not record)"
      throw ServerError(
        .notFound, "There is no recording of session \(id)\(reason).",
        text: MessageText("noRecording", ["id": id]))
    }
    let types = ["mp4": "video/mp4", "webm": "video/webm", "mkv": "video/x-matroska"]
    return HTTPResponse(
      headers: [
        "content-type": types[url.pathExtension] ?? "application/octet-stream",
        "cache-control": "private, no-cache",
      ], body: .file(url))
  }
}
