internal import CTrainingKernels

/// The optimiser of both trainers: AdamW (Loshchilov and Hutter, *Decoupled Weight Decay
/// Regularization*, ICLR 2019).
///
/// m ← β₁m + (1 − β₁)g, v ← β₂v + (1 − β₂)g², w ← w − η·(λw + m̂ / (√v̂ + ε)), where
/// m̂ = m / (1 − β₁ᵗ) and v̂ = v / (1 − β₂ᵗ) at step t. η, the learning rate, is the caller's.
package struct AdamW: Codable, Hashable, Sendable {
  /// λ: how much weights shrink in a step, times the learning rate; biases and normalisations do
  /// not.
  package var weightDecay: Float = 0.01
  /// How much of the mean gradient a step keeps.
  package var beta1: Float = 0.9
  /// How much of the mean square gradient a step keeps.
  package var beta2: Float = 0.999
  package var epsilon: Float = 1e-8

  package init(weightDecay: Float = 0.01) { self.weightDecay = weightDecay }

  /// Throws ``NetworkError`` for numbers out of range.
  func check() throws {
    guard (0..<1).contains(beta1), (0..<1).contains(beta2), epsilon > 0, epsilon.isFinite,
      weightDecay >= 0, weightDecay.isFinite
    else { throw NetworkError(.parameters, "the optimiser's numbers are out of range") }
  }

  /// The numbers of step `step`, from 1.
  func settings(step: Int, learningRate: Float) -> training_adamw_settings {
    training_adamw_settings(
      learning_rate: learningRate, beta1: beta1, beta2: beta2, epsilon: epsilon,
      weight_decay: weightDecay, correction1: 1 / (1 - Self.power(beta1, step)),
      correction2: 1 / (1 - Self.power(beta2, step)))
  }

  /// By squaring: the same bits on every machine.
  private static func power(_ base: Float, _ exponent: Int) -> Float {
    var (result, factor, rest) = (1.0, Double(base), exponent)
    while rest > 0 {
      if rest % 2 == 1 { result *= factor }
      factor *= factor
      rest /= 2
    }
    return Float(result)
  }
}
