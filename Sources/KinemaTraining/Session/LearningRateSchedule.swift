import Foundation

/// The learning rate of each step: it rises to its peak and falls to almost nothing, both along half
/// a cosine (Smith and Topin, *Super-Convergence*, 2018).
struct LearningRateSchedule {
  /// The highest rate.
  let peak: Double
  /// How many steps there are.
  let stepCount: Int
  /// The share of the steps in which the rate rises.
  let warmUpShare: Double

  /// What the peak is divided by at the first step.
  static let initialDivisor = 25.0
  /// What the rate of the first step is divided by at the last.
  static let finalDivisor = 1e4

  /// The rate of a step, counted from 0.
  func rate(at step: Int) -> Double {
    let warmUpSteps = warmUpShare * Double(stepCount)
    let initial = peak / Self.initialDivisor
    if Double(step) < warmUpSteps {
      return Self.between(initial, peak, Double(step) / warmUpSteps)
    }
    let rest = max(1, Double(stepCount - 1) - warmUpSteps)
    return Self.between(peak, initial / Self.finalDivisor, (Double(step) - warmUpSteps) / rest)
  }

  private static func between(_ start: Double, _ end: Double, _ share: Double) -> Double {
    end + (start - end) * (1 + cos(.pi * min(1, max(0, share)))) / 2
  }
}
