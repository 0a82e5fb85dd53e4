import KinemaPose
import KinemaReport
import KinemaSynth
import KinemaWatch

/// `kinema bench falls`: how many falls of synthetic people are found in time, and what else is taken
/// for one.
package struct FallBench: Sendable {
  package var fallCount = 40
  package var otherCount = 200
  package var seed: UInt64 = 1

  /// How soon after the impact a fall must be found, in seconds.
  package static let longestDelay = 3.0

  package init() {}

  package struct Report: BenchReport {
    package var schema = 1
    package var seed: UInt64
    package var falls = 0
    /// Found within ``FallBench/longestDelay``.
    package var found = 0
    /// The mean delay of those that were found, in seconds.
    package var delay: Double?
    package var others = 0
    /// Sequences without a fall in which one was reported.
    package var falseAlarms = 0
    /// What those show.
    var falseAlarmsOf: [String: Int] = [:]

    package var table: String {
      var table = TextTable([("sequences", .left), ("count", .right), ("fall reported", .right)])
      func share(_ part: Int, _ whole: Int) -> String {
        "\(part) (\((100 * Double(part) / Double(max(whole, 1))).fixed(1)) %)"
      }
      table.add(["falls", "\(falls)", share(found, falls)])
      table.add(["everything else", "\(others)", share(falseAlarms, others)])
      let names = falseAlarmsOf.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return table.text
        + "Mean delay after the impact: \(delay?.fixed(2) ?? "–") s.\n"
        + (names.isEmpty ? "" : "False alarms: \(names.joined(separator: ", ")).\n")
    }
  }

  package func run(progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }) -> Report {
    var report = Report(seed: seed)
    var delays: [Double] = []
    for index in 0..<(fallCount + otherCount) {
      progress(index, fallCount + otherCount)
      let isFall = index < fallCount
      let kind = isFall ? .fall : FallTrial.others[(index - fallCount) % FallTrial.others.count]
      let trial = FallTrial(kind, seed: seed &+ UInt64(index) &* 0xD134_2543_DE82_EF95)
      let alarm = Self.alarm(in: trial)
      if let impact = trial.impact {
        report.falls += 1
        guard let alarm, alarm - impact <= Self.longestDelay else { continue }
        report.found += 1
        delays.append(alarm - impact)
      } else {
        report.others += 1
        guard alarm != nil else { continue }
        report.falseAlarms += 1
        report.falseAlarmsOf[kind.name, default: 0] += 1
      }
    }
    if !delays.isEmpty { report.delay = delays.reduce(0, +) / Double(delays.count) }
    return report
  }

  /// When a fall is reported first, in seconds.
  private static func alarm(in trial: FallTrial) -> Double? {
    var events = SceneEvents()
    for frame in trial.poses.frames {
      let persons = frame.poses.map { SceneMoment.Person(id: $0.personID ?? 1, pose: $0) }
      let moment = SceneMoment(
        time: frame.time, persons: persons, aspectRatio: trial.aspectRatio)
      if events.add(moment).contains(where: { $0.kind == .fall }) { return frame.time }
    }
    return nil
  }
}

extension FallTrial.Kind {
  package var name: String {
    switch self {
    case .fall: "fall"
    case .sittingDown: "sitting_down"
    case .lyingDown: "lying_down"
    case .motion(let motion): motion.name
    }
  }
}
