public import Foundation

/// One line of a training's log: how it stood after an iteration.
///
/// The file, `training.jsonl`, is JSON Lines with these names as keys; what a training does not
/// measure is left out or `null`.
public struct TrainingLogEntry: Hashable, Codable, Sendable {
  /// The iteration, from 1: one pass over the data.
  public var iteration: Int
  /// The mean loss on the training data, in nats.
  public var trainingLoss: Double?
  /// The mean loss on the validation data, in nats.
  public var validationLoss: Double?
  /// The share of training windows that is right, 0…1.
  public var trainingAccuracy: Double?
  /// The share of validation windows that is right, 0…1.
  public var validationAccuracy: Double?

  /// Creates an entry.
  public init(
    iteration: Int, trainingLoss: Double? = nil, validationLoss: Double? = nil,
    trainingAccuracy: Double? = nil, validationAccuracy: Double? = nil
  ) {
    self.iteration = iteration
    self.trainingLoss = trainingLoss
    self.validationLoss = validationLoss
    self.trainingAccuracy = trainingAccuracy
    self.validationAccuracy = validationAccuracy
  }

  /// Reads a log.
  ///
  /// - Throws: ``TrainingError`` where the file cannot be read or a line is no entry.
  public static func read(from url: URL) throws -> [TrainingLogEntry] {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw TrainingError(
        .missing, "The training log \(url.path) cannot be read; is it there?", cause: error)
    }
    return try data.split(separator: UInt8(ascii: "\n")).enumerated().map { index, line in
      do {
        return try JSONDecoder().decode(TrainingLogEntry.self, from: line)
      } catch {
        throw TrainingError(
          .badData,
          "Line \(index + 1) of \(url.path) is no entry of a training log; give the training.jsonl "
            + "of a session.", cause: error)
      }
    }
  }
}
