import Foundation
import KinemaFiles
import KinemaHTTP
import KinemaStudio

/// Uploads in chunks, which continue after a break.
struct UploadRoutes {
  private struct Body: Decodable {
    var name: String
    var size: Int64
    var well: Well?
    var label: String?
    var person: String?
    var take: TakeStore.Order?
  }

  private let studio: Studio

  init(_ studio: Studio) { self.studio = studio }

  var routes: [Route] {
    let uploads = "\(StudioRoutes.project)/uploads"
    return [
      Route("GET", uploads) {
        try .json(["uploads": try studio.workspace($1["project"]).uploads.uploads])
      },
      Route("POST", uploads, bodyLimit: StudioBody.settingsByteCount) {
        try begin(try studio.workspace($1["project"]), $0)
      },
      Route("PUT", "\(uploads)/{upload}", bodyLimit: UploadStore.chunkByteCount) {
        try await append(try studio.workspace($1["project"]), $1["upload"], $0)
      },
      Route("DELETE", "\(uploads)/{upload}") { _, path in
        try studio.workspace(path["project"]).uploads.remove(path["upload"])
        return HTTPResponse(status: 204)
      },
    ]
  }

  private func begin(_ workspace: ProjectWorkspace, _ request: HTTPRequest) throws -> HTTPResponse {
    let body = try StudioBody.decoded(Body.self, request.body)
    let upload = try workspace.uploads.begin(
      name: body.name, size: body.size, well: body.well ?? .training,
      label: Self.text(body.label), person: Self.text(body.person), take: body.take)
    return try .json(
      ["id": upload.id, "offset": upload.offset, "chunk": UploadStore.chunkByteCount]
        as JSONObject, status: 201)
  }

  /// A text without spaces around it; `nil` where nothing is left.
  private static func text(_ text: String?) -> String? {
    text.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap {
      $0.isEmpty ? nil : $0
    }
  }

  private func append(
    _ workspace: ProjectWorkspace, _ id: String, _ request: HTTPRequest
  ) async throws -> HTTPResponse {
    guard let offset = Int64(try request.required("offset")), offset >= 0 else {
      throw StudioError(.badValue(name: "offset", wanted: "a number of bytes"))
    }
    switch try await workspace.uploads.append(request.body, to: id, at: offset) {
    case .more(let offset): return try .json(["offset": offset])
    case .wrongOffset(let offset):
      let error: JSONObject = [
        "code": "conflict", "message": "The next byte is number \(offset).", "offset": offset,
      ]
      return try .json(["error": error], status: 409)
    case .done(let file, let item, let take):
      let items = try await ItemRoutes.json(item.map { [$0] } ?? [], of: workspace.project)
      // A take may have replaced its video since.
      let size = (try? workspace.project.url(of: file)).flatMap { FileVersion($0)?.size } ?? 0
      return try .json(
        [
          "offset": size, "done": true, "file": file,
          "item": JSONObject.orNull(items.first), "take": JSONObject.orNull(take?.id),
        ] as JSONObject)
    }
  }
}
