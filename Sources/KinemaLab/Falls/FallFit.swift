import KinemaNetwork
import KinemaPose
import KinemaReport
import KinemaSynth
package import KinemaWatch

/// `kinema bench falls --fit`: learns ``FallModel`` from synthetic people and motion capture.
///
/// Real clips are never learned from: they choose how easily a fall is reported, and are measured at what
/// the clips of other rooms choose. Where they are given at several frame rates, it must hold at each.
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
    package var schema = 4
    /// The names of the frame rates, in the order of all figures.
    package var rates: [String] = []
    package var rows: [Row] = []
    /// What is taken from scores, of the candidates in ``rows``.
    package var shift: Float = 0
    /// What each room measures at the shift that the others choose, at each rate.
    package var crossValidated: [Figures] = []

    package struct Row: Encodable, Sendable {
      package var shift: Float
      /// At each rate.
      package var figures: [Figures]

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
        ("taken from scores", .right), ("frames a second", .right),
        ("falls with aftermath found", .right), ("others found", .right),
        ("false alarms in 30 minutes", .right),
      ])
      for row in rows where row.shift == shift || row.isQuarter {
        let mark = row.shift == shift ? "→ " : ""
        for (rate, figures) in zip(rates, row.figures) {
          table.add([mark + Double(row.shift).fixed(3), rate] + cells(figures))
        }
      }
      for (rate, figures) in zip(rates, crossValidated) {
        table.add(["by other rooms", rate] + cells(figures))
      }
      let chosen = rows.first { $0.shift == shift }?.figures.map(\.mean) ?? []
      let names = zip(rates, chosen).map { rate, figures in
        RealFalls.sentence("Missed (\(rate))", figures.missed)
          + RealFalls.sentence("False alarms (\(rate))", figures.falseAlarmsOf)
      }
      return table.text + "In brackets: the models whose mean is written, mean ± deviation.\n"
        + names.joined()
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

  /// Clips at one frame rate.
  package struct Footage: Sendable {
    let rate: String
    let clips: [FallClip]

    /// - Parameter rate: The rate as reports name it.
    package init(rate: String, _ clips: [FallClip]) { (self.rate, self.clips) = (rate, clips) }
  }

  /// - Parameter footage: Real clips, and others to choose the operating point by, with their rooms: the same at
  ///   each frame rate.
  package func run(
    _ footage: [Footage], progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) -> (model: FallModel, report: Report) {
    let examples = syntheticExamples() + captured.flatMap { $0.examples() }
    let models = (0..<modelCount).map { number in
      progress(number, modelCount)
      return fit(examples, number)
    }
    let mean = DecisionForest.mean(of: models.map(\.forest))
    // The mean first.
    let measured = footage.map { footage in
      let signs = footage.clips.map { $0.signs() }
      let figures = ([FallModel(mean)] + models).map { model in
        zip(footage.clips, signs).map { self.figures(of: $0, $1, by: model) }
      }
      return Measured(rooms: footage.clips.map { $0.room ?? "" }, figures: figures)
    }
    var report = Report(rates: footage.map(\.rate))
    let places = Self.shifts.indices
    let sums = measured.map { $0.sums { _ in true } }
    report.rows = places.map { place in
      Report.Row(shift: Self.shifts[place], figures: sums.map { $0[place] })
    }
    report.crossValidated = crossValidated(measured, Self.folds(of: footage.flatMap(\.clips)))
    report.shift = Self.shifts[choice(sums)]
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

  /// The figures of clips at one rate, by model, clip and shift; those of the mean first.
  private struct Measured {
    let rooms: [String]
    let figures: [[[RealFalls]]]

    /// The sums at each shift over the clips of some rooms.
    func sums(_ isMeant: (_ room: String) -> Bool) -> [Report.Figures] {
      let clips = rooms.indices.filter { isMeant(rooms[$0]) }
      return FallFit.shifts.indices.map { place in
        let sums = figures.map { figures in
          clips.reduce(into: RealFalls()) { $0.add(figures[$1][place]) }
        }
        return .init(mean: sums[0], models: Array(sums.dropFirst()))
      }
    }
  }

  /// The place of the first shift at which the mean has few enough false alarms at each rate, or of those that
  /// find as many falls with fewer; the middle of several.
  ///
  /// - Parameter rates: The figures of each rate at each shift.
  private func choice(_ rates: [[Report.Figures]]) -> Int {
    func means(_ place: Int) -> [RealFalls] { rates.map { $0[place].mean } }
    let places = Self.shifts.indices
    let first = places.first { place in
      means(place).allSatisfy { $0.falseAlarmRate <= mostFalseAlarms }
    }
    guard let first else { return Self.shifts.count - 1 }
    let equals = (first..<Self.shifts.count).filter {
      means($0).map(\.found) == means(first).map(\.found)
    }
    func falseAlarms(_ place: Int) -> Int { means(place).reduce(0) { $0 + $1.falseAlarms } }
    let fewest = equals.map(falseAlarms).min() ?? 0
    let best = equals.filter { falseAlarms($0) == fewest }
    return best[best.count / 2]
  }

  /// The figures of each fold at the shift that the others choose.
  private func crossValidated(_ rates: [Measured], _ folds: [String: Int]) -> [Report.Figures] {
    var sums = rates.map { rate in
      Report.Figures(models: rate.figures.dropFirst().map { _ in RealFalls() })
    }
    for fold in Set(folds.values) {
      let place = choice(rates.map { $0.sums { folds[$0] != fold } })
      for (number, rate) in rates.enumerated() {
        let figures = rate.sums { folds[$0] == fold }[place]
        sums[number].mean.add(figures.mean)
        for model in figures.models.indices {
          sums[number].models[model].add(figures.models[model])
        }
      }
    }
    return sums
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
