package import Foundation
package import KinemaVideo

/// What `kinema watch` watches, and where events go: a JSON file.
package struct WatchConfiguration: Hashable, Sendable {
  package struct Source: Hashable, Sendable {
    package var name: String
    package var address: String
    package var adjustment = PictureAdjustment()
    /// The file or the name of an action classifier; `nil` for the built-in one.
    package var model: String?
    /// What it may cost, and when it is watched.
    package var care = SourceCare()

    package init(name: String, address: String, adjustment: PictureAdjustment = .init()) {
      self.name = name
      self.address = address
      self.adjustment = adjustment
    }
  }

  package struct Broker: Hashable, Sendable {
    package var host: String
    package var port: Int
    package var username: String?
    package var password: String?
    package var usesTLS: Bool
    /// The certificate authorities of the broker, PEM; `nil` for those of the system.
    package var authorities: String?
    /// What all topics begin with.
    package var prefix: String
    /// Where Home Assistant looks for new devices; `nil` without.
    package var discovery: String?
    package var client: String?
  }

  package struct Webhook: Hashable, Sendable {
    package var address: URL
    package var form = WebhookForm.kinema
    /// What requests say beside, such as an authorisation.
    package var headers: [String: String] = [:]
    /// What events are signed with.
    package var secret: String?
    /// The certificate authorities of the receiver, PEM; `nil` for those of the system.
    package var authorities: String?
  }

  package var sources: [Source] = []
  /// The zones and the like of each source, by its name.
  package var areas: [String: SourceAreas] = [:]
  package var rules: [WatchRule] = []
  package var broker: Broker?
  /// The one called “webhook”, and others.
  package var webhooks: [WatchRule.Receiver: Webhook] = [:]

  /// How long and how much the log keeps; `nil` for the usual.
  package var log: EventLog.Limits?

  package init(sources: [Source] = []) { self.sources = sources }

  /// The rules of a source.
  func rules(of name: String) -> [WatchRule] {
    rules.filter { $0.source == nil || $0.source == name }
  }

  /// Reads a configuration; `name` is what messages call it.
  package init(_ data: Data, name: String) throws(WatchError) {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: data)
    } catch {
      let reason = (error as NSError).userInfo[NSDebugDescriptionErrorKey].map { " (\($0))" } ?? ""
      throw WatchError(.malformed, "\(name) is not valid JSON\(reason).")
    }
    let file = try CheckedObject(
      value, at: name, known: ["sources", "rules", "mqtt", "webhook", "webhooks", "log"])
    guard let list = try file.list("sources") else {
      throw file.error("sources", "a list of sources, and is missing")
    }
    guard !list.isEmpty else {
      throw WatchError(
        .malformed,
        "\(name): “sources” is empty; add {\"name\": \"Gym\", \"address\": \"rtsp://…\"}, or others."
      )
    }
    for (index, value) in list.enumerated() {
      let place = "\(name), sources[\(index)]"
      let (source, areas, rules) = try Self.source(value, at: place)
      guard !sources.contains(where: { $0.name == source.name }) else {
        throw WatchError(
          .malformed, "\(place): there are two sources “\(source.name)”; rename one.")
      }
      sources.append(source)
      self.areas[source.name] = areas
      self.rules += rules
    }
    for (index, value) in (try file.list("rules") ?? []).enumerated() {
      let rule = try WatchRule(value, at: "\(name), rules[\(index)]")
      if let source = rule.source, !sources.contains(where: { $0.name == source }) {
        throw WatchError(
          .malformed, "\(name), rules[\(index)]: there is no source “\(source)”.")
      }
      rules.append(rule)
    }
    broker = try file.value("mqtt").map { (value) throws(WatchError) in
      try Self.broker(value, at: "\(name), mqtt")
    }
    try readWebhooks(file)
    log = try file.value("log").map { (value) throws(WatchError) in
      try EventLog.Limits(value, at: "\(name), log")
    }
    try checkPlaces()
    try checkTopics(name)
    try checkForms()
    for receiver in Set(rules.flatMap(\.receivers)).sorted(by: { $0.name < $1.name }) {
      guard receiver != .log, receiver == .mqtt ? broker == nil : webhooks[receiver] == nil
      else { continue }
      let addition =
        switch receiver {
        case .mqtt: "\"mqtt\": {\"host\": \"…\"}"
        case .webhook: "\"webhook\": {\"url\": \"https://…\"}"
        default: "\"webhooks\": {\"\(receiver.name)\": {\"url\": \"https://…\"}}"
        }
      throw WatchError(.malformed, "\(name): rules name “\(receiver.name)”; add \(addition).")
    }
  }

  private mutating func readWebhooks(_ file: CheckedObject) throws(WatchError) {
    if let value = file.value("webhook") {
      webhooks[.webhook] = try Webhook(value, at: "\(file.place), webhook")
    }
    guard let value = file.value("webhooks") else { return }
    let place = "\(file.place), webhooks"
    let expected = "an object of names and webhooks, such as {\"nurse\": {\"url\": \"https://…\"}}"
    guard let members = value as? [String: Any] else { throw file.error("webhooks", expected) }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard (1...64).contains(name.count), !["mqtt", "webhook", "log"].contains(name),
        name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
      else {
        throw WatchError(
          .malformed,
          "\(place): “\(name)” is no name of a webhook: up to 64 of a-z, A-Z, 0-9, - and _, not “mqtt”, "
            + "“webhook” and “log”.")
      }
      webhooks[.init(name)] = try Webhook(value, at: "\(place), \(name)")
    }
  }

  // MARK: - Parsing

  private static func source(
    _ value: Any, at place: String
  ) throws(WatchError) -> (Source, SourceAreas, [WatchRule]) {
    let object = try CheckedObject(
      value, at: place,
      known: ["name", "address", "rotate", "mirror", "stabilize", "model", "rules"]
        + SourceAreas.members + SourceCare.names)
    let name = try object.name()
    let degrees = try object.integer("rotate", within: 0...270) ?? 0
    guard degrees.isMultiple(of: 90) else {
      throw object.error("rotate", "0, 90, 180 or 270 degrees")
    }
    var source = Source(name: name, address: try object.required("address"))
    try source.checkAddress(at: place)
    source.adjustment = PictureAdjustment(
      clockwiseDegrees: degrees, isMirrored: try object.flag("mirror") ?? false,
      isStabilized: try object.flag("stabilize") ?? false)
    let areas = try SourceAreas(object)
    source.adjustment.masks = areas.masks
    source.model = try object.text("model")
    source.care = try SourceCare(object)
    var rules: [WatchRule] = []
    for (index, value) in (try object.list("rules") ?? []).enumerated() {
      var members = value as? [String: Any]
      if members?["source"] == nil { members?["source"] = name }
      rules.append(try WatchRule(members ?? value, at: "\(place), rules[\(index)]"))
    }
    return (source, areas, rules)
  }

  private static func broker(_ value: Any, at place: String) throws(WatchError) -> Broker {
    let object = try CheckedObject(
      value, at: place,
      known: [
        "host", "port", "username", "password", "tls", "ca", "prefix", "discovery", "client",
      ])
    let authorities = try object.authorities("ca")
    let usesTLS = try object.flag("tls") ?? (authorities != nil)
    let prefix = try object.text("prefix") ?? "kinema"
    let discovery =
      try object.names.contains("discovery") && object.value("discovery") == nil
      ? nil : object.text("discovery") ?? "homeassistant"
    for (name, topic) in [("prefix", prefix), ("discovery", discovery ?? "")] {
      guard !topic.contains(where: { "+#\0".contains($0) }), !topic.hasSuffix("/") else {
        throw object.error(name, "a topic without + and #, such as home/kinema")
      }
    }
    return Broker(
      host: try object.required("host"),
      port: try object.integer("port", within: 1...65535) ?? (usesTLS ? 8883 : 1883),
      username: try object.text("username"), password: try object.text("password"),
      usesTLS: usesTLS, authorities: authorities, prefix: prefix, discovery: discovery,
      client: try object.text("client"))
  }
}
