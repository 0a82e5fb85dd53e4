import Foundation

/// The one-cycle learning rate: up and down along half cosines (Smith and Topin,
/// *Super-Convergence*, 2018).
struct LearningRateSchedule {
  let peak: Double
  let stepCount: Int
  /// Share of the steps in which the rate rises.
  let warmUpShare: Double
  /// The share of the peak below which the rate does not fall; `nil` for a fall to the end.
  var heldShare: Double?

  /// Ratio of the peak to the first step's rate.
  static let initialDivisor = 25.0
  /// Ratio of the first step's rate to the last one's.
  static let finalDivisor = 1e4

  func rate(at step: Int) -> Double {
    isHeld(at: step) ? peak * (heldShare ?? 0) : oneCycle(at: step)
  }

  /// Whether the rate falls no longer.
  func isHeld(at step: Int) -> Bool {
    guard let heldShare, Double(step) > warmUpShare * Double(stepCount) else { return false }
    return oneCycle(at: step) <= peak * heldShare
  }

  private func oneCycle(at step: Int) -> Double {
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
