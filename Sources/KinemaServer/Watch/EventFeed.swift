package import Foundation
package import KinemaHTTP
package import KinemaWatch
import Synchronization

/// The events of named sources as server-sent events: the newest ones, and the clients that receive
/// them as they happen.
package final class EventFeed: Sendable {
  private struct Client {
    /// Gone with its connection.
    weak var stream: ResponseStream?
  }

  private struct State {
    var recent: [(id: String, message: Data)] = []
    var clients: [Client] = []
  }

  /// How many events are stored for clients that reconnect.
  package static let capacity = 256
  /// How many clients there may be; each has a connection.
  package static let maximumClientCount = 64
  /// How long a browser waits before it reconnects, in milliseconds.
  private static let reconnectTime = 2000

  private let state = Mutex(State())

  package init() {}

  /// Sends an event to all clients.
  ///
  /// - Parameter json: The event as one line.
  package func publish(_ event: Announcement, json: Data) {
    let id = event.id.uuidString.lowercased()
    let message =
      Data("id: \(id)\nevent: \(event.event.kind.rawValue)\ndata: ".utf8) + json + Data("\n\n".utf8)
    // In the lock, so that all clients have the order of what is stored.
    state.withLock { state in
      state.recent.append((id, message))
      if state.recent.count > Self.capacity { state.recent.removeFirst() }
      state.clients.removeAll { $0.stream == nil }
      for client in state.clients { client.stream?.send(message) }
    }
  }

  /// A new client's stream.
  ///
  /// - Parameter id: The last event that the client has: the later ones come first, all stored ones
  ///   where it is not among them.
  /// - Throws: ``ServerError`` where there are too many clients.
  package func stream(after id: String?) throws(ServerError) -> ResponseStream {
    let stream = ResponseStream(pulse: Data(":\n\n".utf8))
    stream.send(Data("retry: \(Self.reconnectTime)\n\n".utf8))
    let isAdmitted = state.withLock { state in
      state.clients.removeAll { $0.stream == nil }
      guard state.clients.count < Self.maximumClientCount else { return false }
      if let id {
        let known = state.recent.firstIndex { $0.id == id }
        for (_, message) in state.recent[(known.map { $0 + 1 } ?? 0)...] { stream.send(message) }
      }
      state.clients.append(Client(stream: stream))
      return true
    }
    guard isAdmitted else {
      throw ServerError(.busy, MessageText("tooManyListeners", ["limit": Self.maximumClientCount]))
    }
    return stream
  }
}
