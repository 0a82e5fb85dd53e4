internal import Foundation

/// The divisor of a classifier's scores that calibrates it: softmax(z / T) (Guo et al., *On
/// Calibration of Modern Neural Networks*, ICML 2017, §4.2).
public struct Temperature: Hashable, Codable, Sendable {
  /// The temperature; above 1 for an overconfident classifier.
  public let value: Double
  /// Mean log loss without a temperature, in nats.
  public let logLossBefore: Double
  /// Mean log loss with temperatures fitted to the other half of the data, in nats.
  public let logLossAfter: Double

  /// The allowed range; for few examples without mistakes the optimum would be 0.
  public static let range = 0.25...10.0

  /// Fewest videos, or people where they are known, that each class needs for a temperature.
  public static let fewestGroups = 5
  /// Fewest of them for a temperature below 1: few without a mistake would give certainty.
  public static let fewestGroupsToSharpen = 20
  /// Smallest improvement of the log loss, in nats.
  private static let leastGain = 1e-3

  /// The temperature with the smallest log loss, if it also improves data it was not fitted to.
  ///
  /// Groups are split into two halves; each is evaluated with the temperature of the other.
  ///
  /// - Parameters:
  ///   - logits: The scores of each example, or log probabilities.
  ///   - labels: The class of each example.
  ///   - groups: The video or person of each example, which stays in one half; by default each
  ///     example is its own.
  /// - Returns: `nil` without improvement, and where a class has fewer than ``fewestGroups`` groups,
  ///   or ``fewestGroupsToSharpen`` for a value below 1.
  public static func fitted(
    to logits: [[Float]], labels: [Int], groups: [Int]? = nil
  ) -> Temperature? {
    precondition(logits.count == labels.count && (groups?.count ?? labels.count) == labels.count)
    var order: [Int: Int] = [:]
    let groups = groups ?? Array(labels.indices)
    for group in groups where order[group] == nil { order[group] = order.count }
    let classCount = logits.first?.count ?? 0
    let fewest = (0..<classCount).map { label in
      Set(labels.indices.filter { labels[$0] == label }.map { groups[$0] }).count
    }.min()
    guard let fewest, fewest >= fewestGroups else { return nil }
    let scores = logits.map { $0.map(Double.init) }
    let halves = [0, 1].map { half in
      labels.indices.filter { (order[groups[$0]] ?? 0) % 2 == half }
    }
    var sum = 0.0
    for (fitted, heldOut) in [(halves[0], halves[1]), (halves[1], halves[0])] {
      let inverse = bestInverse(fitted.map { scores[$0] }, fitted.map { labels[$0] })
      sum += heldOut.reduce(0) { $0 + logLoss(scores[$1], labels[$1], inverse) }
    }
    let count = Double(labels.count)
    let before = zip(scores, labels).reduce(0) { $0 + logLoss($1.0, $1.1, 1) } / count
    guard sum / count < before - leastGain else { return nil }
    let value = 1 / bestInverse(scores, labels)
    guard value >= 1 || fewest >= fewestGroupsToSharpen else { return nil }
    return Temperature(value: value, logLossBefore: before, logLossAfter: sum / count)
  }

  /// The temperature of a classifier without scores.
  public static func fitted(
    toProbabilities probabilities: [[Float]], labels: [Int], groups: [Int]? = nil
  ) -> Temperature? {
    fitted(
      to: probabilities.map { $0.map { log(max($0, .leastNormalMagnitude)) } }, labels: labels,
      groups: groups)
  }

  /// The temperature, at least 1, with the smallest log loss: few examples can show that a classifier
  /// is too confident, but not that it may be more so.
  package static func softening(_ probabilities: [[Float]], labels: [Int]) -> Double {
    let scores = probabilities.map { $0.map { log(Double(max($0, .leastNormalMagnitude))) } }
    return max(1, 1 / bestInverse(scores, labels))
  }

  /// −log p of the label at an inverse temperature.
  private static func logLoss(_ scores: [Double], _ label: Int, _ inverse: Double) -> Double {
    let highest = scores.max() ?? 0
    let sum = scores.reduce(0) { $0 + exp(inverse * ($1 - highest)) }
    return log(sum) - inverse * (scores[label] - highest)
  }

  /// The β = 1/T of the smallest log loss, by Newton's method with bisection.
  ///
  /// The loss is convex in β: its derivative is Σ (E[z] − z of the label), its second one Σ Var[z].
  private static func bestInverse(_ scores: [[Double]], _ labels: [Int]) -> Double {
    func derivatives(_ inverse: Double) -> (first: Double, second: Double) {
      var (first, second) = (0.0, 0.0)
      for (scores, label) in zip(scores, labels) {
        let highest = scores.max() ?? 0
        var (sum, mean, square) = (0.0, 0.0, 0.0)
        for score in scores {
          let weight = exp(inverse * (score - highest))
          sum += weight
          mean += weight * (score - highest)
          square += weight * (score - highest) * (score - highest)
        }
        mean /= sum
        first += mean - (scores[label] - highest)
        second += square / sum - mean * mean
      }
      return (first, second)
    }
    var (low, high) = (1 / range.upperBound, 1 / range.lowerBound)
    if derivatives(low).first >= 0 { return low }
    if derivatives(high).first <= 0 { return high }
    var inverse = 1.0
    for _ in 0..<60 {
      let (first, second) = derivatives(inverse)
      if first > 0 { high = inverse } else { low = inverse }
      let step = second > 0 ? inverse - first / second : .infinity
      let next = step > low && step < high ? step : (low + high) / 2
      if abs(next - inverse) < 1e-12 { return next }
      inverse = next
    }
    return inverse
  }
}
