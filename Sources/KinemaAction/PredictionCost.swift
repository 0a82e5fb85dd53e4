internal import KinemaModelFiles
internal import KinemaNetwork

/// What one prediction costs, and what its matrix products alone would cost.
package struct PredictionCost: Sendable {
  package let prediction: Duration
  /// The time of the same matrix products without anything between them: the limit.
  package let products: Duration
}

extension ActionClassifier {
  /// Measures both alternately, in rounds of five; the fastest round counts.
  package func measureCost(rounds: Int = 20) -> PredictionCost {
    let workspace = Workspace(model.network)
    let window = (0..<model.network.inputShape.count).map { Float($0 % 17) / 17 }
    let clock = ContinuousClock()
    var prediction: Duration?
    var products: Duration?
    for _ in 0..<max(rounds, 1) {
      let run = clock.measure { for _ in 0..<5 { workspace.run(window) } } / 5
      let limit = clock.measure { for _ in 0..<5 { workspace.runProducts() } } / 5
      prediction = min(prediction ?? run, run)
      products = min(products ?? limit, limit)
    }
    return PredictionCost(prediction: prediction ?? .zero, products: products ?? .zero)
  }
}
