import Foundation
package import KinemaAction
import KinemaFiles
import KinemaReport
import KinemaStreams

/// `kinema bench postures`: how often postures are right in windows of real clips, and at moments of
/// synthetic people and of motion capture.
package struct PostureBench: Sendable {
  /// Models of one recipe, which differ in their seed.
  package var models: [PostureModel]
  /// Motion capture of people whom the models have not learned from.
  package var capture: MotionCapture?
  package var sequenceCount = 1000
  package var seed: UInt64 = 1

  package init(_ models: [PostureModel]) { self.models = models }

  package struct Row: Encodable, Sendable {
    package let name: String
    /// Windows or moments.
    package let count: Int
    /// The mean over the models.
    package let right: Double
    /// Over models and, in real clips, their sources.
    package let deviation: Double?
    /// What others are taken for, the most frequent first.
    package var mistakes: [String] = []
  }

  /// A real clip in which something is wrong.
  package struct Mistake: Encodable, Sendable {
    package let file: String
    package let posture: String
    package let takenFor: HumanBodyPosture.Kind
    /// Over all models.
    package let windows: Int
  }

  package struct Report: BenchReport {
    package var schema = 1
    package var mistakes: [Mistake] = []
    package var real: [Row] = []
    package var synthetic: [Row] = []
    package var capture: [Row] = []

    package var table: String {
      var text = ""
      for (title, unit, rows) in [
        ("real clips", "windows", real), ("synthetic people", "moments", synthetic),
        ("motion capture", "moments", capture),
      ] where !rows.isEmpty {
        var table = TextTable([
          (title, .left), (unit, .right), ("right", .right), ("others taken for", .left),
        ])
        for row in rows {
          let deviation = row.deviation.map { " ± \((100 * $0).fixed(1))" } ?? ""
          table.add([
            row.name, "\(row.count)", "\((100 * row.right).fixed(1))\(deviation) %",
            row.mistakes.joined(separator: ", "),
          ])
        }
        text += table.text + "\n"
      }
      return text
    }
  }

  package func run(
    _ clips: [RealPostures],
    progress: @escaping @Sendable (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) async throws -> Report {
    var report = Report()
    (report.real, report.mistakes) = try await real(clips)
    report.synthetic = rows(
      try await PostureFit.examples(
        sequenceCount: sequenceCount, nil, viewCount: 1, seed: seed, progress: progress))
    if let capture {
      report.capture = rows(
        try await PostureFit.examples(
          sequenceCount: 0, capture, viewCount: 1, seed: seed, progress: progress))
    }
    return report
  }

  // MARK: - Real clips

  private func real(
    _ clips: [RealPostures]
  ) async throws -> (rows: [Row], mistakes: [Mistake]) {
    let sources = Array(Set(clips.map(\.source))).sorted()
    var trainings: [[RealPeopleTally]] = []
    var mistakes: [Mistake] = []
    for model in models {
      let readings = try await ConcurrentWork.run(clips.count, limit: 2) {
        clips[$0].reading(by: model)
      }
      var tallies: [String: RealPeopleTally] = [:]
      for (clip, reading) in zip(clips, readings) {
        for (row, kinds) in reading {
          for (kind, count) in kinds {
            let isRight = row.contains(kind)
            tallies[clip.source, default: .init()].windows[row.rawValue, default: .init()] +=
              .init(right: isRight ? Double(count) : 0, all: Double(count))
            guard !isRight else { continue }
            mistakes.append(
              Mistake(
                file: clip.url.lastPathComponent, posture: row.rawValue, takenFor: kind,
                windows: count))
          }
        }
      }
      trainings.append(sources.map { tallies[$0] ?? .init() })
    }
    let draws = SourceBootstrap.draws(of: trainings)
    let rows = RealPostures.Row.allCases.compactMap { row -> Row? in
      let name = row.rawValue
      let sum = trainings.joined().reduce(into: RealPeopleTally()) { $0 += $1 }.windows[name]
      guard let sum, let share = sum.value else { return nil }
      return Row(
        name: name, count: Int(saturating: sum.all / Double(models.count)), right: share,
        deviation: SourceBootstrap.deviation(draws.compactMap { $0.windows[name]?.value }),
        mistakes: Self.list(
          mistakes.filter { $0.posture == name }.reduce(into: [:]) {
            $0[$1.takenFor.rawValue, default: 0] += $1.windows
          }, of: sum.all))
    }
    return (rows, mistakes)
  }

  private static func list(_ counts: [String: Int], of all: Double) -> [String] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(4).map {
      "\($0.key) \((100 * Double($0.value) / max(1, all)).fixed(0)) %"
    }
  }

  // MARK: - Moments whose posture in space is known

  private func rows(_ examples: [PostureExample]) -> [Row] {
    let found = models.map { model in examples.map { model.posture($0.signs) } }
    var rows = HumanBodyPosture.Kind.allCases.compactMap { kind -> Row? in
      let own = examples.indices.filter { examples[$0].kind == kind }
      guard !own.isEmpty else { return nil }
      let shares = found.map { postures in
        Double(own.count { postures[$0].kind == kind }) / Double(own.count)
      }
      let others = found.flatMap { postures in
        own.map { postures[$0].kind }.filter { $0 != kind }.map(\.rawValue)
      }
      return row(kind.rawValue, own.count, shares, others)
    }
    let sides: [(String, Bool)] = [("nothing in particular", true), ("something else", false)]
    for (name, isPlain) in sides {
      let own = examples.indices.filter { examples[$0].isPlain == isPlain }
      guard !own.isEmpty else { continue }
      let shares = found.map { postures in
        Double(own.count { (postures[$0].plainness >= 0.5) == isPlain }) / Double(own.count)
      }
      let others = found.flatMap { postures in
        own.filter { (postures[$0].plainness >= 0.5) != isPlain }.map { examples[$0].name }
      }
      rows.append(row(name, own.count, shares, others))
    }
    return rows
  }

  private func row(_ name: String, _ count: Int, _ shares: [Double], _ others: [String]) -> Row {
    let counts = Dictionary(grouping: others) { $0 }.mapValues(\.count)
    return Row(
      name: name, count: count, right: shares.reduce(0, +) / Double(max(1, shares.count)),
      deviation: SourceBootstrap.deviation(shares),
      mistakes: Self.list(counts, of: Double(count * models.count)))
  }
}
