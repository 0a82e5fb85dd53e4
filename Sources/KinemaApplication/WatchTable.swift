import Foundation
import Kinema
import KinemaReport
import KinemaWatch

/// What a watch file does, as tables: its sources, and what each rule sends where.
struct WatchTable {
  let configuration: WatchConfiguration

  var text: String {
    sources + (configuration.rules.isEmpty ? "" : "\n" + rules)
      + warnings.map { "Note: \($0)\n" }.joined()
  }

  private var sources: String {
    var table = TextTable([
      ("source", .left), ("address", .left), ("recognises", .left), ("zones and lines", .left),
      ("masks", .right), ("frames", .left), ("watched", .left),
    ])
    for source in configuration.sources {
      let areas = configuration.areas[source.name] ?? SourceAreas()
      let actions = source.model ?? BuiltInModel.exercise.rawValue
      let zones = areas.zones.map { $0.isBed ? "\($0.name) (bed)" : $0.name }
      let places = zones + areas.lines.map(\.name)
      table.add([
        source.name, source.shownAddress ?? "",
        "people, postures, falls"
          + (configuration.namesActions(of: source) ? ", actions of \(actions)" : ""),
        places.isEmpty ? "–" : places.joined(separator: ", "), "\(areas.masks.count)",
        source.care.cost, source.care.time,
      ])
    }
    return table.text
  }

  private var rules: String {
    var table = TextTable([
      ("rule", .left), ("when", .left), ("of", .left), ("is sent to", .left), ("with", .left),
    ])
    for rule in configuration.rules {
      let receivers = rule.receivers.map(\.name).sorted().map(receiver)
      let parts = [
        rule.hasPicture ? "a picture" : nil,
        rule.clipLength.map { "a clip of \($0.fixed($0 == $0.rounded() ? 0 : 1)) s" },
      ].compactMap(\.self)
      table.add([
        rule.place.split(separator: ", ").dropFirst().joined(separator: ", "), rule.sentence,
        rule.source ?? "all sources",
        receivers.isEmpty ? "nobody" : receivers.joined(separator: ", "),
        parts.isEmpty ? "–" : parts.joined(separator: ", "),
      ])
    }
    return table.text
  }

  /// A receiver with the host that it stands for; never with the rest of an address, which may be secret.
  private func receiver(_ name: String) -> String {
    switch name {
    case "mqtt": configuration.broker.map { "mqtt (\($0.host):\($0.port))" } ?? name
    case "log": "log (this computer)"
    default: configuration.webhooks[.init(name)]?.address.host.map { "\(name) (\($0))" } ?? name
    }
  }

  private var warnings: [String] {
    let cameras = configuration.sources.compactMap { source -> String? in
      guard case .camera(let camera)? = try? LiveSource(source.address),  // Was checked before.
        !FileManager.default.fileExists(atPath: camera.device)
      else { return nil }
      return "there is no camera \(camera.device) now (“\(source.name)”)."
    }
    let idle = configuration.rules.filter(\.receivers.isEmpty).map {
      "\($0.place) sends nothing anywhere; name a receiver in “then”."
    }
    let unruled =
      configuration.rules.isEmpty ? ["there are no rules: events are only printed."] : []
    return cameras + idle + unruled
  }
}

extension WatchRule {
  /// When the rule applies, in words.
  fileprivate var sentence: String {
    let time = seconds.map { " for \(Self.duration($0))" } ?? ""
    let what: String =
      switch kind {
      case .actionBegins: "\(action ?? "an action") begins"
      case .actionLasts: "\(action ?? "an action") lasts\(time)"
      case .actionEnds: "\(action ?? "an action") ends"
      case .countReached: "\(count ?? 0) repetitions of \(action ?? "any action")"
      case .setFinished: "a set of \(action ?? "any action") is finished"
      case .setRevised: "a set turns out to be of \(action ?? "another action")"
      case .personEnters: "a person enters"
      case .personLeaves: "a person leaves"
      case .nobody:
        "nobody \(zone.map { "in “\($0)”" } ?? "in view") for "
          + Self.duration(seconds ?? SceneEvents.Rules.nobodyTime)
      case .postureBegins: "a person is \(posture?.rawValue ?? "in another posture")"
      case .postureLasts: "a person is \(posture?.rawValue ?? "in one posture")\(time)"
      case .postureEnds: "a person is no longer \(posture?.rawValue ?? "as before")"
      case .fall: "a person falls"
      case .lying: "a person is lying for \(Self.duration(seconds ?? SceneEvents.Rules.lyingTime))"
      case .entersZone: "a person enters \(zone.map { "“\($0)”" } ?? "a zone")"
      case .leavesZone: "a person leaves \(zone.map { "“\($0)”" } ?? "a zone")"
      case .staysInZone: "a person stays in \(zone.map { "“\($0)”" } ?? "a zone")\(time)"
      case .crossesLine:
        "a person crosses \(line.map { "“\($0)”" } ?? "a line")"
          + (isInward.map { $0 ? " inward" : " outward" } ?? "")
      case .sourceStale: "a source sends no pictures"
      case .sourceBack: "a source sends pictures again"
      case .sourcePaused: "a source is paused by its schedule"
      case .sourceResumed: "a source is watched again by its schedule"
      }
    let isNamed = [.nobody, .entersZone, .leavesZone, .staysInZone].contains(kind)
    return what + (isNamed ? "" : zone.map { ", in “\($0)”" } ?? "")
      + (outside.map { ", outside of “\($0)”" } ?? "")
  }

  private static func duration(_ seconds: Double) -> String {
    let (unit, name) = seconds < 120 ? (1.0, "s") : seconds < 7200 ? (60, "min") : (3600, "h")
    let amount = seconds / unit
    return "\(amount.fixed(amount == amount.rounded() ? 0 : 1)) \(name)"
  }
}
