package import Foundation
package import KinemaVision

/// What a source may cost, and when it is watched.
///
/// ```json
/// {"name": "Hall", "address": "rtsp://…", "rate": "auto", "priority": "high",
///  "schedule": [{"from": "22:00", "to": "06:00", "days": ["mon", "tue"]}]}
/// ```
package struct SourceCare: Hashable, Sendable {
  package enum Rate: Hashable, Sendable {
    /// As many frames as what happens needs.
    case automatic
    /// Every frame.
    case full
    /// As many as are needed, at most so many a second.
    case limited(Double)
  }

  /// The share of the threads where there are not enough for all sources.
  package enum Priority: String, CaseIterable, Sendable {
    case low, normal, high

    /// Relative to others: a source of high priority gets four times as much as a normal one.
    package var weight: Double {
      switch self {
      case .low: 0.25
      case .normal: 1
      case .high: 4
      }
    }
  }

  package var rate = Rate.automatic
  package var priority = Priority.normal
  /// When the source is watched; empty for always.
  package var schedule: [WatchSpan] = []

  /// The members of a source that are read here.
  static let names = ["rate", "schedule", "priority"]
  /// A rate below would leave a source without frames for so long that it is stale.
  private static let rates = 0.5...60.0

  package init() {}

  init(_ source: CheckedObject) throws(WatchError) {
    rate = try Self.rate(source)
    if let name = try source.text("priority") {
      guard let known = Priority(rawValue: name) else {
        throw source.error(
          "priority", "one of \(CheckedObject.list(Priority.allCases.map(\.rawValue)))")
      }
      priority = known
    }
    for (index, value) in (try source.list("schedule") ?? []).enumerated() {
      schedule.append(try WatchSpan(value, at: "\(source.place), schedule[\(index)]"))
    }
  }

  /// What it may cost, in words.
  package var cost: String {
    let frames =
      switch rate {
      case .automatic: "as needed"
      case .full: "every one"
      case .limited(let rate):
        "at most \(rate.formatted(.number.locale(Locale(identifier: "en")))) a second"
      }
    return priority == .normal ? frames : "\(frames), \(priority.rawValue) priority"
  }

  /// When the source is watched, in words.
  package var time: String {
    schedule.isEmpty ? "always" : schedule.map(\.sentence).joined(separator: "; ")
  }

  private static func rate(_ source: CheckedObject) throws(WatchError) -> Rate {
    switch source.value("rate") {
    case nil: return .automatic
    case let name as String where name == "auto": return .automatic
    case let name as String where name == "full": return .full
    default:
      // Whatever is wrong with it: one sentence names all that it may be.
      guard let value = try? source.number("rate", within: rates) else {
        throw source.error("rate", "“auto”, “full”, or a number of frames a second from 0.5 to 60")
      }
      return .limited(value)
    }
  }

  /// Whether the source is watched at a moment.
  package func isScheduled(at date: Date, in calendar: Calendar = .current) -> Bool {
    schedule.isEmpty || schedule.contains { $0.contains(date, in: calendar) }
  }

  /// What the source's ladder may use.
  ///
  /// - Parameter rules: The rules of the source.
  package func limits(for rules: [WatchRule]) -> CostLadder.Limits {
    var limits = CostLadder.Limits()
    switch rate {
    case .automatic: break
    case .full: limits.isFull = true
    case .limited(let rate): limits.rate = rate
    }
    limits.needsPoses = rules.isEmpty || rules.contains { !$0.kind.isOfPresence }
    return limits
  }
}

extension WatchEvent.Kind {
  /// Whether it depends on the presence of people alone, not on what they do.
  var isOfPresence: Bool {
    switch self {
    case .personEnters, .personLeaves, .nobody: true
    default: isOfSource
    }
  }
}
