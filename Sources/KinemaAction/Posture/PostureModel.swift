package import Foundation
import KinemaFiles
import KinemaModelFiles
package import KinemaNetwork

/// Recognises postures from their signs: small decision trees that `kinema bench postures --fit` learns.
package struct PostureModel: Hashable, Codable, Sendable {
  /// Scores of `HumanBodyPosture.Kind.allCases`, whose softmax is their probability.
  package let kinds: DecisionForest
  /// The logarithm of the odds that a person does nothing but hold the posture, or take plain steps.
  package let plainness: DecisionForest

  package init(kinds: DecisionForest, plainness: DecisionForest) {
    (self.kinds, self.plainness) = (kinds, plainness)
  }

  package func posture(_ signs: PostureSigns) -> HumanBodyPosture {
    let scores = kinds.scores(of: signs.values)
    let highest = scores.max() ?? 0
    let odds = scores.map { Double(exp($0 - highest)) }
    let sum = odds.reduce(0, +)
    var shares = odds.map { $0 / sum }
    if let stepRate = signs.stepRate {
      let (walking, running) = (
        HumanBodyPosture.Kind.walking.place, HumanBodyPosture.Kind.running.place
      )
      let steps = shares[walking] + shares[running]
      shares[running] = steps * StepRate.runningShare(at: stepRate)
      shares[walking] = steps - shares[running]
    }
    return HumanBodyPosture(
      shares: shares,
      plainness: 1 / (1 + exp(-Double(plainness.scores(of: signs.values)[0]))))
  }

  // MARK: - Files

  /// The file of the model that comes with Kinema.
  package static let fileName = "Postures.json"

  /// The model that comes with Kinema, read once; `nil` where it is missing or damaged.
  // Actions are recognised without postures as well: an incomplete installation is no reason to stop.
  static var builtIn: PostureModel? { try? reading.get() }

  /// The model that comes with Kinema, read once.
  ///
  /// - Throws: ``ActionError`` where its file is missing or damaged.
  package static var installed: PostureModel {
    get throws(ActionError) { try reading.get() }
  }

  private static let reading: Result<PostureModel, ActionError> = Result {
    () throws(ActionError) -> PostureModel in
    guard let url = InstalledResource(fileName).located() else {
      throw ActionError(
        .notInstalled, "\(fileName), which comes with Kinema, is missing; install Kinema again.",
        text: MessageText("partMissing", ["part": fileName]))
    }
    return try PostureModel(contentsOf: url)
  }

  /// Reads a model; throws ``ActionError`` where the file is none.
  package init(contentsOf url: URL) throws(ActionError) {
    do {
      self = try JSONDecoder().decodeForeign(Self.self, from: Data(contentsOf: url))
    } catch {
      throw ActionError(
        .malformedModel,
        "\(url.path) is not a model of postures; make it with kinema bench postures --fit",
        cause: error)
    }
    guard
      kinds.isWhole(signs: PostureSigns.names, outputCount: HumanBodyPosture.Kind.allCases.count),
      plainness.isWhole(signs: PostureSigns.names, outputCount: 1)
    else {
      throw ActionError(
        .malformedModel,
        "\(url.path) has a tree that is not whole; make it with kinema bench postures --fit")
    }
  }
}
