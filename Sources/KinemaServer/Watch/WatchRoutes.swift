import Foundation
import KinemaFiles
import KinemaHTTP
import KinemaVision
package import KinemaWatch

/// The named sources over HTTP: their state, events and pictures; see `docs/live-protocol.md`.
package struct WatchRoutes: Sendable {
  private let watcher: Watcher?
  private let file: WatchFile?
  private let feed: EventFeed
  private let version: String
  private let sessionCount: @Sendable () -> Int
  private let pictures = SourcePictures()
  /// Those of cameras that can become sources.
  let cameras: CameraRoutes

  /// - Parameters:
  ///   - watcher: Runs the sources; `nil` without any.
  ///   - file: Holds their areas.
  ///   - search: Finds cameras in the network.
  package init(
    watcher: Watcher? = nil, file: WatchFile? = nil, feed: EventFeed = EventFeed(),
    version: String = "",
    search: @escaping CameraRoutes.Search = CameraRoutes.network,
    sessionCount: @escaping @Sendable () -> Int = { 0 }
  ) {
    self.watcher = watcher
    self.file = file
    self.feed = feed
    self.version = version
    self.sessionCount = sessionCount
    cameras = CameraRoutes(file: file, search: search)
  }

  /// What the sources show now.
  var state: JSONObject {
    [
      "schema": 1, "version": version, "time": Self.text(Date()), "sessions": sessionCount(),
      "waitingEvents": watcher?.waitingCount ?? 0,
      "sources": (watcher?.sources ?? []).map(Self.object),
    ]
  }

  /// The events as they happen.
  func events(after id: String?) throws -> HTTPResponse {
    HTTPResponse(
      headers: ["content-type": "text/event-stream"], body: .stream(try feed.stream(after: id)))
  }

  /// The newest picture of a source.
  func picture(of name: String) async throws -> HTTPResponse {
    let sources = watcher?.sources ?? []
    guard let source = sources.first(where: { $0.name == name }) else {
      throw ServerError(.notFound, MessageText("noSource", ["id": name]))
    }
    await pictures.keep(Set(sources.map(\.name)))
    guard let jpeg = try await pictures.jpeg(of: source) else {
      throw ServerError(.notFound, MessageText("noPicture", ["source": name]))
    }
    return HTTPResponse(headers: ["content-type": "image/jpeg"], body: .data(jpeg))
  }

  // MARK: - Areas

  /// The most bytes of areas: all that there may be, with long numbers.
  static let maximumAreasByteCount = 256 << 10

  /// The zones, lines and masks of a source.
  func areas(of name: String) throws -> HTTPResponse {
    guard let areas = watcher?.areas(of: name) else {
      throw ServerError(.notFound, MessageText("noSource", ["id": name]))
    }
    return try .json(areas.object)
  }

  /// Writes other ones to the file, from which they are read again.
  func change(_ name: String, to body: Data) throws -> HTTPResponse {
    guard let file, watcher?.areas(of: name) != nil else {
      throw ServerError(.notFound, MessageText("noSource", ["id": name]))
    }
    do {
      let areas = try SourceAreas(body)
      try file.write(areas, of: name)
      return try .json(areas.object)
    } catch let error as WatchError {
      throw ServerError(
        error.code == .storage ? .storage : .badRequest,
        MessageText("badAreas", ["fault": error.message]))
    }
  }

  // MARK: - Log

  /// The most events that a page gets.
  private static let logLength = 100

  /// The events that rules keep, newest first.
  func log() throws -> HTTPResponse {
    let entries = watcher?.log.entries(limit: Self.logLength) ?? []
    let parts = entries.map { entry -> Data in
      let flags = "\"acknowledged\":\(entry.isAcknowledged),\"picture\":\(entry.hasPicture)"
      return Data("{\(flags),\"event\":".utf8) + entry.json + Data("}".utf8)
    }
    return HTTPResponse(
      headers: ["content-type": "application/json"],
      body: .data(
        Data("{\"schema\":1,\"events\":[".utf8) + Data(parts.joined(separator: Data(",".utf8)))
          + Data("]}\n".utf8)))
  }

  func logPicture(of id: String) throws -> HTTPResponse {
    guard let picture = watcher?.log.picture(of: id) else {
      throw ServerError(.notFound, MessageText("noEvent", ["id": id]))
    }
    return HTTPResponse(
      headers: ["content-type": "image/jpeg", "cache-control": "private, max-age=3600"],
      body: .data(picture))
  }

  func acknowledge(_ id: String) throws -> HTTPResponse {
    guard watcher?.log.acknowledge(id) == true else {
      throw ServerError(.notFound, MessageText("noEvent", ["id": id]))
    }
    return HTTPResponse(status: 204)
  }

  private static func object(_ source: WatchedSource) -> JSONObject {
    let (state, details) = (source.state, source.details)
    return [
      "name": source.name, "address": JSONObject.orNull(source.address),
      "state": state.source, "message": JSONObject.orNull(details.message),
      "text": details.text,
      "frameTime": JSONObject.orNull(details.frameDate.map(text)),
      "persons": details.persons.map { person -> JSONObject in
        [
          "id": person.id, "action": JSONObject.orNull(person.action), "count": person.count,
          "lying": person.isLying, "posture": JSONObject.orNull(person.posture?.rawValue),
          "zones": person.zones,
        ]
      },
      "activity": JSONObject.orNull(source.activity?.rawValue),
      "framesPerSecond": JSONObject.orNull(source.rate),
      "action": JSONObject.orNull(state.action), "count": state.count, "lying": state.lying,
      "fallen": state.fallen, "zones": state.zones,
      "lastEvent": JSONObject.orNull(details.lastEvent?.object),
    ]
  }

  private static func text(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
