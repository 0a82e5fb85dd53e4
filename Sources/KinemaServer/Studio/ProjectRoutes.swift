import Foundation
import KinemaAction
import KinemaCounting
import KinemaFiles
import KinemaHTTP
import KinemaStudio

/// Projects: the list, one of them, copies, deletion.
struct ProjectRoutes {
  private let studio: Studio

  init(_ studio: Studio) { self.studio = studio }

  var routes: [Route] {
    let (projects, project) = ("/api/v1/studio/projects", StudioRoutes.project)
    let limit = StudioBody.settingsByteCount
    let library = studio.library
    return [
      Route("GET", projects) { _, _ in try await list() },
      Route("POST", projects, bodyLimit: limit) { request, _ in
        let project = try library.create(name: try StudioBody.name(in: request.body))
        return try await describe(project, status: 201)
      },
      Route("GET", project) { try await describe(try library.project($1["project"])) },
      Route("PATCH", project, bodyLimit: limit) { request, path in
        let project = try library.project(path["project"])
        try project.update { try $0.merge(request.body) }
        return try await describe(project)
      },
      Route("DELETE", project) { _, path in
        try .json(["id": try await studio.delete(path["project"])])
      },
      Route("POST", "\(project)/duplicate", bodyLimit: limit) { request, path in
        let name = try StudioBody.name(in: request.body)
        return try await describe(try library.duplicate(path["project"], name: name), status: 201)
      },
      Route("POST", "\(project)/restore") {
        try await describe(try library.restore($1["project"]))
      },
    ]
  }

  private func list() async throws -> HTTPResponse {
    var projects: [JSONObject] = []
    for project in studio.library.projects {
      // A damaged project is left out; opened by its address, it says what is wrong.
      guard let summary = try? await project.summary(), let description = try? project.description
      else { continue }
      let used = summary.wells.filter { $0.key != .leftOut }.values
      let kinds = Dictionary(used.flatMap(\.classes).map { ($0.label, $0.kind.rawValue) }) { $1 }
      projects.append([
        "id": project.id, "name": description.name, "created": Self.text(description.created),
        "modified": Self.text(try project.modified),
        "classes": kinds.keys.sorted(), "kinds": kinds,
        "items": summary.wells.values.reduce(0) { $0 + $1.items },
        "seconds": summary.wells.values.reduce(0) { $0 + $1.seconds },
        "runs": project.folder.runFolders.count, "state": await studio.state(of: project),
      ])
    }
    let deleted: [JSONObject] = studio.library.deleted().map {
      ["id": $0.id, "name": $0.name, "deleted": Self.text($0.deleted)]
    }
    return try .json(["projects": projects, "deleted": deleted] as JSONObject)
  }

  private func describe(_ project: Project, status: Int = 200) async throws -> HTTPResponse {
    let summary = try await project.summary(hasFindings: true)
    let description = try project.description
    let files = summary.media.files
    let training = summary.wells[.training] ?? .init()
    var estimate: JSONObject?
    if training.items > 0 {
      let extracted = try await studio.workspace(project.id).poses.extracted(
        Array(files.values))
      let unextracted = files.reduce(0.0) { sum, file in
        extracted.contains(file.value) ? sum : sum + (summary.media[file.key.text]?.seconds ?? 0)
      }
      let work = WorkRates.Work(
        unextractedSeconds: unextracted, itemCount: training.items,
        classCount: training.classes.count, seconds: training.seconds)
      // Parameters out of range have no estimate.
      estimate = (try? studio.runs.rates.estimate(work, description.parameters)).map {
        ["extractionSeconds": $0.extractionSeconds, "trainingSeconds": $0.trainingSeconds]
      }
    }
    var wells: [String: ProjectSummary.WellSummary] = [:]
    for (well, content) in summary.wells { wells[well.rawValue] = content }
    return try .json(
      [
        "id": project.id, "name": description.name, "created": Self.text(description.created),
        "modified": Self.text(try project.modified), "parameters": description.parameters,
        // Those of a file that was edited may be out of range.
        "effective": (try? description.parameters.filled()) ?? description.parameters,
        "metadata": description.metadata, "wells": wells,
        "checking": summary.isChecking, "media": files.count,
        "estimate": JSONObject.orNull(estimate), "readOnly": project.isReadOnly,
      ] as JSONObject, status: status)
  }

  private static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}

/// The most bytes of bodies, and how they are read.
enum StudioBody {
  static let settingsByteCount = 256 << 10
  static let itemsByteCount = 8 << 20
  static let annotationsByteCount = 64 << 20

  /// The name in `{"name":"Golf"}`, without spaces around it.
  static func name(in data: Data) throws -> String {
    struct Body: Decodable { var name: String }
    return try decoded(Body.self, data).name.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Reads a JSON body; throws ``KinemaStudio/StudioError`` with what is wrong in it.
  static func decoded<Body: Decodable>(_ type: Body.Type, _ data: Data) throws -> Body {
    do {
      return try JSONDecoder().decodeForeign(type, from: data)
    } catch {
      throw StudioError(.badBody(fault: JSONFault.sentence(of: error)))
    }
  }
}

extension HTTPRequest {
  /// A well of the query; throws ``KinemaStudio/StudioError`` where there is no such well.
  func well(_ name: String = "well") throws -> Well? {
    guard let text = query[name], !text.isEmpty else { return nil }
    guard let well = Well(rawValue: text) else {
      let names = Well.allCases.map(\.rawValue).joined(separator: ", ")
      throw StudioError(.badValue(name: name, wanted: names))
    }
    return well
  }

  /// Seconds of the query.
  func seconds(_ name: String) throws -> Double? {
    guard let text = query[name], !text.isEmpty else { return nil }
    guard let seconds = Double(text), seconds >= 0, seconds < 1e9 else {
      throw StudioError(.badValue(name: name, wanted: "a number of seconds"))
    }
    return seconds
  }

  /// A whole number of the query; `nil` where it is not given.
  func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let text = query[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw StudioError(
        .badValue(
          name: name, wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)"))
    }
    return number
  }

  /// A text of the query that must be there.
  func required(_ name: String) throws -> String {
    guard let text = query[name], !text.isEmpty else {
      throw StudioError(.badValue(name: name, wanted: "?\(name)=…"))
    }
    return text
  }
}
