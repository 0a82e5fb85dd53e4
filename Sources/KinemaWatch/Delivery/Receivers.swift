package import Foundation
import KinemaFiles
import Synchronization

/// Where events go beside standard output: the broker and the webhooks of a configuration, each with its
/// ``Outbox``.
package final class Receivers: Sendable {
  /// How long what is under way is waited for at the end, in seconds.
  private static let grace = 3.0

  private let broker: (client: MQTTClient, settings: WatchConfiguration.Broker)?
  private let webhooks: [WebhookSender]
  private let outboxes: [WatchRule.Receiver: Outbox]
  private let report: @Sendable (String) -> Void
  private let version: String?
  /// The retained topics of each source, and the zones that Home Assistant knows.
  private let topics = Mutex<[String: (zones: Set<String>, topics: Set<String>)]>([:])

  /// Opens the outboxes in a folder and begins to send.
  ///
  /// - Parameter version: Kinema's, for Home Assistant.
  /// - Throws: ``WatchError``.
  package init(
    _ configuration: WatchConfiguration, folder: URL, pauses: WebhookSender.Pauses = .init(),
    timeout: TimeInterval = WebhookSender.timeout, version: String? = nil,
    report: @escaping @Sendable (String) -> Void
  ) throws(WatchError) {
    (self.report, self.version) = (report, version)
    var outboxes: [WatchRule.Receiver: Outbox] = [:]
    if let settings = configuration.broker {
      let outbox = try Outbox(folder.appending(path: "mqtt"), report: report)
      outboxes[.mqtt] = outbox
      // The broker keeps a session by this name; it belongs to the outbox.
      let name = "kinema-\(ContentHash.sha256(of: Data(folder.path.utf8)).prefix(12))"
      let client = try MQTTClient(
        settings, client: name, outbox: outbox,
        topic: { Self.topic(of: $0, prefix: settings.prefix) }, report: report)
      broker = (client, settings)
    } else {
      broker = nil
    }
    var webhooks: [WebhookSender] = []
    for (receiver, settings) in configuration.webhooks {
      let outbox = try Outbox(folder.appending(path: receiver.name), report: report)
      outboxes[receiver] = outbox
      webhooks.append(
        WebhookSender(
          settings, named: receiver == .webhook ? "" : " \(receiver.name)", outbox: outbox,
          pauses: pauses, timeout: timeout, report: report))
    }
    self.webhooks = webhooks
    self.outboxes = outboxes
    broker?.client.start()
    for webhook in webhooks { webhook.start() }
  }

  /// How many events are not acknowledged.
  package var waitingCount: Int { outboxes.values.reduce(0) { $0 + $1.count } }

  /// Sends an event to receivers, or keeps it for them.
  package func send(_ announcement: Announcement, to receivers: Set<WatchRule.Receiver>) {
    send(announcement.id, to: receivers) { try announcement.json }
    guard let picture = announcement.picture, let broker, receivers.contains(.mqtt) else { return }
    let topic = WatchTopics(prefix: broker.settings.prefix, source: announcement.source).picture
    topics.withLock { _ = $0[announcement.source, default: ([], [])].topics.insert(topic) }
    broker.client.retain(picture.base64EncodedString(), at: topic)
  }

  /// Sends a clip to receivers, or keeps it for them.
  package func send(_ clip: ClipAnnouncement, to receivers: Set<WatchRule.Receiver>) {
    send(clip.id, to: receivers) { try clip.json }
  }

  private func send(
    _ id: UUID, to receivers: Set<WatchRule.Receiver>, _ body: () throws -> Data
  ) {
    for receiver in receivers {
      do {
        try outboxes[receiver]?.add(body(), id: id)
      } catch {
        report("An event cannot be written as JSON for \(receiver.name): \(error)")
      }
    }
  }

  /// Publishes the state of a source, retained; at the first time also what Home Assistant reads.
  package func publish(_ state: SourceState, of source: String) {
    guard let broker else { return }
    let names = WatchTopics(prefix: broker.settings.prefix, source: source)
    let zones = Set(state.zones.keys)
    let known = topics.withLock { $0[source] }
    do {
      if known?.topics.contains(names.state) != true || known?.zones != zones {
        let device = HomeAssistantDevice(
          topics: names, status: broker.client.statusTopic, zones: Array(zones), version: version)
        let discovery = try broker.settings.discovery.map { try device.messages(at: $0) } ?? [:]
        for (topic, text) in discovery { broker.client.retain(text, at: topic) }
        let new = Set(discovery.keys).union([names.state, names.picture])
        for topic in (known?.topics ?? []).subtracting(new) { broker.client.retain("", at: topic) }
        topics.withLock { $0[source] = (zones, new) }
      }
      let text = try state.jsonText(isPretty: false).dropLast()
      broker.client.retain(String(decoding: text, as: UTF8.self), at: names.state)
    } catch {
      report("The state of \(source) cannot be published: \(error)")
    }
  }

  /// Removes what is retained of a source that is not watched any more.
  package func forget(_ source: String) {
    let topics = topics.withLock { $0.removeValue(forKey: source)?.topics }
    for topic in topics ?? [] { broker?.client.retain("", at: topic) }
  }

  /// Waits until everything has arrived, at most so many seconds.
  package func drain(seconds: TimeInterval) async {
    let end = Date() + seconds
    while waitingCount > 0, Date() < end { try? await Task.sleep(for: .milliseconds(50)) }
  }

  /// Ends; what is not acknowledged stays on disk for the next start.
  package func stop() async {
    await broker?.client.stop(grace: Self.grace)
    for webhook in webhooks { await webhook.stop() }
  }

  private static func topic(of body: Data, prefix: String) -> String? {
    let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
    return (object?["source"] as? String).map { source in
      let topics = WatchTopics(prefix: prefix, source: source)
      return object?["event"] as? String == ClipAnnouncement.name ? topics.clips : topics.events
    }
  }
}

/// What is known of a source now.
package struct SourceState: Hashable, Sendable, Encodable {
  package enum Connection: String, Hashable, Sendable, Encodable {
    /// A paused source is not watched now, by its schedule.
    case connecting, live, stale, ended, paused
  }

  package var source = Connection.connecting
  /// How many people are in view.
  package var persons = 0
  /// The action and the count of the first person who does one.
  package var action: String?
  package var count = 0
  /// Whether a person is lying, outside of a bed.
  package var lying = false
  /// Whether a person has fallen and not got up.
  package var fallen = false
  /// The posture of the first person, the fallen one first.
  package var posture: WatchPosture?
  /// How many people are in each zone.
  package var zones: [String: Int] = [:]
  /// The newest event, and when it was.
  package var lastEvent: String?
  package var lastEventTime: String?

  package init() {}

  mutating func update(_ scene: SceneEvents.State, _ areas: SourceAreas) {
    let person = scene.persons.first { $0.action != nil } ?? scene.persons.first
    persons = scene.persons.count
    action = person?.action
    count = person?.count ?? 0
    lying = scene.persons.contains(where: \.isLying)
    fallen = scene.persons.contains { $0.posture == .fallen }
    posture = fallen ? .fallen : scene.persons.lazy.compactMap(\.posture).first
    zones = Dictionary(uniqueKeysWithValues: areas.zones.map { ($0.name, 0) })
    for zone in scene.persons.flatMap(\.zones) { zones[zone]? += 1 }
  }
}
