import Foundation
import KinemaFiles
import KinemaHTTP
import KinemaStudio

/// Items and annotations of a project.
struct ItemRoutes {
  private struct ItemsBody: Decodable {
    var items: [NewItem]
  }

  private struct IDsBody: Decodable {
    var ids: [String]
  }

  /// What is absent stays; `null` empties.
  private struct ChangeBody: Decodable {
    var ids: [String]
    var change = Project.ItemChange()

    private enum Key: String, CodingKey {
      case ids, label, well, person, start, end
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      ids = try container.decode([String].self, forKey: .ids)
      change.label = try container.decodeIfPresent(String.self, forKey: .label)
        .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      change.well = try container.decodeIfPresent(Well.self, forKey: .well)
      if container.contains(.person) {
        let person = try container.decode(String?.self, forKey: .person)
        change.person = .some(person.flatMap { $0.isEmpty ? nil : $0 })
      }
      if container.contains(.start) {
        change.start = .some(try container.decode(Double?.self, forKey: .start))
      }
      if container.contains(.end) {
        change.end = .some(try container.decode(Double?.self, forKey: .end))
      }
    }
  }

  private struct SegmentsBody: Decodable {
    struct Segment: Decodable {
      var id: String?
      var label: String
      var start: Double?
      var end: Double?
      var well: Well?
    }

    var segments: [Segment]
  }

  /// The most items of an answer.
  private static let longestPage = 1000

  private let studio: Studio

  init(_ studio: Studio) { self.studio = studio }

  var routes: [Route] {
    let items = "\(StudioRoutes.project)/items"
    let annotations = "\(StudioRoutes.project)/annotations"
    let limit = StudioBody.itemsByteCount
    let library = studio.library
    return [
      Route("GET", items) { try await page(of: try library.project($1["project"]), $0) },
      Route("POST", items, bodyLimit: limit) { request, path in
        let project = try library.project(path["project"])
        let new = try StudioBody.decoded(ItemsBody.self, request.body).items
        try project.check(Set(new.map(\.file)), from: studio.folders)
        return try await answer(try project.add(new), of: project, status: 201)
      },
      Route("PATCH", items, bodyLimit: limit) { request, path in
        let project = try library.project(path["project"])
        let body = try StudioBody.decoded(ChangeBody.self, request.body)
        return try await answer(try project.change(body.ids, body.change), of: project)
      },
      Route("DELETE", items, bodyLimit: limit) { request, path in
        let project = try library.project(path["project"])
        let ids = try StudioBody.decoded(IDsBody.self, request.body).ids
        return try .json(["removed": try project.remove(ids)])
      },
      Route("GET", annotations) { request, path in
        let project = try library.project(path["project"])
        return try segments(try project.items(of: try request.required("file")))
      },
      Route("PUT", annotations, bodyLimit: limit) {
        try replace(try library.project($1["project"]), $0)
      },
      Route("POST", "\(annotations)/import", bodyLimit: StudioBody.annotationsByteCount) {
        try await importAnnotations(try library.project($1["project"]), $0)
      },
      Route("GET", "\(annotations).csv") { try csv(of: try library.project($1["project"]), $0) },
    ]
  }

  // MARK: - Items

  private func page(of project: Project, _ request: HTTPRequest) async throws -> HTTPResponse {
    let label = request.query["label"]
    let items = try project.items(in: try request.well()).filter {
      label == nil || $0.label == label
    }
    let offset = try request.number("offset", 0...Int(Int32.max)) ?? 0
    let limit = try request.number("limit", 1...Self.longestPage) ?? 100
    let summary = try await project.summary()
    return try .json(
      [
        "total": items.count,
        "items": items.dropFirst(offset).prefix(limit).map { Self.json($0, summary) },
      ] as JSONObject)
  }

  private func answer(
    _ items: [ProjectItem], of project: Project, status: Int = 200
  ) async throws -> HTTPResponse {
    let summary = try await project.summary()
    return try .json(
      ["items": items.map { Self.json($0, summary) }] as JSONObject, status: status)
  }

  /// The containers that browsers play.
  private static let playable: Set<String> = ["mp4", "m4v", "mov", "webm", "ogv"]

  static func json(_ item: ProjectItem, _ summary: ProjectSummary) -> JSONObject {
    let kind = summary.media[item.file]?.kind ?? .video
    let problem = summary.problem(of: item)
    let fileExtension = URL(filePath: item.file).pathExtension.lowercased()
    return [
      "id": item.id, "well": item.well, "file": item.file, "label": item.label,
      "start": JSONObject.orNull(item.start), "end": JSONObject.orNull(item.end),
      "seconds": JSONObject.orNull(summary.seconds(of: item)),
      "person": JSONObject.orNull(item.person), "kind": kind,
      "playable": kind == .video && playable.contains(fileExtension),
      "problem": JSONObject.orNull(problem?.sentence), "text": problem,
    ]
  }

  // MARK: - Annotations

  private func segments(_ items: [ProjectItem]) throws -> HTTPResponse {
    let segments: [JSONObject] = items.sorted { ($0.start ?? 0, $0.id) < ($1.start ?? 0, $1.id) }
      .map {
        [
          "id": $0.id, "label": $0.label, "start": JSONObject.orNull($0.start),
          "end": JSONObject.orNull($0.end), "well": $0.well,
        ]
      }
    return try .json(["segments": segments] as JSONObject)
  }

  private func csv(of project: Project, _ request: HTTPRequest) throws -> HTTPResponse {
    let well = try request.well() ?? .training
    return HTTPResponse(
      headers: [
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": "attachment; filename=\"\(well.fileName)\"",
      ], body: .data(try project.csv(of: well)))
  }

  private func replace(_ project: Project, _ request: HTTPRequest) throws -> HTTPResponse {
    let file = try request.required("file")
    let body = try StudioBody.decoded(SegmentsBody.self, request.body)
    try project.check([file], from: studio.folders)
    return try segments(
      try project.replace(
        itemsOf: file,
        with: body.segments.map {
          NewItem(
            id: $0.id, file: file, label: $0.label, well: $0.well, start: $0.start, end: $0.end)
        }))
  }

  /// Reads an annotation file that is sent as a file beside the media.
  private func importAnnotations(
    _ project: Project, _ request: HTTPRequest
  ) async throws -> HTTPResponse {
    let first = request.body.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
    let isJSON = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    let file = FileManager.default.temporaryDirectory.appending(
      path: "kinema-\(UUID().uuidString)/annotations.\(isJSON ? "json" : "csv")")
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try WholeFile.write(request.body, to: file)
    } catch {
      throw StudioError(.notStored(part: .annotations, reason: "\(error)"))
    }
    return try .json(
      try await project.add(
        annotationFile: file, to: try request.well() ?? .training, from: studio.folders))
  }
}
