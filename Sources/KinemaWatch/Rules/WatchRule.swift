package import Foundation

/// Which events go where.
///
/// ```json
/// {"when": {"posture": "lying", "zone": "Hall", "for": 10}, "then": ["mqtt", "webhook"]}
/// ```
package struct WatchRule: Hashable, Sendable {
  /// Where events go beside standard output.
  package struct Receiver: Hashable, Sendable {
    /// `mqtt`, `webhook`, `log`, or the name of another webhook.
    package let name: String

    package init(_ name: String) { self.name = name }

    package static let mqtt = Receiver("mqtt")
    package static let webhook = Receiver("webhook")
    /// The events that are kept on this computer.
    package static let log = Receiver("log")
  }

  package let kind: WatchEvent.Kind
  /// The label of the action; `nil` for any.
  package let action: String?
  /// The posture; `nil` for any.
  package let posture: WatchPosture?
  /// The zone in which it happens, and the one outside of which; `nil` for anywhere.
  package let zone: String?
  package let outside: String?
  /// The line that is crossed, and whether inward; `nil` for any.
  package let line: String?
  package let isInward: Bool?
  /// How long it lasts, in seconds.
  package let seconds: TimeInterval?
  /// The number of repetitions.
  package let count: Int?
  /// The name of the source; `nil` for all.
  package let source: String?
  package let receivers: Set<Receiver>
  /// Whether a still picture goes with the event.
  package let hasPicture: Bool
  /// How long the clip that follows the event is, in seconds; `nil` for none.
  package let clipLength: TimeInterval?
  /// Where the rule is, for messages.
  package let place: String

  /// Lying is a posture that is recognised with every model.
  private static let lying = "lying"
  private static let longest = 7 * 86_400.0

  /// - Parameter place: Where the rule is, for messages.
  init(_ value: Any, at place: String) throws(WatchError) {
    let rule = try CheckedObject(
      value, at: place, known: ["when", "then", "source", "picture", "clip"])
    guard let condition = rule.value("when") else {
      throw rule.error("when", "a condition such as {\"event\": \"fall\"}, and is missing")
    }
    let when = try CheckedObject(
      condition, at: "\(place), when",
      known: [
        "event", "action", "posture", "zone", "outside", "line", "direction", "for", "count",
      ])
    self.place = place
    action = try when.text("action")
    posture = try Self.posture(when)
    (zone, outside, line) = (
      try when.text("zone"), try when.text("outside"), try when.text("line")
    )
    isInward = try Self.direction(when)
    seconds = try when.number("for", within: 0.1...Self.longest)
    count = try when.integer("count", within: 1...1_000_000)
    source = try rule.text("source")
    hasPicture = try rule.flag("picture") ?? false
    clipLength = try rule.number("clip", within: 1...ClipRecorder.longest)
    kind = try Self.kind(when, action: action, seconds: seconds)
    receivers = try Self.receivers(rule)
    try check(when)
    guard clipLength == nil || !kind.isOfSource else {
      throw WatchError(
        .malformed, "\(place): “clip” does not go with the event “\(kind.rawValue)”.")
    }
    guard clipLength == nil || receivers.contains(where: { $0 != .log }) else {
      throw WatchError(
        .malformed,
        "\(place): “clip” needs a receiver in “then” beside “log”, which keeps no clips.")
    }
  }

  // MARK: - Reading

  private static func posture(_ when: CheckedObject) throws(WatchError) -> WatchPosture? {
    guard let name = try when.text("posture") else { return nil }
    guard let posture = WatchPosture(rawValue: name) else {
      throw when.error(
        "posture", "one of \(CheckedObject.list(WatchPosture.allCases.map(\.rawValue)))")
    }
    return posture
  }

  private static func direction(_ when: CheckedObject) throws(WatchError) -> Bool? {
    guard let name = try when.text("direction") else { return nil }
    guard ["in", "out"].contains(name) else { throw when.error("direction", "“in” or “out”") }
    return name == "in"
  }

  private static func kind(
    _ when: CheckedObject, action: String?, seconds: TimeInterval?
  ) throws(WatchError) -> WatchEvent.Kind {
    if let name = try when.text("event") {
      guard let kind = WatchEvent.Kind(rawValue: name) else {
        throw when.error(
          "event", "one of \(CheckedObject.list(WatchEvent.Kind.allCases.map(\.rawValue)))")
      }
      return kind
    }
    let names = when.names
    if names.contains("count") { return .countReached }
    if action == lying { return .lying }
    if action != nil { return seconds == nil ? .actionBegins : .actionLasts }
    if names.contains("posture") { return seconds == nil ? .postureBegins : .postureLasts }
    if names.contains("line") { return .crossesLine }
    if names.contains("zone") { return seconds == nil ? .entersZone : .staysInZone }
    throw WatchError(
      .malformed,
      "\(when.place): name an “event”, a “posture”, an “action”, a “count”, a “zone” or a “line”.")
  }

  private static func receivers(_ rule: CheckedObject) throws(WatchError) -> Set<Receiver> {
    let expected = "a list of “mqtt”, “webhook”, “log” and names of “webhooks”"
    guard let list = try rule.list("then") else {
      throw rule.error("then", "\(expected), and is missing")
    }
    let names = list.compactMap { $0 as? String }
    guard names.count == list.count else { throw rule.error("then", expected) }
    return Set(names.map(Receiver.init))
  }

  /// The events of zones.
  private static let ofZones: Set<WatchEvent.Kind> = [.entersZone, .leavesZone, .staysInZone]

  /// Refuses members that the event does not have, and names those that it needs.
  private func check(_ when: CheckedObject) throws(WatchError) {
    func refuse(_ name: String, _ isGiven: Bool, _ kinds: Set<WatchEvent.Kind>) throws(WatchError) {
      guard isGiven, !kinds.contains(kind) else { return }
      throw WatchError(
        .malformed, "\(when.place): “\(name)” does not go with the event “\(kind.rawValue)”.")
    }
    try refuse("for", seconds != nil, [.actionLasts, .postureLasts, .staysInZone, .nobody, .lying])
    try refuse("count", count != nil, [.countReached])
    try refuse(
      "action", action != nil && !(kind == .lying && action == Self.lying),
      [.actionBegins, .actionLasts, .actionEnds, .countReached, .setFinished, .setRevised])
    try refuse("posture", posture != nil, [.postureBegins, .postureLasts, .postureEnds])
    try refuse("line", line != nil, [.crossesLine])
    try refuse("direction", isInward != nil, [.crossesLine])
    let ofPeople = Set(WatchEvent.Kind.allCases.filter { !$0.isOfSource })
    try refuse("zone", zone != nil, ofPeople)
    try refuse("outside", outside != nil, ofPeople.subtracting([.nobody]).subtracting(Self.ofZones))
    if kind == .actionLasts || kind == .postureLasts || kind == .staysInZone, seconds == nil {
      throw when.error("for", "how long it lasts, in seconds, and is missing")
    }
    if kind == .staysInZone, zone == nil {
      throw when.error("zone", "the name of a zone, and is missing")
    }
    if kind == .countReached, count == nil {
      throw when.error("count", "the number of repetitions, and is missing")
    }
  }

  // MARK: - Matching

  /// Whether the rule is one of a source's.
  package func covers(_ name: String) -> Bool { source == nil || source == name }

  /// Whether pictures of a source leave, as one or as a clip.
  package func needsPictures(of name: String) -> Bool {
    (hasPicture || clipLength != nil) && covers(name)
  }

  /// Whether the rule is about what a classifier recognises.
  package var needsActions: Bool {
    switch kind {
    case .actionBegins, .actionLasts, .actionEnds, .countReached, .setFinished, .setRevised: true
    default: false
    }
  }

  /// Whether an event of a source is one of the rule's.
  package func matches(_ event: WatchEvent, of name: String) -> Bool {
    guard covers(name), event.kind == kind, isInPlace(event) else { return false }
    guard kind == .lying || action == nil || action == event.action,
      posture == nil || posture == event.posture
    else { return false }
    switch kind {
    case .lying, .nobody: return event.seconds == lastingTime
    case .actionLasts, .postureLasts, .staysInZone: return event.seconds == seconds
    case .countReached: return event.count == count
    case .crossesLine:
      return (line == nil || line == event.line) && (isInward == nil || isInward == event.isInward)
    default: return true
    }
  }

  private func isInPlace(_ event: WatchEvent) -> Bool {
    if let outside, event.zones.contains(outside) { return false }
    if kind == .nobody { return event.zone == zone }
    guard let zone else { return true }
    return Self.ofZones.contains(kind) ? event.zone == zone : event.zones.contains(zone)
  }

  /// How long it lasts, or what is usual, in seconds.
  private var lastingTime: TimeInterval? {
    switch kind {
    case .lying: seconds ?? SceneEvents.Rules.lyingTime
    case .nobody: seconds ?? SceneEvents.Rules.nobodyTime
    default: seconds
    }
  }

  /// How long something lasts until the rule's event, in seconds, where that is a matter of time.
  var duration: TimeInterval? {
    [.lying, .nobody, .actionLasts, .postureLasts, .staysInZone].contains(kind) ? lastingTime : nil
  }
}

extension SceneEvents.Rules {
  /// The usual rules, with the durations, counts and areas of a source.
  package init(for rules: [WatchRule], of name: String, areas: SourceAreas = SourceAreas()) {
    self.init()
    self.areas = areas
    for rule in rules where rule.covers(name) {
      if let count = rule.count { counts.insert(count) }
      guard let seconds = rule.duration else { continue }
      switch rule.kind {
      case .actionLasts: lastingTimes.insert(seconds)
      case .postureLasts: postureTimes.insert(seconds)
      case .lying: lyingTimes.insert(seconds)
      case .staysInZone: if let zone = rule.zone { stayTimes[zone, default: []].insert(seconds) }
      case .nobody:
        if let zone = rule.zone {
          // A source that lacks the zone has nobody to miss there.
          guard areas.zones.contains(where: { $0.name == zone }) else { continue }
          emptyTimes[zone, default: []].insert(seconds)
        } else {
          nobodyTimes.insert(seconds)
        }
      default: break
      }
    }
  }
}
