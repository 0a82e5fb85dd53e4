import KinemaReport
import KinemaSynth
package import KinemaWatch

/// `kinema bench falls`: how many falls of synthetic people, and of real clips, are found in time, and
/// what else is taken for one.
package struct FallBench: Sendable {
  package let model: FallModel
  package var fallCount = 40
  package var otherCount = 200
  package var seed: UInt64 = 1

  /// How soon after the impact a fall must be found, in seconds.
  package static let longestDelay = 3.0

  package init(_ model: FallModel) { self.model = model }

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
    /// The figures of real clips, if there are any.
    package var real: RealFalls?

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
        + (real.map { "\n" + $0.table } ?? "")
    }
  }

  /// - Parameter clips: Real clips.
  package func run(
    _ clips: [FallClip] = [], progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) -> Report {
    var report = Report(seed: seed)
    var delays: [Double] = []
    for index in 0..<(fallCount + otherCount) {
      progress(index, fallCount + otherCount)
      let isFall = index < fallCount
      let kind = isFall ? .fall : FallTrial.others[(index - fallCount) % FallTrial.others.count]
      let trial = FallTrial(kind, seed: seed &+ UInt64(index) &* 0xD134_2543_DE82_EF95)
      let alarm = FallClip(trial, seed: seed).alarms(model.isFall).first
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
    for clip in clips {
      var real = report.real ?? RealFalls()
      real.add(clip, alarms: clip.alarms(model.isFall))
      report.real = real
    }
    return report
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
