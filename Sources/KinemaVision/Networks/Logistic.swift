import Foundation

/// The logistic function, which turns a network's score into a probability.
func logistic(_ score: Float) -> Float {
  1 / (1 + exp(-min(max(score, -80), 80)))
}
