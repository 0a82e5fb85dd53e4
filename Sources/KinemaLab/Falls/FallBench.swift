import KinemaReport
package import KinemaSynth
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
    package var schema = 2
    package var seed: UInt64
    /// Synthetic people who are well seen, and those before the cameras of rooms.
    package var clear = Synthetic()
    package var room = Synthetic()
    /// The figures of real clips, if there are any.
    package var real: RealFalls?
    /// The signs of their falls.
    package var signs: FallSignTable?

    package var table: String {
      var table = TextTable([("sequences", .left), ("count", .right), ("fall reported", .right)])
      clear.add(to: &table, "well seen")
      room.add(to: &table, "cameras of rooms")
      let sentences = [(clear, "Well seen"), (room, "Cameras of rooms")].map { $0.sentence($1) }
      let parts = [table.text + sentences.joined(), real?.table, signs?.table]
      return parts.compactMap(\.self).joined(separator: "\n")
    }
  }

  /// The figures of synthetic people.
  package struct Synthetic: Encodable, Sendable {
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

    fileprivate func add(to table: inout TextTable, _ name: String) {
      func share(_ part: Int, _ whole: Int) -> String {
        "\(part) (\((100 * Double(part) / Double(max(whole, 1))).fixed(1)) %)"
      }
      table.add(["\(name), falls", "\(falls)", share(found, falls)])
      table.add(["\(name), everything else", "\(others)", share(falseAlarms, others)])
    }

    fileprivate func sentence(_ name: String) -> String {
      let names = falseAlarmsOf.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return "\(name): mean delay after the impact \(delay?.fixed(2) ?? "–") s.\n"
        + RealFalls.sentence("False alarms", names)
    }
  }

  /// - Parameter clips: Real clips.
  package func run(
    _ clips: [FallClip] = [], progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) -> Report {
    var report = Report(seed: seed)
    let count = fallCount + otherCount
    report.clear = synthetic(.clear) { progress($0, 2 * count) }
    report.room = synthetic(.room) { progress(count + $0, 2 * count) }
    for clip in clips {
      var real = report.real ?? RealFalls()
      real.add(clip, alarms: clip.alarms(model.isFall))
      report.real = real
    }
    report.signs = FallSignTable(clips, seed: seed)
    return report
  }

  private func synthetic(
    _ conditions: RoomFilm.Conditions, progress: (Int) -> Void
  ) -> Synthetic {
    var figures = Synthetic()
    var delays: [Double] = []
    for index in 0..<(fallCount + otherCount) {
      progress(index)
      let isFall = index < fallCount
      let kind = isFall ? .fall : FallTrial.others[(index - fallCount) % FallTrial.others.count]
      let trial = FallTrial(
        kind, conditions, seed: seed &+ UInt64(index) &* 0xD134_2543_DE82_EF95)
      let alarm = FallClip(trial, seed: seed).alarms(model.isFall).first
      if let impact = trial.impact {
        figures.falls += 1
        guard let alarm, alarm - impact <= Self.longestDelay else { continue }
        figures.found += 1
        delays.append(alarm - impact)
      } else {
        figures.others += 1
        guard alarm != nil else { continue }
        figures.falseAlarms += 1
        figures.falseAlarmsOf[kind.name, default: 0] += 1
      }
    }
    if !delays.isEmpty { figures.delay = delays.reduce(0, +) / Double(delays.count) }
    return figures
  }
}

extension FallTrial.Kind {
  package var name: String {
    switch self {
    case .fall: "fall"
    case .sittingDown: "sitting_down"
    case .lyingDown: "lying_down"
    case .crouchingDown: "crouching_down"
    case .walkingPast: "walking_past"
    case .motion(let motion): motion.name
    }
  }
}
