import Foundation
import KinemaHTTP
import KinemaServer
import KinemaWatch
import Testing

@Suite("Server-sent events")
struct EventFeedTests {
  private func publish(_ count: Int, to feed: EventFeed) throws -> [Announcement] {
    try (0..<count).map { index in
      let event = Announcement(WatchEvent(.personEnters, at: Double(index)), of: "Gym")
      feed.publish(event, json: try event.json)
      return event
    }
  }

  private func text(_ stream: ResponseStream) -> String {
    stream.take().map { String(decoding: $0, as: UTF8.self) } ?? "ended"
  }

  private func message(_ event: Announcement) throws -> String {
    "id: \(event.id.uuidString.lowercased())\nevent: personEnters\n"
      + "data: \(String(decoding: try event.json, as: UTF8.self))\n\n"
  }

  @Test("a client receives what happens from now on, as id, kind and JSON")
  func order() throws {
    let feed = EventFeed()
    _ = try publish(2, to: feed)
    let stream = try feed.stream(after: nil)
    #expect(text(stream) == "retry: 2000\n\n")
    let events = try publish(2, to: feed)
    #expect(try text(stream) == message(events[0]) + message(events[1]))
  }

  @Test("a client that returns receives what it missed")
  func missed() throws {
    let feed = EventFeed()
    let events = try publish(EventFeed.capacity + 3, to: feed)
    let last = try feed.stream(after: events[events.count - 2].id.uuidString.lowercased())
    #expect(try text(last) == "retry: 2000\n\n" + message(events[events.count - 1]))
    // The first event is not stored any more: all that are come.
    for id in [events[0].id.uuidString.lowercased(), "of another start"] {
      let count = text(try feed.stream(after: id)).split(separator: "data: ").count - 1
      #expect(count == EventFeed.capacity)
    }
  }

  @Test("places are limited, and those of clients that have left are free")
  func places() throws {
    let feed = EventFeed()
    var streams = try (0..<EventFeed.maximumClientCount).map { _ in try feed.stream(after: nil) }
    #expect(throws: ServerError.self) { try feed.stream(after: nil) }
    streams.removeLast()
    _ = try feed.stream(after: nil)
  }
}
