import Foundation
import KinemaFiles
package import KinemaStudio

/// Uploads in chunks, which continue after a break.
package struct UploadRoutes: StudioHandler {
  private struct Body: Decodable {
    var name: String
    var size: Int64
    var well: Well?
    var label: String?
    var person: String?
  }

  private let studio: Studio

  package init(_ studio: Studio) { self.studio = studio }

  package func bodyLimit(for method: String, path: [String]) -> Int? {
    guard path.count >= 3, path[0] == "projects", path[2] == "uploads" else { return nil }
    switch (method, path.count) {
    case ("POST", 3): return StudioBody.settingsByteCount
    case ("PUT", 4): return UploadStore.chunkByteCount
    default: return nil
    }
  }

  package func response(to request: HTTPRequest, path: [String]) async throws -> HTTPResponse? {
    guard path.count >= 3, path[0] == "projects", path[2] == "uploads" else { return nil }
    let desk = try studio.desk(path[1])
    switch (request.method, path.count) {
    case ("GET", 3): return try .json(["uploads": desk.uploads.uploads])
    case ("POST", 3):
      let body = try StudioBody.decoded(Body.self, request.body)
      let upload = try desk.uploads.begin(
        name: body.name, size: body.size, well: body.well ?? .training,
        label: Self.text(body.label), person: Self.text(body.person))
      return try .json(
        ["id": upload.id, "offset": upload.offset, "chunk": UploadStore.chunkByteCount]
          as JSONObject, status: 201)
    case ("PUT", 4): return try await append(desk, path[3], request)
    case ("DELETE", 4):
      try desk.uploads.remove(path[3])
      return HTTPResponse(status: 204)
    default: return nil
    }
  }

  /// A text without spaces around it; `nil` where nothing is left.
  private static func text(_ text: String?) -> String? {
    text.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap {
      $0.isEmpty ? nil : $0
    }
  }

  private func append(
    _ desk: ProjectDesk, _ id: String, _ request: HTTPRequest
  ) async throws -> HTTPResponse {
    guard let offset = Int64(try request.required("offset")), offset >= 0 else {
      throw StudioError(.badValue(name: "offset", wanted: "a number of bytes"))
    }
    switch try await desk.uploads.append(request.body, to: id, at: offset) {
    case .more(let offset): return try .json(["offset": offset])
    case .wrongOffset(let offset):
      let error: JSONObject = [
        "code": "conflict", "message": "The next byte is number \(offset).", "offset": offset,
      ]
      return try .json(["error": error], status: 409)
    case .done(let file, let item):
      let summary = try await desk.project.summary()
      return try .json(
        [
          "offset": summary.media[file]?.bytes ?? 0, "done": true, "file": file,
          "item": JSONObject.orNull(item.map { ItemRoutes.json($0, summary) }),
        ] as JSONObject)
    }
  }
}
