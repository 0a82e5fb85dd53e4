import Foundation
import KinemaFiles
import KinemaHTTP
import KinemaPose
import KinemaStudio
import KinemaVideo

/// Media of a project, folders of the server, poses and their extraction.
struct MediaRoutes {
  private struct ImportBody: Decodable {
    var path: String
    var well: Well?
  }

  /// The longest stretch of poses of an answer, in seconds.
  private static let longestStretch = 120.0

  private let studio: Studio

  init(_ studio: Studio) { self.studio = studio }

  var routes: [Route] {
    let project = StudioRoutes.project
    let limit = StudioBody.settingsByteCount
    return [
      Route("GET", "/api/v1/studio/folders") { request, _ in
        try .json(studio.folders.listing(request.query["path"]))
      },
      Route("GET", "\(project)/media") { request, path in
        let workspace = try studio.workspace(path["project"])
        guard let file = request.query["file"], !file.isEmpty else {
          return try await list(workspace)
        }
        return try medium(file, of: workspace.project)
      },
      Route("DELETE", "\(project)/media") { request, path in
        let project = try studio.workspace(path["project"]).project
        return try remove(try request.required("file"), from: project)
      },
      Route("GET", "\(project)/media/{file*}") {
        try medium($1["file"], of: try studio.workspace($1["project"]).project)
      },
      Route("DELETE", "\(project)/media/{file*}") {
        try remove($1["file"], from: try studio.workspace($1["project"]).project)
      },
      Route("GET", "\(project)/poses") { try await poses(try studio.workspace($1["project"]), $0) },
      Route("POST", "\(project)/extract", bodyLimit: limit) { _, path in
        let workspace = try studio.workspace(path["project"])
        workspace.extraction.start()
        return try jobs(workspace, status: 202)
      },
      Route("GET", "\(project)/jobs") { try jobs(try studio.workspace($1["project"])) },
      Route("POST", "\(project)/import", bodyLimit: limit) { request, path in
        let project = try studio.workspace(path["project"]).project
        let body = try StudioBody.decoded(ImportBody.self, request.body)
        let url = try studio.folders.url(body.path)
        return try .json(
          try await project.add(contentsOf: url, to: body.well ?? .training, from: studio.folders))
      },
    ]
  }

  private func medium(_ file: String, of project: Project) throws -> HTTPResponse {
    let url = try project.url(of: file)
    return HTTPResponse(
      headers: [
        "content-type": Self.types[url.pathExtension.lowercased()] ?? "application/octet-stream",
        "cache-control": "private, no-cache",
      ], body: .file(url))
  }

  private func remove(_ file: String, from project: Project) throws -> HTTPResponse {
    try project.removeMedium(file)
    return HTTPResponse(status: 204)
  }

  private static let types = [
    "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "webm": "video/webm",
    "mkv": "video/x-matroska", "ogv": "video/ogg", "gif": "image/gif", "avi": "video/x-msvideo",
    "jsonl": "application/jsonl; charset=utf-8",
  ]

  private func list(_ workspace: ProjectWorkspace) async throws -> HTTPResponse {
    let summary = try await workspace.project.summary()
    let uses = try workspace.project.uses
    let files = summary.media.files
    let extracted = await workspace.poses.extracted(Array(files.values))
    let media: [JSONObject] = files.sorted { $0.key < $1.key }.compactMap { file, url in
      guard let header = summary.media[file.text] else { return nil }
      return [
        "file": file.text, "seconds": JSONObject.orNull(header.seconds),
        "width": JSONObject.orNull(header.width), "height": JSONObject.orNull(header.height),
        "frameRate": JSONObject.orNull(header.frameRate), "kind": header.kind,
        "bytes": header.bytes, "items": uses[file] ?? 0, "extracted": extracted.contains(url),
        "problem": JSONObject.orNull(header.problem?.message),
        "text": header.problem.map { StudioMessage.badData($0) },
      ]
    }
    return try .json(["media": media] as JSONObject)
  }

  private func jobs(_ workspace: ProjectWorkspace, status: Int = 200) throws -> HTTPResponse {
    let extraction = workspace.extraction.status
    let object: JSONObject = [
      "state": extraction.state, "fraction": extraction.fraction,
      "secondsLeft": JSONObject.orNull(extraction.secondsLeft),
      "file": JSONObject.orNull(extraction.file),
      "message": JSONObject.orNull(extraction.text?.sentence), "text": extraction.text,
    ]
    return try .json(["extraction": object], status: status)
  }

  private func poses(_ workspace: ProjectWorkspace, _ request: HTTPRequest) async throws
    -> HTTPResponse
  {
    let url = try workspace.project.url(of: try request.required("file"))
    let start = try request.seconds("start") ?? 0
    let end = try request.seconds("end") ?? start + Self.longestStretch
    guard end > start, end - start <= Self.longestStretch else {
      throw StudioError(
        .badValue(
          name: "end",
          wanted: "more than 0 and at most \(Int(Self.longestStretch)) seconds of poses"))
    }
    let poses = try await workspace.poses.poses(of: url)
    let frames = Array(poses.frames(from: start, to: end))
    var bodies: [FrameMessage.Body?] = []
    if request.query["bodies"] == "1" {
      let header = try await workspace.project.headers.headers(of: [url])[url]
      bodies = try await BlockingThread.run {
        FrameMessage.Body.bodies(in: frames, aspectRatio: header?.aspectRatio ?? 1)
      }
    }
    return HTTPResponse(
      headers: ["content-type": "application/json; charset=utf-8"],
      body: .data(PoseJSON.data(frames, joints: poses.joints, bodies: bodies)))
  }
}

/// Poses as JSON, written directly: an encoder takes ten times as long for so many numbers.
enum PoseJSON {
  /// - Parameter bodies: Of each frame the largest person in three dimensions; may be empty.
  static func data(
    _ frames: [PoseSequence.Frame], joints: [JointKey], bodies: [FrameMessage.Body?]
  ) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    var text = "{\"joints\":["
    text += joints.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
    text += "],\"frames\":["
    for (place, frame) in frames.enumerated() {
      if place > 0 { text += "," }
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
      text += "]"
      if bodies.indices.contains(place), let body = bodies[place],
        // Encoding finite numbers cannot fail.
        let encoded = try? encoder.encode(body)
      {
        text += ",\"body\":" + String(decoding: encoded, as: UTF8.self)
      }
      text += "}"
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
