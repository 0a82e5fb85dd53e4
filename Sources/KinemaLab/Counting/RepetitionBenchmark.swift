import KinemaAction
package import KinemaCounting
import KinemaPose
import KinemaStreams
package import KinemaSynth
package import KinemaTraining

/// Evaluates a counter on synthetic people: every counted motion of the library, with noise,
/// pauses, changes of tempo and view, missing joints and frames; and false counts without
/// repetitions.
///
/// The trials (``KinemaSynth/CountingTrial``) depend on the seed alone; the network was trained on
/// others.
package struct RepetitionBenchmark: Codable, Hashable, Sendable {
  package var seed: UInt64 = 20_261
  package var sequenceCount = 500
  /// For how many minutes each of ``idleMotions`` is watched, each by another person.
  package var idleMinutes = 10
  /// How many threads work; they change nothing but the time.
  package var threadCount = 2

  package init() {}

  /// What people do when nothing is to be counted.
  package static let idleMotions = Motion.idle

  package struct Report: Hashable, Codable, Sendable {
    package var sequences: [Sequence]
    /// The share of repetitions for which the live count was within one of the truth a second
    /// after.
    package var liveWithinOne: Double
    package var falseCountsPerMinute: [String: Double]

    /// How far the counts are off, in all and for each motion.
    package var evaluation: CountEvaluation {
      CountEvaluation(
        items: sequences.enumerated().map { index, sequence in
          .init(
            entry: .init(file: "\(index)", label: sequence.motion, count: sequence.count),
            counted: sequence.counted)
        })
    }
  }

  package struct Sequence: Hashable, Codable, Sendable {
    package var motion: String
    /// How long a repetition takes on average, in seconds.
    package var period: Double
    package var count: Int
    package var counted: Int
  }

  /// A sequence of repetitions; not below 0.
  package func trial(_ index: Int) -> CountingTrial {
    let motions = Motion.counted
    return CountingTrial(of: motions[index % motions.count], seed: seed(of: index))
  }

  /// A minute of a person without repetitions; the index is not negative.
  package func idleTrial(_ index: Int) -> CountingTrial {
    let motions = Self.idleMotions
    return CountingTrial(of: motions[index % motions.count], seed: seed(of: -1 - index))
  }

  private func seed(of index: Int) -> UInt64 {
    seed &+ UInt64(bitPattern: Int64(index)) &* 0x9E6C_63D0_876A_3F6B
  }

  /// Counts in every trial.
  ///
  /// - Parameter progress: Receives the number of finished trials and of all.
  /// - Throws: ``KinemaAction/ActionError`` if the network cannot be used; `CancellationError`.
  package func run(
    estimator: any PeriodEstimator, progress: (Int, Int) -> Void = { _, _ in }
  ) async throws -> Report {
    let idleCount = idleMinutes * Self.idleMotions.count
    let outcomes = try await ConcurrentWork.run(
      sequenceCount + idleCount, limit: threadCount, progress: progress
    ) { index in
      let trial = index < sequenceCount ? trial(index) : idleTrial(index - sequenceCount)
      return try Outcome(of: trial, estimator: estimator)
    }
    let (counted, idle) = (outcomes[..<sequenceCount], outcomes[sequenceCount...])
    var falseCounts: [String: Double] = [:]
    for outcome in idle {
      falseCounts[outcome.sequence.motion, default: 0] +=
        Double(outcome.sequence.counted) / Double(idleMinutes)
    }
    let total = counted.reduce(0) { $0 + $1.sequence.count }
    let near = counted.reduce(0) { $0 + $1.liveWithinOne }
    return Report(
      sequences: counted.map(\.sequence),
      liveWithinOne: Double(near) / Double(max(total, 1)), falseCountsPerMinute: falseCounts)
  }

  private struct Outcome: Sendable {
    let sequence: Sequence
    let liveWithinOne: Int

    init(of trial: CountingTrial, estimator: any PeriodEstimator) throws {
      var rules = RepetitionCounter.Rules()
      rules.aspectRatio = trial.aspectRatio
      var counter = RepetitionCounter(rules: rules, estimator: estimator)
      var (due, near, shown) = (0, 0, 0)
      for (frame, pose) in zip(trial.poses.frames, trial.poses.prominentPoses) {
        while due < trial.repetitions.count, frame.time > trial.repetitions[due].end + 1 {
          due += 1
          if abs(shown - due) <= 1 { near += 1 }
        }
        shown = try counter.add(pose, at: frame.time)
      }
      while due < trial.repetitions.count {
        due += 1
        if abs(shown - due) <= 1 { near += 1 }
      }
      let count = trial.repetitions.count
      let seconds = trial.repetitions.reduce(0) { $0 + $1.end - $1.start }
      sequence = Sequence(
        motion: trial.motion.name, period: count > 0 ? seconds / Double(count) : 0, count: count,
        counted: try counter.finish().count)
      liveWithinOne = near
    }
  }
}
