import Foundation
import KinemaHTTP
import KinemaServer
import Testing

/// A client of the live service, connected in memory.
final class LiveClient {
  struct Ended: Error {}

  let socket = MemorySocket()
  private let serving: Task<Void, Never>
  /// The messages that came while something else was waited for, by type.
  private(set) var passed: [[String: Any]] = []
  private var sequence: UInt32 = 0

  init(_ service: LiveService) {
    let socket = socket
    serving = Task { await service.serve(socket, request: HTTPRequest(path: "/api/v1/live")) }
  }

  /// Begins and gives the server's `ready`.
  static func started(
    on service: LiveService, settings: String = "{}", source: String = #"{"kind":"browser"}"#,
    resume: String? = nil
  ) async throws -> (client: LiveClient, ready: [String: Any]) {
    let client = LiveClient(service)
    let key = resume.map { #","resume":"\#($0)""# } ?? ""
    client.say(#"{"type":"start","source":\#(source),"settings":\#(settings)\#(key)}"#)
    return (client, try await client.next("ready"))
  }

  func say(_ text: String) {
    socket.receive(.text(text))
  }

  /// The next message of a type; others are passed over.
  func next(_ type: String) async throws -> [String: Any] {
    for await message in socket.sent {
      guard case .text(let text) = message else { continue }
      let fields = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      if fields["type"] as? String == type { return fields }
      passed.append(fields)
    }
    throw Ended()
  }

  /// Sends a picture without waiting.
  @discardableResult
  func send(_ jpeg: Data, at time: TimeInterval) -> UInt32 {
    sequence += 1
    socket.receive(.binary(PictureMessage(sequence: sequence, time: time * 1000, jpeg: jpeg).data))
    return sequence
  }

  /// Sends a picture and waits for what was found.
  func show(_ jpeg: Data, at time: TimeInterval) async throws -> [String: Any] {
    let number = send(jpeg, at: time)
    while true {
      let frame = try await next("frame")
      if frame["sequence"] as? UInt32 == number { return frame }
    }
  }

  /// Shows a clip, as fast as it is answered, and gives all answers.
  func show(_ clip: ClipPictures, from start: TimeInterval = 0) async throws -> [[String: Any]] {
    var frames: [[String: Any]] = []
    for picture in clip.pictures {
      frames.append(try await show(picture.jpeg, at: start + picture.time))
    }
    return frames
  }

  /// Breaks the connection, or closes it with a code, and waits until the server has noticed.
  func hangUp(code: UInt16? = nil) async {
    socket.hangUp(code: code)
    await serving.value
  }

  /// Waits until the server has closed, and gives its code.
  func closed() async -> UInt16? {
    await serving.value
    return socket.closeCode
  }
}

extension [String: Any] {
  /// What the frame's prominent person does.
  var action: [String: Any]? { self["action"] as? [String: Any] }
  var status: String? { action?["status"] as? String }
  var label: String? { action?["label"] as? String }
  var persons: [[String: Any]] { self["persons"] as? [[String: Any]] ?? [] }
  /// The count of the action under way.
  var repetitions: Int? { self["count"] as? Int }
}
