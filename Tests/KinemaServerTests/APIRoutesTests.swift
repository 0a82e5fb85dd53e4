import Foundation
import KinemaAction
import KinemaHTTP
import KinemaModelFiles
import KinemaServer
import KinemaTestSupport
import Testing

@Suite("HTTP interface")
struct APIRoutesTests {
  private let folder: TemporaryFolder
  private let history: History
  private let models: ModelLibrary
  private let routes: APIRoutes
  private let application: LiveApplication

  init() throws {
    folder = try TemporaryFolder()
    history = try History(at: folder.url)
    models = try ModelLibrary(folder: folder.url.appending(path: "models"))
    routes = APIRoutes(
      history: history, models: models, routines: Routines(folder: folder.url),
      information: { [models] in
        ServerInformation(
          version: "1.2.3", sources: [.init(id: "synthetic", kind: .synthetic, name: "Somebody")],
          models: await models.models(), limits: .init(sessions: 8), isRecordingAllowed: true)
      }, isRecordingAllowed: true)
    application = LiveApplication(routes: routes.routes)
  }

  private func ask(
    _ method: String, _ path: String, query: [String: String] = [:],
    headers: [String: String] = [:], body: String = ""
  ) async throws -> HTTPResponse {
    await application.response(
      to: HTTPRequest(
        method: method, path: path, query: query, headers: headers, body: Data(body.utf8)))
  }

  private func object(_ response: HTTPResponse) throws -> [String: any Sendable] {
    guard case .data(let data) = response.body else { return [:] }
    return try JSONSerialization.jsonObject(with: data) as? [String: any Sendable] ?? [:]
  }

  private func code(_ response: HTTPResponse) throws -> String? {
    (try object(response)["error"] as? [String: any Sendable])?["code"] as? String
  }

  private func newSession(_ duration: Double = 93.2) throws -> Int {
    let id = try history.begin(model: "Exercise", at: HistoryTests.start)
    try history.save(
      id, duration: duration, model: "Exercise", entries: HistoryTests.entries(31.5),
      timeline: HistoryTests.timeline(2))
    try history.end(id)
    return id
  }

