import KinemaFiles

/// What Home Assistant reads to know a source as a device with entities and triggers (MQTT discovery,
/// home-assistant.io/integrations/mqtt).
package struct HomeAssistantDevice {
  package let topics: WatchTopics
  /// The topic on which Kinema itself is online or offline.
  package let status: String
  /// The names of the source's zones.
  package let zones: [String]
  package let version: String?

  package init(topics: WatchTopics, status: String, zones: [String], version: String?) {
    (self.topics, self.status, self.zones, self.version) = (topics, status, zones, version)
  }

  private struct Entity {
    let kind: String
    let name: String
    var members: JSONObject = [:]
    /// Whether it is available though the source sends no pictures.
    var isAlways = false
  }

  /// The events that are triggers of the device, for automations without a template.
  private static let triggers: [WatchEvent.Kind] = [
    .fall, .lying, .personEnters, .personLeaves, .nobody, .crossesLine, .sourceStale, .sourceBack,
    .sourcePaused, .sourceResumed,
  ]
  private static let isLive = "{{ 'online' if value_json.source == 'live' else 'offline' }}"
  /// An event with its type, and without its picture: Home Assistant records at most 16 kB of attributes.
  private static let event =
    "{{ dict(value_json.items() | rejectattr('0', 'eq', 'picture'), event_type=value_json.event) "
    + "| to_json }}"

  private var id: String {
    "\(WatchTopics.word(of: topics.prefix))-\(WatchTopics.word(of: topics.source))"
  }

  private var device: JSONObject {
    [
      "identifiers": [id], "name": "Kinema \(topics.source)", "manufacturer": "Kinema",
      "sw_version": version,
    ]
  }

  private var origin: JSONObject { ["name": "Kinema", "sw_version": version] }

  /// The retained messages, by topic.
  ///
  /// - Parameter discovery: The topic where Home Assistant waits for them.
  package func messages(at discovery: String) throws -> [String: String] {
    var messages: [String: String] = [:]
    for entity in entities {
      let word = WatchTopics.word(of: entity.name)
      var availability: [JSONObject] = [["topic": status]]
      if !entity.isAlways {
        availability.append(["topic": topics.state, "value_template": Self.isLive])
      }
      let common: JSONObject = [
        "name": entity.name, "unique_id": "\(id)-\(word)", "device": device, "origin": origin,
        "availability": availability, "availability_mode": "all",
      ]
      messages["\(discovery)/\(entity.kind)/\(id)/\(word)/config"] = try text(
        common.merging(entity.members))
    }
    for kind in Self.triggers {
      let object: JSONObject = [
        "automation_type": "trigger", "type": kind.rawValue, "subtype": topics.source,
        "topic": topics.events, "value_template": "{{ value_json.event }}",
        "payload": kind.rawValue, "device": device, "origin": origin,
      ]
      messages["\(discovery)/device_automation/\(id)/\(kind.rawValue)/config"] = try text(object)
    }
    return messages
  }

  private func text(_ object: JSONObject) throws -> String {
    String(decoding: try object.jsonText(isPretty: false).dropLast(), as: UTF8.self)
  }

  // MARK: - Entities

  private var entities: [Entity] {
    [
      binary("Person", "occupancy", "value_json.persons > 0"),
      binary("Lying", nil, "value_json.lying"), binary("Fallen", "safety", "value_json.fallen"),
      Entity(
        kind: "binary_sensor", name: "Source",
        members: members(of: "connectivity", isOn("value_json.source == 'live'")), isAlways: true),
      Entity(
        kind: "sensor", name: "People",
        members: count("value_json.persons", icon: "account-group")),
      Entity(
        kind: "sensor", name: "Posture",
        members: options(
          WatchPosture.allCases.map(\.rawValue), "{{ value_json.get('posture') or 'none' }}")),
      Entity(
        kind: "sensor", name: "Action",
        members: [
          "state_topic": topics.state, "value_template": "{{ value_json.get('action') or 'none' }}",
        ]),
      Entity(kind: "sensor", name: "Count", members: count("value_json.count", icon: "counter")),
      Entity(
        kind: "sensor", name: "Last event",
        members: options(
          WatchEvent.Kind.allCases.map(\.rawValue), "{{ value_json.get('lastEvent') or 'none' }}")),
      Entity(
        kind: "sensor", name: "Last event time",
        members: members(of: "timestamp", "{{ value_json.get('lastEventTime') }}")),
      Entity(
        kind: "event", name: "Event",
        members: [
          "state_topic": topics.events, "value_template": Self.event,
          "event_types": WatchEvent.Kind.allCases.map(\.rawValue),
        ]),
      Entity(
        kind: "image", name: "Picture",
        members: [
          "image_topic": topics.picture, "image_encoding": "b64", "content_type": "image/jpeg",
        ]),
    ] + zones.sorted().flatMap(entities(of:))
  }

  private func entities(of zone: String) -> [Entity] {
    // Names of zones are letters, digits, spaces, - and _.
    let people = "value_json.zones.get('\(zone)', 0)"
    return [
      binary("Zone \(zone)", "occupancy", "\(people) > 0"),
      Entity(
        kind: "sensor", name: "People in \(zone)", members: count(people, icon: "account-group")),
    ]
  }

  private func binary(_ name: String, _ deviceClass: String?, _ condition: String) -> Entity {
    Entity(
      kind: "binary_sensor", name: name, members: members(of: deviceClass, isOn(condition)))
  }

  private func isOn(_ condition: String) -> String { "{{ 'ON' if \(condition) else 'OFF' }}" }

  private func members(of deviceClass: String?, _ template: String) -> JSONObject {
    ["device_class": deviceClass, "state_topic": topics.state, "value_template": template]
  }

  private func count(_ value: String, icon: String) -> JSONObject {
    [
      "state_class": "measurement", "icon": "mdi:\(icon)", "state_topic": topics.state,
      "value_template": "{{ \(value) }}",
    ]
  }

  private func options(_ options: [String], _ template: String) -> JSONObject {
    [
      "device_class": "enum", "options": options + ["none"], "state_topic": topics.state,
      "value_template": template,
    ]
  }
}
