import Foundation
import KinemaFiles
import KinemaPose
package import KinemaStudio

/// Media of a project, folders of the server, poses and their extraction.
package struct MediaRoutes: StudioHandler {
  private struct ImportBody: Decodable {
    var path: String
    var well: Well?
  }

  /// The longest stretch of poses of an answer, in seconds.
  private static let longestStretch = 120.0

  private let studio: Studio

  package init(_ studio: Studio) { self.studio = studio }

  package func bodyLimit(for method: String, path: [String]) -> Int? {
    method == "POST" && path.count == 3 && path[0] == "projects"
      && ["import", "extract"].contains(path[2]) ? StudioBody.settingsByteCount : nil
  }

  package func response(to request: HTTPRequest, path: [String]) async throws -> HTTPResponse? {
    if path == ["folders"], request.method == "GET" {
      return try .json(studio.folders.listing(request.query["path"]))
    }
    guard path.count >= 3, path[0] == "projects" else { return nil }
    guard ["media", "poses", "extract", "jobs", "import"].contains(path[2]) else { return nil }
    let desk = try studio.desk(path[1])
    let project = desk.project
    let file =
      path.count > 3 ? path.dropFirst(3).joined(separator: "/") : request.query["file"] ?? ""
    switch (request.method, path[2]) {
    case ("GET", "media") where file.isEmpty: return try await list(desk)
    case ("GET", "media"):
      let url = try project.url(of: file)
      return HTTPResponse(
        headers: [
          "content-type": Self.types[url.pathExtension.lowercased()] ?? "application/octet-stream",
          "cache-control": "private, no-cache",
        ], body: .file(url))
    case ("DELETE", "media") where !file.isEmpty:
      try project.removeMedium(file)
      return HTTPResponse(status: 204)
    case ("GET", "poses") where path.count == 3: return try await poses(desk, request)
    case ("POST", "extract") where path.count == 3:
      desk.extraction.start()
      return try jobs(desk, status: 202)
    case ("GET", "jobs") where path.count == 3: return try jobs(desk)
    case ("POST", "import") where path.count == 3:
      let body = try StudioBody.decoded(ImportBody.self, request.body)
      let url = try studio.folders.url(body.path)
      return try .json(
        try await project.add(contentsOf: url, to: body.well ?? .training, from: studio.folders))
    default: return nil
    }
  }

  private static let types = [
    "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "webm": "video/webm",
    "mkv": "video/x-matroska", "ogv": "video/ogg", "gif": "image/gif", "avi": "video/x-msvideo",
    "jsonl": "application/jsonl; charset=utf-8",
  ]

  private func list(_ desk: ProjectDesk) async throws -> HTTPResponse {
    let summary = try await desk.project.summary()
    let uses = Dictionary(grouping: try desk.project.items(), by: \.file).mapValues(\.count)
    let extracted = await desk.poses.extracted(Array(summary.files.values))
    let media: [JSONObject] = summary.files.sorted { $0.key < $1.key }.compactMap { file, url in
      guard let header = summary.media[file] else { return nil }
      return [
        "file": file, "seconds": JSONObject.orNull(header.seconds),
        "width": JSONObject.orNull(header.width), "height": JSONObject.orNull(header.height),
        "frameRate": JSONObject.orNull(header.frameRate), "kind": header.kind,
        "bytes": header.bytes, "items": uses[file] ?? 0, "extracted": extracted.contains(url),
        "problem": JSONObject.orNull(header.problem?.message),
        "text": header.problem.map { StudioMessage.badData($0) },
      ]
    }
    return try .json(["media": media] as JSONObject)
  }

  private func jobs(_ desk: ProjectDesk, status: Int = 200) throws -> HTTPResponse {
    let extraction = desk.extraction.status
    let object: JSONObject = [
      "state": extraction.state, "fraction": extraction.fraction,
      "secondsLeft": JSONObject.orNull(extraction.secondsLeft),
      "file": JSONObject.orNull(extraction.file),
      "message": JSONObject.orNull(extraction.text?.sentence), "text": extraction.text,
    ]
    return try .json(["extraction": object], status: status)
  }

  private func poses(_ desk: ProjectDesk, _ request: HTTPRequest) async throws -> HTTPResponse {
    let url = try desk.project.url(of: try request.required("file"))
    let start = try request.seconds("start") ?? 0
    let end = try request.seconds("end") ?? start + Self.longestStretch
    guard end > start, end - start <= Self.longestStretch else {
      throw StudioError(
        .badValue(
          name: "end",
          wanted: "more than 0 and at most \(Int(Self.longestStretch)) seconds of poses"))
    }
    let poses = try await desk.poses.poses(of: url)
    return HTTPResponse(
      headers: ["content-type": "application/json; charset=utf-8"],
      body: .data(PoseJSON.data(poses.frames(from: start, to: end), joints: poses.joints)))
  }
}

/// Poses as JSON, written directly: an encoder takes ten times as long for so many numbers.
enum PoseJSON {
  static func data(_ frames: some Sequence<PoseSequence.Frame>, joints: [JointKey]) -> Data {
    var text = "{\"joints\":["
    text += joints.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
    text += "],\"frames\":["
    var isFirst = true
    for frame in frames {
      if !isFirst { text += "," }
      isFirst = false
      text += "{\"time\":"
      append(Double(frame.time), to: &text)
      text += ",\"people\":["
      for (index, pose) in frame.poses.enumerated() {
        if index > 0 { text += "," }
        text += "{\"id\":\(pose.personID ?? index + 1),\"points\":["
        for (number, key) in joints.enumerated() {
          if number > 0 { text += "," }
          let point = pose.keypoints[key]
          append(Double(point?.position.x ?? 0), to: &text)
          text += ","
          append(Double(point?.position.y ?? 0), to: &text)
          text += ","
          append(Double(point?.confidence ?? 0), to: &text)
        }
        text += "]}"
      }
      text += "]}"
    }
    text += "]}"
    return Data(text.utf8)
  }

  /// A number with four decimals, 0 where it is not finite.
  private static func append(_ value: Double, to text: inout String) {
    guard value.isFinite, value.magnitude < 1e9 else {
      text += "0"
      return
    }
    var units = Int((value * 10_000).rounded())
    if units < 0 {
      text += "-"
      units = -units
    }
    text += String(units / 10_000)
    var rest = units % 10_000
    guard rest > 0 else { return }
    var digits = 4
    while rest % 10 == 0 {
      rest /= 10
      digits -= 1
    }
    let decimals = String(rest)
    text += "." + String(repeating: "0", count: digits - decimals.count) + decimals
  }
}
