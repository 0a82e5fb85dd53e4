import KinemaReport

/// How many falls of real clips are found, and what else is taken for one.
package struct RealFalls: Encodable, Sendable {
  /// Falls with at least two seconds of what follows, and those that were found.
  package var falls = 0
  package var found = 0
  /// Other falls.
  package var shortFalls = 0
  package var foundShort = 0
  /// False alarms, and the time in which there is no fall.
  package var falseAlarms = 0
  package var minutes = 0.0
  package var missed: [String] = []
  package var falseAlarmsOf: [String] = []

  package init() {}

  package var share: Double { Double(found) / Double(max(falls, 1)) }
  /// False alarms in 30 minutes.
  package var falseAlarmRate: Double { minutes > 0 ? 30 * Double(falseAlarms) / minutes : 0 }

  /// Counts a clip by the times at which falls were reported in it.
  package mutating func add(_ clip: FallClip, alarms: [Double]) {
    var wrong = alarms
    if let impact = clip.impact {
      let times = impact - FallClip.earliest...impact + FallClip.latest
      let isFound = alarms.contains(where: times.contains)
      // What is reported while the fallen person lies there is no alarm of its own.
      wrong = alarms.filter { $0 < times.lowerBound }
      if clip.showsAftermath {
        falls += 1
        if isFound { found += 1 } else { missed.append(clip.name) }
      } else {
        shortFalls += 1
        if isFound { foundShort += 1 }
      }
      minutes += max(0, times.lowerBound) / 60
    } else {
      minutes += clip.seconds / 60
    }
    falseAlarms += wrong.count
    if !wrong.isEmpty { falseAlarmsOf.append(clip.name) }
  }

  /// Adds the counts of other clips.
  mutating func add(_ other: RealFalls) {
    falls += other.falls
    found += other.found
    shortFalls += other.shortFalls
    foundShort += other.foundShort
    falseAlarms += other.falseAlarms
    minutes += other.minutes
    missed += other.missed
    falseAlarmsOf += other.falseAlarmsOf
  }

  var table: String {
    var table = TextTable([("real clips", .left), ("count", .right), ("fall reported", .right)])
    table.add(["falls with aftermath", "\(falls)", "\(found)"])
    table.add(["other falls", "\(shortFalls)", "\(foundShort)"])
    table.add([
      "everything else", "\(minutes.fixed(1)) minutes",
      "\(falseAlarms) (\(falseAlarmRate.fixed(2)) in 30 minutes)",
    ])
    return table.text + Self.sentence("Missed", missed)
      + Self.sentence("False alarms", falseAlarmsOf)
  }

  static func sentence(_ title: String, _ names: [String]) -> String {
    names.isEmpty ? "" : "\(title): \(names.joined(separator: ", ")).\n"
  }
}