  @Test("routines are saved, replaced by name, listed and deleted")
  func routines() async throws {
    let path = "/api/v1/routines"
    let legs =
      #"{"name":" Legs ","items":[{"label":"squats","repetitions":10,"sets":3,"rest":60}]}"#
    #expect(try await ask("PUT", path, body: legs).status == 200)
    #expect(
      try await ask("PUT", path, body: #"{"name":"Arms","items":[{"label":"curls","seconds":30}]}"#)
        .status == 200)
    #expect(try await ask("PUT", path, body: legs).status == 200)
    let other = #"{"name":"Legs","items":[{"label":"lunges","repetitions":5}]}"#
    let refused = try await ask("PUT", path, query: ["replace": "false"], body: other)
    #expect(refused.status == 409)
    #expect(try code(refused) == "conflict")
    let saved = try Routines(folder: folder.url).all()
    #expect(saved.map(\.name) == ["Arms", "Legs"])
    #expect(
      saved.last?.items == [ChallengeItem(label: "squats", repetitions: 10, sets: 3, rest: 60)])
    #expect((try object(await ask("GET", path))["routines"] as? [Any])?.count == 2)
    for body in [
      "{}", #"{"name":"","items":[{"label":"a","seconds":1}]}"#, #"{"name":"a","items":[]}"#,
    ] {
      #expect(try await ask("PUT", path, body: body).status == 400)
    }
    #expect(try await ask("DELETE", path, query: ["name": "Legs"]).status == 204)
    #expect(try await ask("DELETE", path, query: ["name": "Legs"]).status == 404)
    try Data("[".utf8).write(to: folder.url.appending(path: "routines.json"))
    #expect(try code(await ask("GET", path)) == "storage")
    #expect(try await ask("PUT", path, body: legs).status == 503)
  }

  @Test("the server reports its version, sources, models and limits")
  func information() async throws {
    let answer = try await ask("GET", "/api/v1/info")
    #expect(answer.status == 200)
    #expect(answer.headers["cache-control"] == "no-store")
    let object = try object(answer)
    #expect(
      Set(object.keys)
        == [
          "schema", "version", "sources", "models", "limits", "isRecordingAllowed", "wireframes",
        ])
    #expect(
      object["limits"] as? [String: Int] == [
        "sessions": 8, "modelBytes": 67_108_864, "frameBytes": 4_194_304,
      ])
    #expect(
      object["sources"] as? [[String: String]] == [
        ["id": "synthetic", "kind": "synthetic", "name": "Somebody"]
      ])
  }

  @Test("models are listed, uploaded and deleted")
  func modelsOverHTTP() async throws {
    let data = try Data(contentsOf: BuiltInModel.exercise.url)
    let upload = HTTPRequest(
      method: "POST", path: "/api/v1/models", query: ["name": "squats.mlmodel"], body: data)
    let created = await application.response(to: upload)
    #expect(created.status == 201)
    let model = try object(created)
    #expect(model["id"] as? String == "squats")
    #expect(
      Set(model.keys)
        == [
          "id", "name", "labels", "kinds", "challenges", "groups", "windowSize", "frameRate",
          "jointCount",
          "isBuiltIn",
        ])
    let list = try object(try await ask("GET", "/api/v1/models"))
    #expect((list["models"] as? [any Sendable])?.count == 3)
    #expect(try await ask("DELETE", "/api/v1/models/squats").status == 204)
    #expect(try await ask("DELETE", "/api/v1/models/squats").status == 404)
    #expect(try await ask("DELETE", "/api/v1/models/Exercise").status == 403)
    let bad = try await ask("POST", "/api/v1/models", query: ["name": "a"], body: "no model")
    #expect(bad.status == 422)
    #expect(try code(bad) == "badModel")
    #expect(try await ask("POST", "/api/v1/models", body: "x").status == 400)
  }

  @Test("sessions are listed and read in the protocol's format")
  func sessions() async throws {
    let id = try newSession()
    _ = try newSession()
    let page = try object(
      try await ask("GET", "/api/v1/history", query: ["limit": "1", "offset": "1"]))
    #expect(page["total"] as? Int == 2)
    let sessions = try #require(page["sessions"] as? [[String: any Sendable]])
    #expect(sessions.map { $0["id"] as? Int } == [id])
    #expect(
      Set(sessions[0].keys) == [
        "id", "name", "isNamed", "startedAt", "duration", "model", "entries", "sets", "isOpen",
        "hasRecording", "profile",
      ])
    #expect(sessions[0]["startedAt"] as? String == "2026-11-20T14:05:11Z")
    let session = try object(try await ask("GET", "/api/v1/history/\(id)"))
    let timeline = try #require(session["timeline"] as? [[String: any Sendable]])
    #expect(timeline.count == 2)
    #expect(
      Set(timeline[0].keys) == [
        "start", "end", "label", "text", "isModelLabel", "person", "repetitions",
      ])
    #expect(
      Set(try #require(session["entries"] as? [[String: any Sendable]])[0].keys) == [
        "label", "text", "isModelLabel", "seconds", "repetitions",
      ])
  }

  @Test(
    "limits of pages are whole numbers within bounds",
    arguments: [
      ["limit": "0"], ["limit": "501"], ["limit": "ten"], ["offset": "-1"], ["limit": ""],
      ["offset": "99999999999999999999"],
    ])
  func badPages(query: [String: String]) async throws {
    let answer = try await ask("GET", "/api/v1/history", query: query)
    #expect(answer.status == 400)
    #expect(try code(answer) == "badRequest")
  }

  @Test("profiles are added, renamed, listed and deleted; names are unique and short")
  func profiles() async throws {
    let path = "/api/v1/profiles"
    let created = try await ask("POST", path, body: #"{"name":" Ada "}"#)
    #expect(created.status == 201)
    let ada = try object(created)
    #expect(ada["name"] as? String == "Ada" && ada["id"] as? Int == 1)
    let long = String(repeating: "a", count: History.maximumProfileNameLength + 1)
    for body in [
      "", #"{"name":""}"#, #"{"name":"ada"}"#, #"{"name":"a\nb"}"#, "{\"name\":\"\(long)\"}",
    ] {
      #expect(try await ask("POST", path, body: body).status == 400, "\(body)")
    }
    #expect(try await ask("POST", path, body: #"{"name":"<b>Bo"}"#).status == 201)
    #expect(try await ask("PATCH", "\(path)/1", body: #"{"name":"<b>bo"}"#).status == 400)
    #expect(try await ask("PATCH", "\(path)/1", body: #"{"name":"ADA"}"#).status == 200)
    #expect(try await ask("PATCH", "\(path)/9", body: #"{"name":"x"}"#).status == 404)
    #expect(try history.profiles().map(\.name) == ["<b>Bo", "ADA"])
    let list = try object(try await ask("GET", path))["profiles"]
    #expect((list as? [Any])?.count == 2)
    #expect(try await ask("DELETE", "\(path)/1").status == 204)
    #expect(try await ask("DELETE", "\(path)/1").status == 404)
    #expect(try await ask("GET", "\(path)/2").status == 405)
    for index in try history.profiles().count..<History.maximumProfileCount {
      #expect(try await ask("POST", path, body: #"{"name":"\#(index)"}"#).status == 201)
    }
    #expect(try code(try await ask("POST", path, body: #"{"name":"z"}"#)) == "badRequest")
  }

  @Test("sessions are listed by profile, and given to another one")
  func sessionsOfProfiles() async throws {
    let ada = try history.addProfile(named: "Ada").id
    let (first, second) = (try newSession(), try newSession())
    func listed(_ profile: String?) async throws -> [Int] {
      let answer = try await ask(
        "GET", "/api/v1/history", query: profile.map { ["profile": $0] } ?? [:])
      return (try object(answer)["sessions"] as? [[String: Any]])?.compactMap {
        $0["id"] as? Int
      } ?? []
    }
    let path = "/api/v1/history/\(first)"
    let answer = try await ask("PATCH", path, body: #"{"profile":\#(ada)}"#)
    #expect(try object(answer)["profile"] as? Int == ada)
    #expect(try await listed(nil) == [second, first])
    #expect(try await listed("\(ada)") == [first])
    #expect(try await listed("none") == [second])
    #expect(try await listed("9") == [])
    for text in ["", "0", "-1", "Ada", "1 OR 1"] {
      let answer = try await ask("GET", "/api/v1/history", query: ["profile": text])
      #expect(answer.status == 400)
    }
    #expect(try await ask("PATCH", path, body: #"{"profile":9}"#).status == 404)
    #expect(try await ask("PATCH", path, body: #"{"profile":"Ada"}"#).status == 400)
    try history.deleteProfile(ada)
    #expect(try await listed("none") == [second, first])
    let third = try history.begin(model: nil, profile: ada, at: HistoryTests.start)
    #expect(try history.session(third)?.profile == nil)
    #expect(try await ask("PATCH", path, body: #"{"profile":null}"#).status == 200)
  }

  @Test("a session is renamed, and the name is on one line")
  func rename() async throws {
    let id = try newSession()
    let path = "/api/v1/history/\(id)"
    let answer = try await ask("PATCH", path, body: #"{"name":"  Monday 🏋️ "}"#)
    #expect(answer.status == 200)
    #expect(try object(answer)["name"] as? String == "Monday 🏋️")
    let long = String(repeating: "a", count: 201)
    for body in [
      "", "{}", "[]", #"{"name":7}"#, #"{"name":"a","id":"7"}"#, #"{"name":"  "}"#,
      #"{"name":"a\nb"}"#, #"{"name":"a\u2028b"}"#, "{\"name\":\"\(long)\"}", "\u{fffd}",
    ] {
      #expect(try await ask("PATCH", path, body: body).status == 400, "\(body)")
    }
    #expect(try history.session(id)?.name == "Monday 🏋️")
    #expect(
      try await ask("PATCH", "/api/v1/history/999", body: #"{"name":"a"}"#).status == 404)
  }

  @Test("a session is exported and deleted")
  func exportAndDelete() async throws {
    let id = try newSession()
    for format in ["csv", "json"] {
      let answer = try await ask(
        "GET", "/api/v1/history/\(id)/export", query: ["format": format])
      #expect(answer.status == 200)
      #expect(
        answer.headers["content-disposition"]
          == "attachment; filename=\"kinema-session-\(id).\(format)\"")
    }
    #expect(
      try await ask("GET", "/api/v1/history/\(id)/export", query: ["format": "xml"]).status == 400)
    #expect(try await ask("DELETE", "/api/v1/history/\(id)").status == 204)
    for (method, path) in [("DELETE", ""), ("GET", ""), ("GET", "/export"), ("GET", "/recording")] {
      #expect(try await ask(method, "/api/v1/history/\(id)\(path)").status == 404)
    }
  }

  @Test("a recording is served from its file")
  func recording() async throws {
    let id = try newSession()
    #expect(try await ask("GET", "/api/v1/history/\(id)/recording").status == 404)
    let url = history.recordingFolder.appending(path: "7.mp4")
    try history.setRecording("7.mp4", of: id)
    #expect(try await ask("GET", "/api/v1/history/\(id)/recording").status == 404)
    try Data("video".utf8).write(to: url)
    let answer = try await ask("GET", "/api/v1/history/\(id)/recording")
    #expect(answer.headers["content-type"] == "video/mp4")
    guard case .file(let file) = answer.body else {
      Issue.record("The body is no file.")
      return
    }
    #expect(file == url)
  }

  @Test(
    "other methods are refused with those that are possible",
    arguments: [
      ("POST", "/api/v1/info", "GET, HEAD"), ("PUT", "/api/v1/models", "GET, HEAD, POST"),
      ("GET", "/api/v1/models/Exercise", "DELETE"), ("DELETE", "/api/v1/history", "GET, HEAD"),
      ("POST", "/api/v1/history/1", "GET, HEAD, PATCH, DELETE"),
      ("DELETE", "/api/v1/history/1/recording", "GET, HEAD"),
    ])
  func methods(method: String, path: String, allowed: String) async throws {
    let answer = try await ask(method, path)
    #expect(answer.status == 405)
    #expect(answer.headers["allow"] == allowed)
  }

  @Test(
    "there is nothing at other addresses",
    arguments: [
      "/api/v1", "/api/v1/other", "/api/v1/history/x", "/api/v1/history/-1", "/api/v1/history/+1",
      "/api/v1/history/01", "/api/v1/history/1/other", "/api/v1/history/1/export/x",
      "/api/v1/history/99999999999999999999",
    ])
  func nothing(path: String) async throws {
    #expect(try await ask("GET", path).status == 404)
  }

  @Test("only routes that need a body accept one")
  func bodies() {
    #expect(application.bodyLimit(for: "POST", path: "/api/v1/models") == 64 << 20)
    #expect(application.bodyLimit(for: "PATCH", path: "/api/v1/history/7") == 16 << 10)
    #expect(application.bodyLimit(for: "HEAD", path: "/api/v1/models") == 0)
    for (method, path) in [
      ("POST", "/api/v1/history"), ("PUT", "/api/v1/models"), ("PATCH", "/api/v1/history/x"),
      ("POST", "/"),
    ] {
      #expect(application.bodyLimit(for: method, path: path) == nil)
    }
  }

  @Test("the app joins pages, interface, health, metrics and WebSocket")
  func application() async throws {
    let application = LiveApplication(
      routes: routes.routes, page: { $0 == "/" ? .text("page") : nil },
      metrics: { "kinema_sessions 1\n" }, serve: { _, _ in })
    func status(_ method: String, _ path: String) async -> Int {
      await application.response(to: HTTPRequest(method: method, path: path)).status
    }
    #expect(await status("GET", "/") == 200)
    #expect(await status("GET", "/nothing") == 404)
    #expect(await status("POST", "/") == 405)
    #expect(await status("POST", "/nothing") == 404)
    #expect(await status("GET", "/metrics") == 200)
    #expect(await status("GET", "/api/v1/info") == 200)
    #expect(await status("GET", "/api/v1/live") == 400)
    let health = await application.response(to: HTTPRequest(path: "/healthz"))
    #expect(try object(health) as? [String: String] == ["status": "ok"])
    func refusal(_ path: String) async -> Int? {
      await application.refusal(ofWebSocketAt: HTTPRequest(path: path))?.status
    }
    #expect(await refusal("/api/v1/live") == nil)
    #expect(await refusal("/") == 404)
  }
}
