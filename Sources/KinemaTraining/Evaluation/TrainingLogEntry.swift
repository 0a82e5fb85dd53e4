package import Foundation
import KinemaFiles

/// One line of a training log (`training.jsonl`); unmeasured values are missing or `null`.
package struct TrainingLogEntry: Hashable, Codable, Sendable {
  /// The epoch, from 1.
  package var iteration: Int
  /// Mean loss on the training data, in nats.
  package var trainingLoss: Double?
  /// Mean loss on the validation data, in nats.
  package var validationLoss: Double?
  /// Accuracy on the training windows, 0…1.
  package var trainingAccuracy: Double?
  /// Accuracy on the validation windows, 0…1.
  package var validationAccuracy: Double?

  /// Reads a log; throws ``TrainingError`` if the file cannot be read or a line is invalid.
  package static func read(from url: URL) throws -> [TrainingLogEntry] {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw TrainingError(
        .missing, "The training log \(url.path) cannot be read; is it there?", cause: error)
    }
    return try data.split(separator: UInt8(ascii: "\n")).enumerated().map { index, line in
      do {
        return try JSONDecoder().decodeForeign(TrainingLogEntry.self, from: line)
      } catch {
        throw TrainingError(
          .badData,
          "Line \(index + 1) of \(url.path) is not an entry of a training log; use the training.jsonl "
            + "of a session.", cause: error)
      }
    }
  }
}
