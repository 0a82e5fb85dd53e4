import Foundation
import KinemaAction
import KinemaHTTP
import KinemaModelFiles
import KinemaPose
import KinemaServer
import KinemaSynth
import KinemaTestSupport
import KinemaVideo
import KinemaWatch
import Testing

/// A live server with named sources, over HTTP.
@Suite("Named sources of a live server", .serialized)
struct NamedSourcesRealTimeTests {
  private struct State: Decodable {
    struct Person: Decodable {
      var id, count: Int
      var action: String?
      var lying: Bool
    }

    struct Event: Decodable {
      var id, source, event, time: String
    }

    struct Source: Decodable {
      var name, state: String
      var address, message, frameTime, action, activity: String?
      var framesPerSecond: Double?
      var count: Int
      var lying: Bool
      var persons: [Person]
      var lastEvent: Event?
    }

    var schema, sessions, waitingEvents: Int
    var version, time: String
    var sources: [Source]
  }

  private static let token = "a-token-of-the-tests"
  private static let access = ["Authorization": "Bearer \(token)"]

  private static func get(
    _ url: URL, _ path: String, headers: [String: String] = access
  ) throws -> TestResponse {
    try #require(try fetch(url, "GET", "/api/v1/\(path)", headers: headers))
  }

  private static func state(_ url: URL) throws -> State {
    try JSONDecoder().decode(State.self, from: get(url, "state").body)
  }

  /// Waits until the server's state is as expected.
  private static func wait(
    _ url: URL, for what: String, _ condition: (State) -> Bool
  ) throws -> State {
    for _ in 0..<1200 {
      let state = try state(url)
      if condition(state) { return state }
      usleep(50_000)
    }
    throw TestConnection.Failure(description: "waited a minute for \(what)")
  }

  /// Serves the sources of a file while `body` runs.
  ///
  /// - Parameters:
  ///   - schedule: When each of them is watched.
  ///   - search: Finds cameras.
  private static func serve(
    _ sources: [(name: String, address: String)], schedule: [String: String]? = nil,
    search: CameraRoutes.Search? = nil,
    _ body: @escaping @Sendable (_ url: URL, _ file: URL) throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url("watch.json")
    let list = sources.map { source -> [String: Any] in
      let members: [String: Any] = ["name": source.name, "address": source.address]
      return members.merging(schedule.map { ["schedule": [$0]] } ?? [:]) { $1 }
    }
    try JSONSerialization.data(withJSONObject: ["sources": list]).write(to: file)
    var options = LiveServer.Options()
    options.web.port = 0
    options.web.token = token
    options.web.limits.pingInterval = 0.5
    options.data = folder.url("data")
    options.version = "1.2.3"
    options.watch = LiveServer.Watch(
      file: try WatchFile(file),
      classifier: { _ in try ActionClassifier(contentsOf: BuiltInModel.exercise.url) },
      report: { _ in })
    if let search { options.watch?.search = search }
    let server = try await LiveServer(options)
    let running = Task { try await server.run() }
    let url = server.addressToOpen
    do {
      try await onThread { try body(url, file) }
    } catch {
      running.cancel()
      try await running.value
      throw error
    }
    running.cancel()
    try await running.value
  }

