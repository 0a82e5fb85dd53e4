package import Foundation

/// How a webhook wants its events.
package enum WebhookForm: Hashable, Sendable {
  /// The event as it is.
  case kinema
  /// A message with title, priority and attachment (docs.ntfy.sh/publish).
  case ntfy
  /// `{"text": "…"}`, as Slack, Mattermost and Rocket.Chat take it (api.slack.com/messaging/webhooks).
  case slack
  /// JSON whose texts have `{source}`, `{event}`, `{sentence}` and other members of the event in braces.
  case template(Data)

  /// A request's body, and what its head says of it.
  package struct Message: Hashable, Sendable {
    package var body: Data
    package var headers: [String: String]
  }

  /// The events with which ntfy wakes somebody: priority 5 of 5, and 3 for others.
  private static let urgent: Set<String> = ["fall", "lying"]

  /// What goes with its events beside their text.
  var takesPictures: Bool {
    switch self {
    case .kinema, .ntfy: true
    case .slack: false
    case .template(let data): String(decoding: data, as: UTF8.self).contains("{picture}")
    }
  }

  var takesClips: Bool { self == .kinema || self == .ntfy }

  /// The message of an event or clip, which is JSON.
  package func message(for event: Data) -> Message {
    let json = ["Content-Type": "application/json"]
    // What Kinema has written is an object.
    let object = (try? JSONSerialization.jsonObject(with: event)) as? [String: Any] ?? [:]
    switch self {
    case .kinema: return Message(body: event, headers: json)
    case .slack: return Message(body: Self.json(["text": Self.title(object)]), headers: json)
    case .ntfy: return Self.ntfy(object)
    case .template(let data):
      // It was an object when it was read.
      let template = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      return Message(body: Self.json(Self.filled(template ?? event, with: object)), headers: json)
    }
  }

  private static func ntfy(_ event: [String: Any]) -> Message {
    let kind = event["event"] as? String ?? ""
    let source = event["source"] as? String ?? ""
    var headers = [
      "Title": encoded(source), "Priority": urgent.contains(kind) ? "5" : "3",
      "Tags": urgent.contains(kind) ? "rotating_light" : "video_camera",
    ]
    let text = EventSentence.text(of: event)
    for (member, name) in [("clip", "clip.mp4"), ("picture", "picture.jpg")] {
      guard let base64 = event[member] as? String, let data = Data(base64Encoded: base64) else {
        continue
      }
      // The text goes into the head where the body is a file.
      headers["Message"] = encoded(text)
      headers["Filename"] = name
      return Message(body: data, headers: headers)
    }
    headers["Content-Type"] = "text/plain; charset=utf-8"
    return Message(body: Data(text.utf8), headers: headers)
  }

  /// A text for the head of a request, where only ASCII is certain (RFC 2047, which ntfy reads).
  private static func encoded(_ text: String) -> String {
    text.allSatisfy { $0.isASCII && !$0.isNewline }
      ? text : "=?UTF-8?B?\(Data(text.utf8).base64EncodedString())?="
  }

  private static func title(_ event: [String: Any]) -> String {
    "\(event["source"] as? String ?? ""): \(EventSentence.text(of: event))"
  }

  private static func json(_ value: Any) -> Data {
    // It came from JSON, so that it can be written.
    (try? JSONSerialization.data(
      withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]))
      ?? Data()
  }

  /// A template with the members of an event in place of their names; one that the event lacks is empty.
  private static func filled(_ value: Any, with event: [String: Any]) -> Any {
    switch value {
    case let text as String: filled(text, with: event)
    case let list as [Any]: list.map { filled($0, with: event) }
    case let object as [String: Any]: object.mapValues { filled($0, with: event) }
    default: value
    }
  }

  private static func filled(_ text: String, with event: [String: Any]) -> String {
    text.replacing(/\{([a-zA-Z]+)\}/) { match in
      let name = String(match.output.1)
      if name == "sentence" { return EventSentence.text(of: event) }
      switch event[name] {
      case let text as String: return text
      case let number as NSNumber: return number.stringValue
      case let list as [String]: return list.joined(separator: ", ")
      default: return ""
      }
    }
  }
}

/// What an event says, in words, for people who get it as a message.
enum EventSentence {
  static func text(of event: [String: Any]) -> String {
    let what = sentence(event)
    let zones = event["zone"] == nil ? event["zones"] as? [String] ?? [] : []
    return zones.isEmpty ? what : "\(what) in \(zones.joined(separator: ", "))"
  }

  private static func sentence(_ event: [String: Any]) -> String {
    func text(_ name: String, _ other: String = "") -> String { event[name] as? String ?? other }
    func number(_ name: String) -> String { (event[name] as? NSNumber)?.stringValue ?? "?" }
    let time = "\(number("seconds")) s"
    switch WatchEvent.Kind(rawValue: text("event")) {
    case .actionBegins: return "\(text("action")) began"
    case .actionLasts: return "\(text("action")) for \(time)"
    case .actionEnds: return "\(text("action")) ended after \(time)"
    case .countReached: return "\(number("count")) repetitions of \(text("action"))"
    case .setFinished: return "Set finished: \(number("count")) × \(text("action"))"
    case .setRevised: return "\(text("from")) turned out to be \(text("action"))"
    case .personEnters: return "A person entered"
    case .personLeaves: return "A person left"
    case .nobody: return "Nobody in \(text("zone", "view")) for \(time)"
    case .postureBegins: return "A person is \(text("posture"))"
    case .postureLasts: return "A person has been \(text("posture")) for \(time)"
    case .postureEnds: return "A person was \(text("posture")) for \(time)"
    case .fall: return "A person fell"
    case .lying: return "A person has been lying for \(time)"
    case .entersZone: return "A person entered \(text("zone"))"
    case .leavesZone: return "A person left \(text("zone")) after \(time)"
    case .staysInZone: return "A person has been in \(text("zone")) for \(time)"
    case .crossesLine: return "A person crossed \(text("line")), \(text("direction"))ward"
    case .sourceStale, .sourceBack, .sourcePaused, .sourceResumed: return text("message")
    case nil:
      return text("event") == ClipAnnouncement.name
        ? "Clip of “\(text("cause"))”" : text("event")
    }
  }
}
