package import Foundation

/// Which events go where.
///
/// ```json
/// {"when": {"action": "lying", "for": 10}, "then": ["mqtt", "webhook"]}
/// ```
package struct WatchRule: Hashable, Sendable {
  /// Where events go beside standard output.
  package struct Receiver: Hashable, Sendable {
    /// `mqtt`, `webhook`, or the name of another webhook.
    package let name: String

    package init(_ name: String) { self.name = name }

    package static let mqtt = Receiver("mqtt")
    package static let webhook = Receiver("webhook")
  }

  package let kind: WatchEvent.Kind
  /// The label of the action; `nil` for any.
  package let action: String?
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
      condition, at: "\(place), when", known: ["event", "action", "for", "count"])
    action = try when.text("action")
    seconds = try when.number("for", within: 0.1...Self.longest)
    count = try when.integer("count", within: 1...1_000_000)
    source = try rule.text("source")
    hasPicture = try rule.flag("picture") ?? false
    clipLength = try rule.number("clip", within: 1...ClipRecorder.longest)
    kind = try Self.kind(when, action: action, seconds: seconds, count: count)
    receivers = try Self.receivers(rule)
    try check(when)
    guard clipLength == nil || ![.sourceStale, .sourceBack].contains(kind) else {
      throw WatchError(
        .malformed, "\(place): “clip” does not go with the event “\(kind.rawValue)”.")
    }
  }

  private static func kind(
    _ when: CheckedObject, action: String?, seconds: TimeInterval?, count: Int?
  ) throws(WatchError) -> WatchEvent.Kind {
    if let name = try when.text("event") {
      guard let kind = WatchEvent.Kind(rawValue: name) else {
        throw when.error(
          "event", "one of \(CheckedObject.list(WatchEvent.Kind.allCases.map(\.rawValue)))")
      }
      return kind
    }
    if count != nil { return .countReached }
    guard action != nil else {
      throw WatchError(
        .malformed, "\(when.place): name an “event”, an “action” or a “count”.")
    }
    if action == lying { return .lying }
    return seconds == nil ? .actionBegins : .actionLasts
  }

  private static func receivers(_ rule: CheckedObject) throws(WatchError) -> Set<Receiver> {
    let expected = "a list of “mqtt”, “webhook” and names of “webhooks”"
    guard let list = try rule.list("then") else {
      throw rule.error("then", "\(expected), and is missing")
    }
    let names = list.compactMap { $0 as? String }
    guard names.count == list.count else { throw rule.error("then", expected) }
    return Set(names.map(Receiver.init))
  }

  /// Refuses members that the event does not have, and names those that it needs.
  private func check(_ when: CheckedObject) throws(WatchError) {
    func refuse(_ name: String, _ isGiven: Bool, _ kinds: Set<WatchEvent.Kind>) throws(WatchError) {
      guard isGiven, !kinds.contains(kind) else { return }
      throw WatchError(
        .malformed, "\(when.place): “\(name)” does not go with the event “\(kind.rawValue)”.")
    }
    try refuse("for", seconds != nil, [.actionLasts, .nobody, .lying])
    try refuse("count", count != nil, [.countReached])
    try refuse(
      "action", action != nil && !(kind == .lying && action == Self.lying),
      [.actionBegins, .actionLasts, .actionEnds, .countReached, .setFinished, .setRevised])
    if kind == .actionLasts, seconds == nil {
      throw when.error("for", "how long the action lasts, in seconds, and is missing")
    }
    if kind == .countReached, count == nil {
      throw when.error("count", "the number of repetitions, and is missing")
    }
  }

  /// Whether pictures of a source leave, as one or as a clip.
  package func needsPictures(of name: String) -> Bool {
    (hasPicture || clipLength != nil) && (source == nil || source == name)
  }

  /// Whether an event of a source is one of the rule's.
  package func matches(_ event: WatchEvent, of name: String) -> Bool {
    guard source == nil || source == name else { return false }
    let isKind = event.kind == kind && (kind == .lying || action == nil || action == event.action)
    switch kind {
    case .lying, .nobody: return isKind && event.seconds == lastingTime
    case .actionLasts: return isKind && event.seconds == seconds
    case .countReached: return isKind && event.count == count
    default: return isKind
    }
  }

  /// How long it lasts, or what is usual, in seconds.
  private var lastingTime: TimeInterval? {
    switch kind {
    case .lying: seconds ?? SceneEvents.Rules.lyingTime
    case .nobody: seconds ?? SceneEvents.Rules.nobodyTime
    default: seconds
    }
  }
}

extension SceneEvents.Rules {
  /// The usual rules, with the durations and counts of the rules of a source.
  package init(for rules: [WatchRule], of name: String) {
    self.init()
    for rule in rules where rule.source == nil || rule.source == name {
      if let count = rule.count { counts.insert(count) }
      guard let seconds = rule.seconds else { continue }
      switch rule.kind {
      case .actionLasts: lastingTimes.insert(seconds)
      case .nobody: nobodyTimes.insert(seconds)
      case .lying: lyingTimes.insert(seconds)
      default: break
      }
    }
  }
}
