import Foundation
import KinemaNetwork
import KinemaPose
import KinemaReport
import KinemaSynth
package import KinemaWatch

/// `kinema bench falls --fit`: learns ``FallModel`` from real and synthetic falls and from what is none.
///
/// Real clips are measured by models that never learned from their rooms or sources (cross-validation by
/// group); how easily a fall is reported is chosen by those figures.
package struct FallFit: Sendable {
  /// Synthetic falls to learn from; twice as many other sequences.
  package var fallCount = 1000
  package var seed: UInt64 = 1
  /// The models whose mean is the one that is written, and whose figures deviate.
  package var modelCount = 3
  /// The most false alarms in 30 minutes that are chosen for: less than one, because others do something
  /// else.
  package var mostFalseAlarms = 0.75
  /// The seeds of people that are learned from; those of ``FallBench`` are lower.
  private static let firstSeed: UInt64 = 1 << 40
  private static let shifts: [Float] = stride(from: -3, through: 3, by: 0.25).map { $0 }

  package init() {}

  package struct Report: BenchReport {
    package var schema = 1
    package var rows: [Row] = []
    /// What is taken from scores, of the candidates in ``rows``.
    package var shift: Float = 0
    package var missed: [String] = []
    package var falseAlarms: [String] = []

    package struct Row: Encodable, Sendable {
      package var shift: Float
      package var figures: [RealFalls]
    }

    package var table: String {
      var table = TextTable([
        ("taken from scores", .right), ("falls with aftermath found", .right),
        ("others found", .right), ("false alarms in 30 minutes", .right),
      ])
      for row in rows {
        func text(_ value: (RealFalls) -> Double, _ places: Int) -> String {
          let (mean, deviation) = Self.mean(row.figures.map(value))
          return "\(mean.fixed(places)) ± \(deviation.fixed(places))"
        }
        table.add([
          (row.shift == shift ? "→ " : "") + Double(row.shift).fixed(2),
          text({ 100 * $0.share }, 1) + " %",
          text({ Double($0.foundShort) / Double(max($0.shortFalls, 1)) * 100 }, 1) + " %",
          text(\.falseAlarmRate, 2),
        ])
      }
      return table.text + RealFalls.sentence("Missed", missed)
        + RealFalls.sentence("False alarms", falseAlarms)
    }

    static func mean(_ values: [Double]) -> (mean: Double, deviation: Double) {
      let mean = values.reduce(0, +) / Double(max(values.count, 1))
      return (mean, SourceBootstrap.deviation(values) ?? 0)
    }
  }

  /// - Parameter clips: Real clips with their groups.
  package func run(
    _ clips: [FallClip], progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) -> (model: FallModel, report: Report) {
    let folds = Self.folds(of: clips)
    let foldCount = (folds.values.max() ?? 0) + 1
    let synthetic = syntheticExamples()
    let examples = clips.map { $0.examples() }
    var report = Report(rows: Self.shifts.map { .init(shift: $0, figures: []) })
    for number in 0..<modelCount {
      var figures = Self.shifts.map { _ in RealFalls() }
      for fold in 0..<foldCount {
        progress(number * foldCount + fold, modelCount * foldCount)
        let measured = clips.map { folds[$0.group ?? ""] == fold }
        let learned = zip(measured, examples).filter { !$0.0 }.flatMap(\.1)
        let model = fit(learned + synthetic, number)
        for index in clips.indices where measured[index] {
          let (clip, examples) = (clips[index], examples[index])
          let highest = examples.map { model.score($0.signs) }.max() ?? -.infinity
          for (place, shift) in Self.shifts.enumerated() {
            figures[place].add(
              clip,
              alarms: clip.impact == nil && highest <= shift
                ? [] : clip.alarms { model.score($0) > shift })
          }
        }
      }
      for place in figures.indices { report.rows[place].figures.append(figures[place]) }
    }
    let chosen =
      report.rows.first {
        Report.mean($0.figures.map(\.falseAlarmRate)).mean <= mostFalseAlarms
      } ?? report.rows.last
    if let chosen {
      report.shift = chosen.shift
      report.missed = chosen.figures.first?.missed ?? []
      report.falseAlarms = chosen.figures.first?.falseAlarmsOf ?? []
    }
    let all = examples.flatMap { $0 } + synthetic
    let models = (0..<modelCount).map { fit(all, $0) }
    return (Self.mean(of: models, minus: report.shift), report)
  }

  /// The folds of groups: one for each group with falls, which the others are dealt to in turn.
  private static func folds(of clips: [FallClip]) -> [String: Int] {
    let falls = Set(clips.filter { $0.impact != nil }.compactMap(\.group)).sorted()
    let others = Set(clips.compactMap(\.group)).subtracting(falls).sorted()
    let dealt = others.enumerated().map { ($1, $0 % max(falls.count, 2)) }
    return Dictionary(uniqueKeysWithValues: falls.enumerated().map { ($1, $0) } + dealt)
  }

  private func fit(_ examples: [FallClip.Example], _ number: Int) -> FallModel {
    var trees = BoostedTrees()
    trees.seed = seed &+ UInt64(number)
    let forest = trees.fit(
      examples.map { .init(values: $0.signs.values, target: $0.isFall ? 1 : 0, weight: $0.weight) },
      signs: FallSigns.names)
    return FallModel(forest)
  }

  private func syntheticExamples() -> [FallClip.Example] {
    (0..<3 * fallCount).flatMap { index -> [FallClip.Example] in
      let isFall = index < fallCount
      let kind = isFall ? .fall : FallTrial.others[(index - fallCount) % FallTrial.others.count]
      let seed = Self.firstSeed &+ seed &* 0x9E37_79B9 &+ UInt64(index)
      return FallClip(FallTrial(kind, seed: seed), seed: seed).examples()
    }
  }

  /// The model whose score is the mean of the models' less `shift`.
  private static func mean(of models: [FallModel], minus shift: Float) -> FallModel {
    var mean = DecisionForest.mean(of: models.map(\.forest))
    mean.bias[0] -= shift
    return FallModel(mean)
  }
}
