import Foundation
import KinemaFiles
import KinemaTestSupport
import KinemaWatch
import Testing

/// What Home Assistant reads, by its own schemas.
///
/// They come with its package, in the Python that `KINEMA_HOMEASSISTANT_PYTHON` names.
struct HomeAssistantTests {
  private static let python = ProcessInfo.processInfo.environment["KINEMA_HOMEASSISTANT_PYTHON"]
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  private static func messages() throws -> [String: String] {
    let device = HomeAssistantDevice(
      topics: WatchTopics(prefix: "kinema", source: "Living room"), status: "kinema/status",
      zones: ["Bed", "Küche 2"], version: "1.2")
    return try device.messages(at: "homeassistant")
  }

  @Test("each entity but the source's own is unavailable while the source sends no pictures")
  func availability() throws {
    let messages = try Self.messages()
    #expect(messages.count > 20)
    for (topic, text) in messages where !topic.contains("device_automation") {
      let isOfSource = text.contains("value_json.source == 'live'")
      #expect(isOfSource && text.contains(#""topic":"kinema/status""#), "\(topic)")
    }
    #expect(messages["homeassistant/image/kinema-living-room/picture/config"] != nil)
    let trigger = try #require(
      messages["homeassistant/device_automation/kinema-living-room/fall/config"])
    #expect(trigger.contains(#""automation_type":"trigger""#))
  }

  @Test(
    "Home Assistant's own schemas take all messages and the blueprint, and its templates read states",
    .enabled(
      if: python != nil,
      "KINEMA_HOMEASSISTANT_PYTHON names no Python with the package homeassistant"))
  func schemas() throws {
    let folder = try TemporaryFolder()
    var state = SourceState()
    state.source = .live
    (state.persons, state.posture, state.lying, state.fallen) = (1, .fallen, true, true)
    state.zones = ["Bed": 1, "Küche 2": 0]
    var fall = Announcement(WatchEvent(.fall, at: 1, person: 1), of: "Living room")
    (state.lastEvent, state.lastEventTime) = ("fall", fall.time)
    fall.picture = Data(repeating: 7, count: 40_000)
    func json(_ data: Data) throws -> Any { try JSONSerialization.jsonObject(with: data) }
    let blueprint = Self.folder.appending(
      path: "../../examples/home-assistant/kinema_fall.yaml"
    ).standardizedFileURL
    let given: [String: Any] = [
      "messages": try Self.messages().mapValues { try json(Data($0.utf8)) },
      "state": try json(state.jsonText()), "event": try json(fall.json),
      "blueprints": [blueprint.path],
    ]
    try JSONSerialization.data(withJSONObject: given).write(to: folder.url("given.json"))
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.python))
    process.arguments = [
      Self.folder.appending(path: "../HomeAssistant/check.py").standardizedFileURL.path,
      folder.path("given.json"),
    ]
    for name in ["output", "errors"] { try Data().write(to: folder.url(name)) }
    process.standardOutput = try FileHandle(forWritingTo: folder.url("output"))
    process.standardError = try FileHandle(forWritingTo: folder.url("errors"))
    try process.run()
    process.waitForEnd()
    let errors = try String(contentsOf: folder.url("errors"), encoding: .utf8)
    #expect(process.terminationStatus == 0, "\(errors)")
    let values = try JSONDecoder().decode(
      [String: String].self, from: Data(contentsOf: folder.url("output")))
    for (name, value) in [
      ("person", "ON"), ("person available", "online"), ("fallen", "ON"), ("posture", "fallen"),
      ("people", "1"), ("zone-bed", "ON"), ("zone-k-che-2", "OFF"), ("people-in-bed", "1"),
      ("last-event", "fall"), ("last-event-time", fall.time), ("source", "ON"),
    ] { #expect(values["kinema-living-room-\(name)"] == value, "\(name)") }
  }
}
