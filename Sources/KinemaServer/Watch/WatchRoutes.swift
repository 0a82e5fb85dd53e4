import Foundation
import KinemaFiles
import KinemaHTTP
package import KinemaWatch

/// The named sources over HTTP: their state, events and pictures; see `docs/live-protocol.md`.
package struct WatchRoutes: Sendable {
  private let watcher: Watcher?
  private let feed: EventFeed
  private let version: String
  private let sessionCount: @Sendable () -> Int
  private let pictures = SourcePictures()

  /// - Parameter watcher: Runs the sources; `nil` without any.
  package init(
    watcher: Watcher? = nil, feed: EventFeed = EventFeed(), version: String = "",
    sessionCount: @escaping @Sendable () -> Int = { 0 }
  ) {
    self.watcher = watcher
    self.feed = feed
    self.version = version
    self.sessionCount = sessionCount
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
          "lying": person.isLying,
        ]
      },
      "action": JSONObject.orNull(state.action), "count": state.count, "lying": state.lying,
      "lastEvent": JSONObject.orNull(details.lastEvent?.object),
    ]
  }

  private static func text(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
