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
    /// That of the answer which they were made from.
    var version: String?
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
        try project.check(Set(new.map { FileName($0.file) }), from: studio.folders)
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
    let page = try project.page(
      in: try request.well(), label: request.query["label"],
      from: try request.number("offset", 0...Int(Int32.max)) ?? 0,
      limit: try request.number("limit", 1...Self.longestPage) ?? 100)
    return try .json(
      ["total": page.count, "items": try await Self.json(page.items, of: project)] as JSONObject)
  }

  /// The first items that were added or changed, and how many there are.
  private func answer(
    _ items: [ProjectItem], of project: Project, status: Int = 200
  ) async throws -> HTTPResponse {
    let first = Array(items.prefix(Self.longestPage))
    return try .json(
      ["total": items.count, "items": try await Self.json(first, of: project)] as JSONObject,
      status: status)
  }

  static func json(_ items: [ProjectItem], of project: Project) async throws -> [JSONObject] {
    let media = try await project.media(of: items)
    return items.map { json($0, media) }
  }

  /// The containers that browsers play.
  private static let playable: Set<String> = ["mp4", "m4v", "mov", "webm", "ogv"]

  private static func json(_ item: ProjectItem, _ media: MediaTable) -> JSONObject {
    let kind = media[item.file]?.kind ?? .video
    let problem = media.problem(of: item)
    let fileExtension = URL(filePath: item.file).pathExtension.lowercased()
    return [
      "id": item.id, "well": item.well, "file": item.file, "label": item.label,
      "start": JSONObject.orNull(item.start), "end": JSONObject.orNull(item.end),
      "seconds": JSONObject.orNull(media.seconds(of: item)),
      "person": JSONObject.orNull(item.person), "kind": kind,
      "playable": kind == .video && playable.contains(fileExtension),
      "problem": JSONObject.orNull(problem?.sentence), "text": problem,
    ]
  }

  // MARK: - Annotations

  private func segments(_ items: [ProjectItem]) throws -> HTTPResponse {
    try .json(
      ["segments": Self.segments(items), "version": Project.version(of: items)] as JSONObject)
  }

  private static func segments(_ items: [ProjectItem]) -> [JSONObject] {
    items.sorted { ($0.start ?? 0, $0.id) < ($1.start ?? 0, $1.id) }.map {
      [
        "id": $0.id, "label": $0.label, "start": JSONObject.orNull($0.start),
        "end": JSONObject.orNull($0.end), "well": $0.well,
      ]
    }
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
    try project.check([FileName(file)], from: studio.folders)
    let new = body.segments.map {
      NewItem(id: $0.id, file: file, label: $0.label, well: $0.well, start: $0.start, end: $0.end)
    }
    do {
      return try segments(try project.replace(itemsOf: file, with: new, version: body.version))
    } catch let error as StudioError {
      guard case .changedElsewhere = error.text else { throw error }
      let present = try project.items(of: file)
      let detail: JSONObject = [
        "code": error.code.rawValue, "message": error.message, "text": error.text,
        "segments": Self.segments(present), "version": Project.version(of: present),
      ]
      return try .json(["error": detail], status: 409)
    }
  }

  /// Reads an annotation file that is sent as a file beside the media.
  private func importAnnotations(
    _ project: Project, _ request: HTTPRequest
  ) async throws -> HTTPResponse {
    let first = request.body.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
    let isJSON = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    let folder: PrivateFolder
    let file: URL
    do {
      folder = try PrivateFolder()
      file = folder.url.appending(path: "annotations.\(isJSON ? "json" : "csv")")
      try WholeFile.write(request.body, to: file, permissions: 0o600)
    } catch {
      throw StudioError(.notStored(part: .annotations, reason: error.message, text: error.text))
    }
    defer { folder.remove() }
    return try .json(
      try await project.add(
        annotationFile: file, to: try request.well() ?? .training, from: studio.folders))
  }
}
