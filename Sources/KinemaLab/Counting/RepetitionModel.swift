package import Foundation
import KinemaAction
package import KinemaModelFiles
import KinemaNetwork
import KinemaTraining

/// A trained model that counts repetitions: what ``CounterRecipe`` makes.
package struct RepetitionModel: Sendable {
  package let model: PeriodModel

  /// The times in the live counter's window, for the shape in the file.
  private static let windowTimes = 90

  /// Takes the averaged weights of a trained network.
  package init(_ trainer: PeriodNetworkTrainer, recipe: CounterRecipe) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // The number of threads does not change the result.
    var recipe = recipe
    recipe.threadCount = 1
    let text = String(decoding: try encoder.encode(recipe), as: UTF8.self)
    do {
      model = PeriodModel(
        graph: try trainer.graph(times: Self.windowTimes),
        metadata: ModelMetadata(
          shortDescription:
            "Estimates how fast a body's movement repeats itself; trained on synthetic people alone.",
          author: "Kinema", license: "Apache 2.0", version: "1",
          userDefined: ["org.kinema.recipe": text]))
    } catch let error as NetworkError {
      throw TrainingError(
        .unwritable, "The counter’s network cannot be written: it \(error.message)", cause: error)
    }
  }

  /// Writes the model as a `.mlmodel`; throws ``KinemaAction/ActionError`` where the file cannot be
  /// written.
  package func write(to url: URL) throws { try model.write(to: url) }
}
