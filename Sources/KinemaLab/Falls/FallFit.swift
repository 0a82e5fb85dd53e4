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
  /// The trees of each.
  package var treeCount = 300
  /// The most false alarms in 30 minutes that are chosen for.
  package var mostFalseAlarms = 1.0
  /// People in motion capture to learn from, who do not fall.
  package var captured: [FallClip] = []
  /// The seeds of people that are learned from; those of ``FallBench`` are lower.
  private static let firstSeed: UInt64 = 1 << 40
  /// The seed of the cameras before which motion capture is.
  package static let captureSeed: UInt64 = 1 << 41
  private static let shifts: [Float] = stride(from: -1, through: 4, by: 0.05).map { $0 }
  /// One in so many synthetic people is well seen; the others are before the cameras of rooms.
  private static let clearEvery = 4

  package init() {}

  package struct Report: BenchReport {
    package var schema = 3
    package var rows: [Row] = []
    /// What is taken from scores, of the candidates in ``rows``.
    package var shift: Float = 0
    /// What each room measures at the shift that the others choose.
    package var crossValidated = Figures()

    package struct Row: Encodable, Sendable {
      package var shift: Float
      package var figures: Figures

      /// Whether it is shown in the table, which has a row in five.
      var isQuarter: Bool { abs(4 * shift - (4 * shift).rounded()) < 0.01 }
    }

    /// The figures of the model that is written, and of those whose mean it is.
    package struct Figures: Encodable, Sendable {
      package var mean = RealFalls()
      package var models: [RealFalls] = []
    }

    package var table: String {
      var table = TextTable([
        ("taken from scores", .right), ("falls with aftermath found", .right),
        ("others found", .right), ("false alarms in 30 minutes", .right),
      ])
      for row in rows where row.shift == shift || row.isQuarter {
        table.add(
          [(row.shift == shift ? "→ " : "") + Double(row.shift).fixed(3)] + cells(row.figures))
      }
      table.add(["by other rooms"] + cells(crossValidated))
      let chosen = rows.first { $0.shift == shift }?.figures.mean ?? RealFalls()
      return table.text + "In brackets: the models whose mean is written, mean ± deviation.\n"
        + RealFalls.sentence("Missed", chosen.missed)
        + RealFalls.sentence("False alarms", chosen.falseAlarmsOf)
    }

    private func cells(_ figures: Figures) -> [String] {
      func text(_ value: (RealFalls) -> Double, _ places: Int) -> String {
        let values = figures.models.map(value)
        let mean = values.reduce(0, +) / Double(max(values.count, 1))
        let deviation = SourceBootstrap.deviation(values) ?? 0
        return "\(value(figures.mean).fixed(places)) "
          + "(\(mean.fixed(places)) ± \(deviation.fixed(places)))"
      }
      return [
        text({ 100 * $0.share }, 1) + " %",
        text({ Double($0.foundShort) / Double(max($0.shortFalls, 1)) * 100 }, 1) + " %",
        text(\.falseAlarmRate, 2),
      ]
    }
  }

  /// - Parameter clips: Real clips, and others to choose the operating point by, with their rooms.
  package func run(
    _ clips: [FallClip], progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) -> (model: FallModel, report: Report) {
    let examples = syntheticExamples() + captured.flatMap { $0.examples() }
    let models = (0..<modelCount).map { number in
      progress(number, modelCount)
      return fit(examples, number)
    }
    let mean = DecisionForest.mean(of: models.map(\.forest))
    let signs = clips.map { $0.signs() }
    // The mean first.
    let figures = ([FallModel(mean)] + models).map { model in
      zip(clips, signs).map { self.figures(of: $0, $1, by: model) }
    }
    var report = Report()
    report.rows = zip(Self.shifts, sums(figures)).map(Report.Row.init)
    report.crossValidated = crossValidated(clips, figures)
    report.shift = Self.shifts[choice(report.rows.map(\.figures))]
    return (Self.model(mean, minus: report.shift), report)
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

  /// The sums over clips at each shift, of figures by model and clip, those of the mean first.
  private func sums(_ figures: [[[RealFalls]]]) -> [Report.Figures] {
    Self.shifts.indices.map { place in
      let sums = figures.map { clips in
        clips.reduce(into: RealFalls()) { $0.add($1[place]) }
      }
      return .init(mean: sums[0], models: Array(sums.dropFirst()))
    }
  }

  /// The place of the first shift at which the mean has few enough false alarms, or of those that find as many
  /// falls with fewer; the middle of several.
  private func choice(_ figures: [Report.Figures]) -> Int {
    let means = figures.map(\.mean)
    guard let first = means.firstIndex(where: { $0.falseAlarmRate <= mostFalseAlarms }) else {
      return figures.count - 1
    }
    let equals = (first..<means.count).filter { means[$0].found == means[first].found }
    let fewest = equals.map { means[$0].falseAlarms }.min() ?? 0
    let best = equals.filter { means[$0].falseAlarms == fewest }
    return best[best.count / 2]
  }

  /// The figures of each fold at the shift that the others choose.
  private func crossValidated(
    _ clips: [FallClip], _ figures: [[[RealFalls]]]
  ) -> Report.Figures {
    let folds = Self.folds(of: clips)
    var sum = [RealFalls](repeating: RealFalls(), count: figures.count)
    for fold in Set(folds.values) {
      let isMeasured = clips.map { folds[$0.room ?? ""] == fold }
      let place = choice(
        sums(figures.map { zip(isMeasured, $0).filter { !$0.0 }.map(\.1) }))
      for (model, figures) in figures.enumerated() {
        for (isMeasured, figures) in zip(isMeasured, figures) where isMeasured {
          sum[model].add(figures[place])
        }
      }
    }
    return .init(mean: sum[0], models: Array(sum.dropFirst()))
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
    (trees.treeCount, trees.depth, trees.stepCount) = (treeCount, 6, 256)
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

  private static func model(_ forest: DecisionForest, minus shift: Float) -> FallModel {
    var forest = forest
    forest.bias[0] -= shift
    return FallModel(forest.shortened)
  }
}
