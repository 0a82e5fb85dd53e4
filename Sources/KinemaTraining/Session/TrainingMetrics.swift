public import Foundation

/// What an iteration, one pass over all windows, has led to.
public struct TrainingMetrics: Codable, Hashable, Sendable {
  /// The number of the iteration, from 1.
  public var iteration: Int
  /// The mean loss of the windows as they were shown: varied, and with smoothed labels.
  public var trainingLoss: Double
  /// The share of these windows, from 0 to 1, whose label was told.
  public var trainingAccuracy: Double
  /// The mean loss (cross-entropy, natural logarithm) of the validation windows, if there are any.
  public var validationLoss: Double?
  /// The share of the validation windows, from 0 to 1, whose label is told.
  public var validationAccuracy: Double?
  /// The learning rate of the iteration's last step.
  public var learningRate: Double
  /// The time since the training began, breaks not counted.
  public var seconds: TimeInterval

  /// The metrics as one line of a JSON Lines file, without the line break.
  public var jsonLine: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Encoding cannot fail: losses are checked to be finite when they are made.
    return (try? encoder.encode(self)) ?? Data()
  }
}

/// How far a training is.
public struct TrainingProgress: Hashable, Sendable {
  /// How many iterations are done.
  public var iteration: Int
  /// How many iterations there are at most.
  public var iterationCount: Int
  /// The share of the iterations, from 0 to 1, that is done, the present one's part included.
  public var fractionCompleted: Double
  /// How long the rest takes, in seconds, if every iteration is run; `nil` at first.
  public var secondsLeft: TimeInterval?
  /// What the last complete iteration has led to; `nil` before the first.
  public var metrics: TrainingMetrics?
  /// The iteration with the best model so far; `nil` before the first.
  public var bestIteration: Int?
  /// Whether ``metrics`` are new since the last report.
  public var endsIteration: Bool
}
