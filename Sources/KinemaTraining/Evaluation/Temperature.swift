internal import Foundation

/// The number by which a classifier's scores are divided so that its probabilities tell how often
/// it is right: softmax(z / T) (Guo et al., *On Calibration of Modern Neural Networks*, ICML 2017,
/// §4.2).
public struct Temperature: Hashable, Codable, Sendable {
  /// The temperature; above 1 where the classifier is too sure of itself.
  public let value: Double
  /// The mean log loss as it was, in nats, on data that the temperature was not fitted to.
  public let logLossBefore: Double
  /// The mean log loss with temperatures fitted to the other half of the data, in nats.
  public let logLossAfter: Double

  /// What can be a temperature: where few examples are all right, the likeliest one would make the
  /// classifier boundlessly sure.
  public static let range = 0.25...10.0

  /// A smaller fall of the log loss, in nats, is none.
  private static let leastGain = 1e-6

  /// The temperature that makes labels the likeliest, where that holds for data it was not fitted to.
  ///
  /// The groups are dealt out to two halves; for each half a temperature is fitted to the other. Only
  /// where both together lower the mean log loss is one fitted to everything.
  ///
  /// - Parameters:
  ///   - logits: The scores of each example, one for each class; natural logarithms of probabilities
  ///     serve as well.
  ///   - labels: The class of each example.
  ///   - groups: What each example belongs to (its video); those alike stay in one half. Every
  ///     example on its own where there are none.
  /// - Returns: `nil` where there are fewer than two groups or the log loss does not fall.
  public static func fitted(
    to logits: [[Float]], labels: [Int], groups: [Int]? = nil
  ) -> Temperature? {
    precondition(logits.count == labels.count && (groups?.count ?? labels.count) == labels.count)
    var order: [Int: Int] = [:]
    let groups = groups ?? Array(labels.indices)
    for group in groups where order[group] == nil { order[group] = order.count }
    guard order.count >= 2 else { return nil }
    let scores = logits.map { $0.map(Double.init) }
    let halves = [0, 1].map { half in
      labels.indices.filter { (order[groups[$0]] ?? 0) % 2 == half }
    }
    var sum = 0.0
    for (fitted, judged) in [(halves[0], halves[1]), (halves[1], halves[0])] {
      let inverse = bestInverse(fitted.map { scores[$0] }, fitted.map { labels[$0] })
      sum += judged.reduce(0) { $0 + logLoss(scores[$1], labels[$1], inverse) }
    }
    let count = Double(labels.count)
    let before = zip(scores, labels).reduce(0) { $0 + logLoss($1.0, $1.1, 1) } / count
    guard sum / count < before - leastGain else { return nil }
    return Temperature(
      value: 1 / bestInverse(scores, labels), logLossBefore: before, logLossAfter: sum / count)
  }

  /// The temperature for classifiers of which only probabilities are known.
  public static func fitted(
    toProbabilities probabilities: [[Float]], labels: [Int], groups: [Int]? = nil
  ) -> Temperature? {
    fitted(
      to: probabilities.map { $0.map { log(max($0, .leastNormalMagnitude)) } }, labels: labels,
      groups: groups)
  }

  /// −log p of the label at an inverse temperature.
  private static func logLoss(_ scores: [Double], _ label: Int, _ inverse: Double) -> Double {
    let highest = scores.max() ?? 0
    let sum = scores.reduce(0) { $0 + exp(inverse * ($1 - highest)) }
    return log(sum) - inverse * (scores[label] - highest)
  }

  /// The β = 1/T of the smallest log loss.
  ///
  /// The loss is convex in β: its derivative is Σ (E[z] − z of the label), its second derivative
  /// Σ Var[z]. Newton's steps, halving the bracket where one would leave it.
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
