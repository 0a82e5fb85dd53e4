import KinemaNetwork
import KinemaPose
import KinemaReport
import KinemaSynth
package import KinemaWatch

/// `kinema bench falls --fit`: learns ``FallModel`` from synthetic people and motion capture.
///
/// Real clips are never learned from: they choose how easily a fall is reported, and are measured at what
/// the clips of other rooms choose.
package struct FallFit: Sendable {
  /// Synthetic falls to learn from; twice as many other sequences.
  package var fallCount = 2500
  package var seed: UInt64 = 1
  /// The models whose mean is the one that is written, and whose figures deviate.
  package var modelCount = 3
  /// The most false alarms in 30 minutes that are chosen for.
  package var mostFalseAlarms = 1.0
  /// People in motion capture to learn from, who do not fall.
  package var captured: [FallClip] = []
  /// The seeds of people that are learned from; those of ``FallBench`` are lower.
  private static let firstSeed: UInt64 = 1 << 40
  /// The seed of the cameras before which motion capture is.
  package static let captureSeed: UInt64 = 1 << 41
  private static let shifts: [Float] = stride(from: -1, through: 5, by: 0.25).map { $0 }
  /// One in so many synthetic people is well seen; the others are before the cameras of rooms.
  private static let clearEvery = 4

  package init() {}

  package struct Report: BenchReport {
    package var schema = 2
    package var rows: [Row] = []
    /// What is taken from scores, of the candidates in ``rows``.
    package var shift: Float = 0
    /// What each room measures at the shift that the others choose: a value for each model.
    package var crossValidated: [RealFalls] = []
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
        table.add(
          [(row.shift == shift ? "→ " : "") + Double(row.shift).fixed(2)] + cells(row.figures))
      }
      table.add(["by other rooms"] + cells(crossValidated))
      return table.text + RealFalls.sentence("Missed", missed)
        + RealFalls.sentence("False alarms", falseAlarms)
    }

    private func cells(_ figures: [RealFalls]) -> [String] {
      func text(_ value: (RealFalls) -> Double, _ places: Int) -> String {
        let (mean, deviation) = Self.mean(figures.map(value))
        return "\(mean.fixed(places)) ± \(deviation.fixed(places))"
      }
      return [
        text({ 100 * $0.share }, 1) + " %",
        text({ Double($0.foundShort) / Double(max($0.shortFalls, 1)) * 100 }, 1) + " %",
        text(\.falseAlarmRate, 2),
      ]
    }

    static func mean(_ values: [Double]) -> (mean: Double, deviation: Double) {
      let mean = values.reduce(0, +) / Double(max(values.count, 1))
      return (mean, SourceBootstrap.deviation(values) ?? 0)
    }
  }

  /// - Parameter clips: Real clips, and others to choose the operating point by, with their rooms.
  package func run(
    _ clips: [FallClip], progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) -> (model: FallModel, report: Report) {
    let examples = syntheticExamples() + captured.flatMap { $0.examples() }
    let signs = clips.map { $0.signs() }
    var report = Report(rows: Self.shifts.map { .init(shift: $0, figures: []) })
    var models: [FallModel] = []
    for number in 0..<modelCount {
      progress(number, modelCount)
      let model = fit(examples, number)
      models.append(model)
      let figures = zip(clips, signs).map { self.figures(of: $0, $1, by: model) }
      report.crossValidated.append(crossValidated(clips, figures))
      for (place, figure) in sums(figures).enumerated() {
        report.rows[place].figures.append(figure)
      }
    }
    let chosen = choice(report.rows.map(\.figures))
    report.shift = Self.shifts[chosen]
    report.missed = report.rows[chosen].figures.first?.missed ?? []
    report.falseAlarms = report.rows[chosen].figures.first?.falseAlarmsOf ?? []
    return (Self.mean(of: models, minus: report.shift), report)
  }

  // MARK: - The operating point

  /// The figures of a clip at each shift.
  private func figures(of clip: FallClip, _ signs: [FallSigns], by model: FallModel) -> [RealFalls]
  {
    let highest = signs.map(model.score).max() ?? -.infinity
    return Self.shifts.map { shift in
      var figures = RealFalls()
      figures.add(clip, alarms: highest <= shift ? [] : clip.alarms { model.score($0) > shift })
      return figures
    }
  }

  /// The sums over clips at each shift.
  private func sums(_ figures: [[RealFalls]]) -> [RealFalls] {
    Self.shifts.indices.map { place in
      figures.reduce(into: RealFalls()) { $0.add($1[place]) }
    }
  }

  /// The first shift with few enough false alarms, of figures of each model.
  private func choice(_ figures: [[RealFalls]]) -> Int {
    figures.firstIndex { Report.mean($0.map(\.falseAlarmRate)).mean <= mostFalseAlarms }
      ?? figures.count - 1
  }

  /// The figures of each fold at the shift that the others choose.
  private func crossValidated(_ clips: [FallClip], _ figures: [[RealFalls]]) -> RealFalls {
    let folds = Self.folds(of: clips)
    var sum = RealFalls()
    for fold in Set(folds.values) {
      let isMeasured = clips.map { folds[$0.room ?? ""] == fold }
      let others = sums(zip(isMeasured, figures).filter { !$0.0 }.map(\.1))
      let place = choice(others.map { [$0] })
      for (isMeasured, figures) in zip(isMeasured, figures) where isMeasured {
        sum.add(figures[place])
      }
    }
    return sum
  }

  /// The folds of rooms: one for each room with falls, which the others are dealt to in turn.
  private static func folds(of clips: [FallClip]) -> [String: Int] {
    let falls = Set(clips.filter { $0.impact != nil }.compactMap(\.room)).sorted()
    let others = Set(clips.compactMap(\.room)).subtracting(falls).sorted()
    let dealt = others.enumerated().map { ($1, $0 % max(falls.count, 2)) }
    return Dictionary(uniqueKeysWithValues: falls.enumerated().map { ($1, $0) } + dealt)
  }

  // MARK: - Learning

  private func fit(_ examples: [BoostedTrees.Example], _ number: Int) -> FallModel {
    var trees = BoostedTrees()
    trees.seed = seed &+ UInt64(number)
    (trees.treeCount, trees.depth) = (150, 4)
    return FallModel(trees.fit(examples, signs: FallSigns.names))
  }

  private func syntheticExamples() -> [BoostedTrees.Example] {
    (0..<3 * fallCount).flatMap { index in
      let isFall = index < fallCount
      let kind = isFall ? .fall : FallTrial.others[(index - fallCount) % FallTrial.others.count]
      let seed = Self.firstSeed &+ seed &* 0x9E37_79B9 &+ UInt64(index)
      // Whatever they do: kinds repeat after a number that `clearEvery` may divide.
      let isClear = index % fallCount < fallCount / Self.clearEvery
      let trial = FallTrial(kind, isClear ? .clear : .room, seed: seed)
      return FallClip(trial, seed: seed).examples()
    }
  }

  /// The model whose score is the mean of the models' less `shift`.
  private static func mean(of models: [FallModel], minus shift: Float) -> FallModel {
    var mean = DecisionForest.mean(of: models.map(\.forest))
    mean.bias[0] -= shift
    return FallModel(mean.shortened)
  }
}
