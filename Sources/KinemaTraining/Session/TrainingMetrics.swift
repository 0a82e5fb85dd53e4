public import Foundation

/// The metrics of an epoch.
public struct TrainingMetrics: Codable, Hashable, Sendable {
  /// The number of the epoch, from 1.
  public var iteration: Int
  /// Mean loss of the training windows, with augmentation and label smoothing.
  public var trainingLoss: Double
  /// Accuracy on these windows, from 0 to 1.
  public var trainingAccuracy: Double
  /// Mean cross-entropy of the validation windows, in nats, if any.
  public var validationLoss: Double?
  /// Accuracy on the validation windows, from 0 to 1.
  public var validationAccuracy: Double?
  /// Learning rate of the last step.
  public var learningRate: Double
  /// Training time so far, without interruptions.
  public var seconds: TimeInterval

  /// The metrics as one line of a JSON Lines file, without the line break.
  public var jsonLine: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Encoding cannot fail: losses are checked to be finite.
    return (try? encoder.encode(self)) ?? Data()
  }
}

/// The progress of a training.
public struct TrainingProgress: Hashable, Sendable {
  /// Number of complete epochs.
  public var iteration: Int
  /// Largest number of epochs.
  public var iterationCount: Int
  /// Completed share of the epochs, from 0 to 1, including the current one's part; with takes, of
  /// the trainings without some of them as well.
  public var fractionCompleted: Double
  /// Remaining time in seconds if all epochs run; `nil` at first.
  public var secondsLeft: TimeInterval?
  /// The last epoch's metrics; `nil` before the first.
  public var metrics: TrainingMetrics?
  /// The best epoch so far; `nil` before the first.
  public var bestIteration: Int?
  /// Whether ``metrics`` are new.
  public var endsIteration: Bool
}
