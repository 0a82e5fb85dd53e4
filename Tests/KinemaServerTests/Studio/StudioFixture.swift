import Foundation
import KinemaHTTP
import KinemaPose
import KinemaServer
import KinemaStudio
import KinemaSynth
import KinemaTestSupport
import Testing

/// The routes of a studio in a folder of its own, asked without a network.
struct StudioFixture {
  let temporary: TemporaryFolder
  let studio: Studio
  let table: [Route]
  let application: LiveApplication

  init(folder: TemporaryFolder? = nil) throws {
    temporary = try folder ?? TemporaryFolder()
    try FileManager.default.createDirectory(
      at: temporary.url("offered"), withIntermediateDirectories: true)
    studio = Studio(
      library: ProjectLibrary(folder: temporary.url("projects")),
      folders: ImportFolders([temporary.url("offered")]),
      runs: RunCenter(.init(folder: temporary.url("data"))))
    table = StudioRoutes.routes(
      studio, models: try ModelLibrary(folder: temporary.url("models")))
    application = LiveApplication(routes: table)
  }

  /// Makes a project with pose files in its folder of sources.
  func project(_ files: [String: Double] = [:]) throws -> Project {
    let project = try studio.library.create(name: "Golf")
    for (file, seconds) in files {
      try Self.writePoses(to: project.folder.sources.appending(path: file), seconds: seconds)
    }
    return project
  }

  /// Writes a pose file of somebody who stands still, at 10 frames a second.
  static func writePoses(to url: URL, seconds: Double) throws {
    var poses = PoseSequence()
    for index in 0..<Int(seconds * 10) {
      let points = JointKey.body.enumerated().map { number, key in
        JointPoint(
          key, position: SIMD2(0.25 + Float(number) / 100, 0.5), confidence: 1)
      }
      let pose = Pose(
        from: Dictionary(uniqueKeysWithValues: points.map { ($0.key, $0) }), confidence: 1,
        personID: 1)
      poses.frames.append(PoseSequence.Frame(time: Double(index) / 10, poses: [pose]))
    }
    try poses.write(to: url)
  }

  /// The answer to a request below `/api/v1/studio/`.
  func ask(
    _ method: String, _ path: String, query: [String: String] = [:], body: Data = Data()
  ) async throws -> HTTPResponse {
    let path = "/api/v1/studio/" + path
    #expect(
      body.isEmpty || body.count <= application.bodyLimit(for: method, path: path) ?? 0,
      "The body of \(method) \(path) is over its limit")
    return await application.response(
      to: HTTPRequest(method: method, path: path, query: query, body: body))
  }

  /// The JSON of an answer with the status expected.
  func json(
    _ method: String, _ path: String, query: [String: String] = [:], body: String = "",
    status: Int = 200
  ) async throws -> [String: any Sendable] {
    try await object(method, path, query: query, body: Data(body.utf8), status: status)
  }

  func object(
    _ method: String, _ path: String, query: [String: String] = [:], body: Data, status: Int = 200
  ) async throws -> [String: any Sendable] {
    let answer = try await ask(method, path, query: query, body: body)
    guard case .data(let data) = answer.body else { return [:] }
    #expect(answer.status == status, "\(method) \(path): \(String(decoding: data, as: UTF8.self))")
    return try JSONSerialization.jsonObject(with: data) as? [String: any Sendable] ?? [:]
  }

  /// The code of a failure with the status expected.
  func code(
    _ method: String, _ path: String, query: [String: String] = [:], body: String = "", status: Int
  ) async throws -> String? {
    let object = try await json(method, path, query: query, body: body, status: status)
    let error = object["error"] as? [String: any Sendable]
    #expect((error?["message"] as? String)?.hasSuffix(".") == true)
    // Pages word it by its name; there is none where the address is unknown.
    let hasName = (error?["text"] as? [String: any Sendable])?.count == 1
    #expect(hasName || error?["message"] as? String == "There is nothing at this address.")
    return error?["code"] as? String
  }
}

extension [String: any Sendable] {
  func list(_ name: String) -> [[String: any Sendable]] {
    self[name] as? [[String: any Sendable]] ?? []
  }

  func object(_ name: String) -> [String: any Sendable] {
    self[name] as? [String: any Sendable] ?? [:]
  }
}
