import Foundation
import KinemaVideo
import Synchronization

/// How events leave.
extension Watcher {
  /// Prints events, and sends them where the rules say.
  func publish(
    _ events: [WatchEvent], of source: String, picture: Frame?, _ clips: ClipRecorder? = nil
  ) {
    guard !events.isEmpty else { return }
    let (rules, receivers) = state.withLock { ($0.configuration.rules, $0.receivers) }
    for event in events {
      let announcement = Announcement(event, of: source)
      do {
        let json = try announcement.json
        setup.print(json + Data("\n".utf8))
        change(source) {
          ($0.lastEvent, $0.lastEventTime) = (event.kind.rawValue, announcement.time)
        }
        state.withLock { $0.details[source]?.lastEvent = announcement }
        setup.announce(announcement, json)
        let matching = rules.filter { $0.matches(event, of: source) }
        let all = Set(matching.flatMap(\.receivers))
        let withPicture = Set(matching.filter(\.hasPicture).flatMap(\.receivers))
        var illustrated = announcement
        if !withPicture.isEmpty { illustrated.picture = try picture?.jpegData() }
        receivers?.send(announcement, to: all.subtracting(withPicture))
        receivers?.send(illustrated, to: withPicture)
        if withPicture.contains(.log) {
          log.add(illustrated)
        } else if all.contains(.log) {
          log.add(announcement)
        }
        var lengths: [WatchRule.Receiver: TimeInterval] = [:]
        for rule in matching {
          guard let length = rule.clipLength else { continue }
          for receiver in rule.receivers { lengths[receiver] = max(lengths[receiver] ?? 0, length) }
        }
        for (length, names) in Dictionary(grouping: lengths.keys, by: { lengths[$0] ?? 0 }) {
          clips?.record(announcement, seconds: length, for: Set(names))
        }
      } catch {
        setup.report("\(source): an event cannot be sent: \(error)")
      }
    }
  }
}
