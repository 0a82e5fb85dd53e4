package import Foundation
import KinemaCounting
import KinemaPose
import KinemaReport
import KinemaSynth
import KinemaTraining

/// `kinema bench counting`: how well repetitions of synthetic people are counted.
package enum CountingBench {
  package struct Report: BenchReport {
    struct Figures: Encodable {
      var sequences: Int
      var mae, obo, exact: Double

      init(_ figures: CountEvaluation.Figures) {
        sequences = figures.support
        mae = figures.meanAbsoluteError
        obo = figures.offByOne
        exact = figures.exact
      }
    }

    var schema = 1
    var overall: Figures
    var perMotion: [String: Figures]
    var sequences: [RepetitionBenchmark.Sequence]
    /// The share of live counts within one of the truth a second after each repetition.
    var liveWithinOne: Double
    var falseCountsPerMinute: [String: Double]
    /// Milliseconds of processor time that an update of the live counter takes.
    var update: Double

    package var table: String {
      var motions = TextTable([
        ("motion", .left), ("sequences", .right), ("MAE", .right), ("OBO", .right),
        ("exact", .right),
      ])
      let rows = perMotion.sorted { ($0.value.obo, $0.key) < ($1.value.obo, $1.key) }
      for (motion, figures) in rows + [("all", overall)] {
        motions.add([
          motion, "\(figures.sequences)", figures.mae.fixed(3), figures.obo.fixed(3),
          figures.exact.fixed(3),
        ])
      }
      var others = TextTable([("", .left), ("", .right)])
      others.add(["live within one, a second after", liveWithinOne.fixed(3)])
      for (motion, rate) in falseCountsPerMinute.sorted(by: { $0.key < $1.key }) {
        others.add(["false counts a minute, \(motion)", rate.fixed(2)])
      }
      others.add(["an update of the live counter", "\(update.fixed(2)) ms"])
      return "\(motions.text)\n\(others.text)"
    }
  }

  /// Counts with a model, by default with the one that comes with Kinema.
  package static func run(
    _ benchmark: RepetitionBenchmark, model: URL?,
    progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) async throws -> Report {
    let estimator: any PeriodEstimator =
      if let model {
        try NetworkPeriodEstimator(contentsOf: model)
      } else {
        try CountingMethod.network.estimator()
      }
    let report = try await benchmark.run(estimator: estimator, progress: progress)
    let evaluation = report.evaluation
    return Report(
      overall: .init(evaluation.overall),
      perMotion: evaluation.perLabel.mapValues(Report.Figures.init),
      sequences: report.sequences,
      liveWithinOne: report.liveWithinOne, falseCountsPerMinute: report.falseCountsPerMinute,
      update: try updateMilliseconds(benchmark, estimator))
  }

  /// The processor time of an update, over a minute of one person.
  private static func updateMilliseconds(
    _ benchmark: RepetitionBenchmark, _ estimator: any PeriodEstimator
  ) throws -> Double {
    let trial = benchmark.idleTrial(0)
    var counter = RepetitionCounter(estimator: estimator)
    var (updates, last) = (0, 0)
    let start = processorSeconds()
    for frame in trial.poses.frames {
      try counter.add(frame.poses.first, at: frame.time)
      let update = Int(frame.time / RepetitionCounter.updateInterval)
      if update > last { updates += 1 }
      last = update
    }
    return (processorSeconds() - start) * 1000 / Double(max(updates, 1))
  }
}
