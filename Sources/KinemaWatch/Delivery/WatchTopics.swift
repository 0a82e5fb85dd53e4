import Foundation
import KinemaFiles

/// The topics of a source, and what Home Assistant reads to know its entities (MQTT discovery).
struct WatchTopics {
  private let prefix: String
  private let source: String

  init(prefix: String, source: String) { (self.prefix, self.source) = (prefix, source) }

  var events: String { "\(prefix)/\(Self.word(of: source))/events" }
  var clips: String { "\(prefix)/\(Self.word(of: source))/clips" }
  var state: String { "\(prefix)/\(Self.word(of: source))/state" }

  /// A name as a level of a topic: lower case, with - for all but ASCII letters and digits.
  static func word(of name: String) -> String {
    String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }

  /// The retained messages that make the source a device with entities, by topic.
  func discovery(at discovery: String, status: String) throws -> [String: String] {
    let id = "\(Self.word(of: prefix))-\(Self.word(of: source))"
    let device: JSONObject = [
      "identifiers": [id], "name": "Kinema \(source)", "manufacturer": "Kinema",
    ]
    func isOn(_ condition: String) -> String { "{{ 'ON' if \(condition) else 'OFF' }}" }
    let entities: [(kind: String, name: String, deviceClass: String?, template: String)] = [
      ("binary_sensor", "Person", "occupancy", isOn("value_json.persons > 0")),
      ("binary_sensor", "Lying", nil, isOn("value_json.lying")),
      ("binary_sensor", "Source", "connectivity", isOn("value_json.source == 'live'")),
      ("sensor", "Action", nil, "{{ value_json.action or 'none' }}"),
      ("sensor", "Count", nil, "{{ value_json.count }}"),
      (
        "event", "Event", nil,
        "{{ dict(value_json, event_type=value_json.event) | to_json }}"
      ),
    ]
    var messages: [String: String] = [:]
    for entity in entities {
      let word = Self.word(of: entity.name)
      let isEvent = entity.kind == "event"
      let object: JSONObject = [
        "name": entity.name, "unique_id": "\(id)-\(word)", "device": device,
        "availability_topic": status, "device_class": entity.deviceClass,
        "state_topic": isEvent ? events : state, "value_template": entity.template,
        "event_types": isEvent ? WatchEvent.Kind.allCases.map(\.rawValue) : nil,
      ]
      messages["\(discovery)/\(entity.kind)/\(id)/\(word)/config"] = String(
        decoding: try object.jsonText(isPretty: false).dropLast(), as: UTF8.self)
    }
    return messages
  }
}
