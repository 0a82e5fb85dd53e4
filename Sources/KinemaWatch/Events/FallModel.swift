package import Foundation
import KinemaAction
import KinemaFiles
package import KinemaNetwork

/// Scores how much the signs of a fall are those of one: the sum of many small decision trees.
///
/// The trees are learned from synthetic falls (`kinema bench falls --fit`) by boosting with a logistic loss
/// (Friedman, *Greedy function approximation: a gradient boosting machine*, Annals of Statistics 29,
/// 2001).
package struct FallModel: Hashable, Sendable {
  package let forest: DecisionForest

  /// - Parameter forest: Of ``FallSigns/Sign``, with one output.
  package init(_ forest: DecisionForest) { self.forest = forest }

  /// The logarithm of the odds of a fall, moved so that it is above 0 where a fall is reported.
  package func score(_ signs: FallSigns) -> Float { forest.scores(of: signs.values)[0] }

  package func isFall(_ signs: FallSigns) -> Bool { score(signs) > 0 }

  // MARK: - Files

  /// The file of the model that comes with Kinema.
  package static let fileName = "Falls.json"

  /// The model that comes with Kinema, read once.
  ///
  /// - Throws: ``WatchError`` where its file is missing or damaged.
  package static var builtIn: FallModel {
    get throws(WatchError) { try reading.get() }
  }

  private static let reading: Result<FallModel, WatchError> = Result {
    () throws(WatchError) -> FallModel in
    guard let url = InstalledResource(fileName).located() else {
      throw WatchError(
        .notFound, "\(fileName), which comes with Kinema, is missing; install Kinema again.")
    }
    // Its signs are those of postures, too.
    do throws(ActionError) {
      _ = try PostureModel.installed
    } catch {
      throw WatchError(.notFound, error.message)
    }
    return try FallModel(contentsOf: url)
  }

  /// Reads a model; throws ``WatchError`` where the file is none.
  package init(contentsOf url: URL) throws(WatchError) {
    do {
      forest = try JSONDecoder().decodeForeign(DecisionForest.self, from: Data(contentsOf: url))
    } catch {
      throw WatchError(
        .malformed, "\(url.path) is not a model of falls; make it with kinema bench falls --fit.")
    }
    guard forest.isWhole(signs: FallSigns.names, outputCount: 1) else {
      throw WatchError(
        .malformed,
        "\(url.path) has a tree that is not whole; make it with kinema bench falls --fit.")
    }
  }
}