  @Test("state and events report what happens, also to clients that return")
  func events() async throws {
    let folder = try TemporaryFolder()
    try FallTrial(.fall, seed: 5).poses.write(to: folder.url("fall.npz"))
    let secret = "rtsp://user:secret@127.0.0.1:1/secret?secret=1"
    try await Self.serve([("Hall", folder.path("fall.npz")), ("Gate", secret)]) { url, file in
      let state = try Self.wait(url, for: "the end of the file, and the refused stream") {
        $0.sources.first?.state == "ended" && $0.sources.last?.state == "stale"
      }
      #expect(state.schema == 1 && state.version == "1.2.3" && state.sessions == 0)
      #expect(state.waitingEvents == 0)
      #expect(state.sources.map(\.name) == ["Hall", "Gate"])
      #expect(state.sources.map(\.address) == ["fall.npz", "rtsp://127.0.0.1:1"])
      #expect(state.sources[0].frameTime != nil && state.sources[1].frameTime == nil)
      #expect(state.sources[1].message?.isEmpty == false)
      let text = try Self.get(url, "state").text
      #expect(!text.contains("secret"))

      let events = try Self.received(url, after: "none", source: "Hall")
      #expect(events.first?.kind == "personEnters" && events.contains { $0.kind == "fall" })
      #expect(events.last?.id == state.sources[0].lastEvent?.id)
      #expect(events.allSatisfy { $0.data.source == "Hall" && $0.data.event == $0.kind })
      let fall = try #require(events.firstIndex { $0.kind == "fall" })
      let later = try Self.received(url, after: events[fall].id, source: "Hall")
      #expect(later.map(\.id) == events[(fall + 1)...].map(\.id))

      for path in ["state", "events", "sources/Hall/picture"] {
        #expect(try Self.get(url, path, headers: [:]).status == 401)
      }
      for path in ["sources/Hall/picture", "sources/Nobody/picture", "sources/Hall"] {
        #expect(try Self.get(url, path).status == 404)
      }
      let poses = folder.path("fall.npz")
      try Data(#"{"sources": [{"name": "New", "address": "\#(poses)"}]}"#.utf8)
        .write(to: file, options: .atomic)
      _ = try Self.wait(url, for: "the changed file") { $0.sources.map(\.name) == ["New"] }
    }
  }

  @Test(
    "a video is watched as a camera is, with pictures",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func pictures() async throws {
    let clip = SharedData.url("clips/aero_jacks.mp4").path
    try await Self.serve([("Gym 2", clip)]) { url, _ in
      let state = try Self.wait(url, for: "a person") {
        $0.sources[0].state == "live" && !$0.sources[0].persons.isEmpty
      }
      #expect(state.sources[0].address == "aero_jacks.mp4")
      #expect(state.sources[0].lastEvent?.source == "Gym 2")
      let answer = try Self.get(url, "sources/Gym%202/picture")
      #expect(answer.headers["content-type"] == "image/jpeg")
      #expect(answer.headers["cache-control"] == "no-store")
      let picture = try Frame(jpeg: answer.body)
      #expect(max(picture.width, picture.height) <= 640)
      _ = try Self.wait(url, for: "newer frames") {
        $0.sources[0].frameTime != state.sources[0].frameTime
      }
    }
  }

  @Test("a source outside of its schedule is paused: in its state, its metrics and its events")
  func paused() async throws {
    // An hour that begins in six.
    let hour = Calendar.current.component(.hour, from: Date())
    func clock(_ hours: Int) -> String {
      let hour = (hour + hours) % 24
      return "\(hour < 10 ? "0" : "")\(hour):00"
    }
    try await Self.serve(
      [("Hall", "pattern:testsrc2")], schedule: ["from": clock(6), "to": clock(7)]
    ) { url, file in
      let state = try Self.wait(url, for: "the pause") {
        $0.sources[0].state == "paused" && $0.sources[0].lastEvent != nil
      }
      #expect(state.sources[0].activity == "paused" && state.sources[0].framesPerSecond == 0)
      #expect(state.sources[0].lastEvent?.event == "sourcePaused")
      let metrics = try #require(try fetch(url, "GET", "/metrics", headers: Self.access)).text
      #expect(metrics.contains(#"kinema_source_state{source="Hall",state="paused"} 1"#))
      #expect(metrics.contains(#"kinema_source_state{source="Hall",state="looking"} 0"#))
      try Data(#"{"sources": [{"name": "Hall", "address": "pattern:testsrc2"}]}"#.utf8)
        .write(to: file, options: .atomic)
      let live = try Self.wait(url, for: "pictures") { $0.sources[0].state == "live" }
      #expect(live.sources[0].activity != "paused")
    }
  }

  // MARK: - Cameras

  private struct Cameras: Decodable {
    struct Stream: Decodable { var name, address, size: String }

    struct Camera: Decodable {
      var name, host: String
      var message: String?
      var streams: [Stream]
    }

    var cameras: [Camera]
  }

  private static func post(
    _ url: URL, _ path: String, _ body: [String: String], headers: [String: String] = access
  ) throws -> TestResponse {
    try #require(
      try fetch(
        url, "POST", "/api/v1/\(path)", headers: headers, body: JSONEncoder().encode(body)))
  }

  @Test(
    "cameras are found for who may change the sources, and one that is added is watched",
    .enabled(if: OnvifDevice.isAvailable, "python3 is not installed"))
  func cameras() async throws {
    let device = try OnvifDevice(password: "secret")
    let search: CameraRoutes.Search = { login in
      try await CameraSearch.cameras(
        login: login, seconds: 2, address: "127.0.0.1", port: device.port)
    }
    try await Self.serve([("Hall", "pattern:testsrc2")], search: search) { url, file in
      #expect(try Self.post(url, "cameras", [:], headers: [:]).status == 401)
      #expect(try Self.post(url, "sources", [:], headers: [:]).status == 401)
      let foreign = Self.access.merging(["Origin": "http://elsewhere.example"]) { $1 }
      #expect(try Self.post(url, "cameras", [:], headers: foreign).status == 403)

      func cameras(_ login: [String: String]) throws -> [Cameras.Camera] {
        let answer = try Self.post(url, "cameras", login)
        #expect(answer.status == 200)
        return try JSONDecoder().decode(Cameras.self, from: answer.body).cameras
      }
      let closed = try cameras([:])
      #expect(closed.count == 1 && closed[0].streams.isEmpty)
      #expect(closed[0].message?.contains("asks for a login") == true)
      let login = ["user": "viewer", "password": "secret"]
      let found = try cameras(login)
      #expect(found.first?.name == "Hall camera" && found.first?.message == nil)
      let stream = try #require(found.first?.streams.first)
      #expect(stream.name == "Main" && stream.size == "1920 × 1080")

      func add(_ name: String, _ address: String) throws -> TestResponse {
        try Self.post(url, "sources", login.merging(["name": name, "address": address]) { $1 })
      }
      for (name, address, fault) in [
        ("Hall", stream.address, "two sources “Hall”"),
        ("Files", "/etc/passwd", "no address of a stream over RTSP"),
      ] {
        let refused = try add(name, address)
        #expect(refused.status == 400 && refused.text.contains(fault))
      }
      #expect(try Self.post(url, "sources", ["name": "x"]).status == 400)
      #expect(try add("Hall camera Main", stream.address).status == 201)
      let state = try Self.wait(url, for: "the new source") { $0.sources.count == 2 }
      #expect(state.sources[1].name == "Hall camera Main")
      // Of the login, nothing leaves.
      #expect(state.sources[1].address == "rtsp://127.0.0.1:554")
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.contains("rtsp://viewer:secret@127.0.0.1:554/main?a=1&b=2"))
    }
  }

  // MARK: - Server-sent events

  private struct Message {
    var id, kind: String
    var data: State.Event
  }

  /// The stored events of a source after one; a pulse, or another source's event, ends them.
  private static func received(
    _ url: URL, after id: String, source: String
  ) throws -> [Message] {
    let connection = try TestConnection(url)
    let head = try #require(
      connection.request(
        "GET", "/api/v1/events",
        headers: access.merging(["Last-Event-ID": id]) { $1 }))
    #expect(head.status == 200)
    #expect(head.headers["content-type"] == "text/event-stream")
    #expect(connection.receiveLine() == "retry: 2000" && connection.receiveLine() == "")
    var messages: [Message] = []
    while let line = connection.receiveLine(), line != ":" {
      guard line.hasPrefix("id: ") else { continue }
      let kind = try #require(connection.receiveLine())
      let data = try #require(connection.receiveLine())
      #expect(kind.hasPrefix("event: ") && data.hasPrefix("data: "))
      let event = try JSONDecoder().decode(State.Event.self, from: Data(data.dropFirst(6).utf8))
      guard event.source == source else { continue }
      messages.append(
        Message(
          id: String(line.dropFirst(4)), kind: String(kind.dropFirst(7)), data: event))
    }
    return messages
  }
}
