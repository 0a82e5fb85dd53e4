import Foundation

/// Logistic regression with a Gaussian prior on the weights, by Newton's method (Bishop, *Pattern
/// Recognition and Machine Learning*, 2006, 4.3.3).
struct LogisticRegression {
  /// The precision of the prior; the last value of a row, its constant, has none.
  var ridge: Double

  private static let stepCount = 40
  /// The change of the weights at which they are found.
  private static let tolerance = 1e-5

  /// The weights of the values of rows.
  ///
  /// - Parameter rows: At least one, each with as many values; the last of each is 1.
  func fit(_ rows: [[Double]], _ isTrue: [Bool]) -> [Double] {
    let count = rows.first?.count ?? 0
    var weights = [Double](repeating: 0, count: count)
    for _ in 0..<Self.stepCount {
      var gradient = weights.enumerated().map { $0 < count - 1 ? ridge * $1 : 0 }
      var curvature = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
      for index in 0..<count { curvature[index][index] = index < count - 1 ? ridge : 1e-6 }
      for (row, isTrue) in zip(rows, isTrue) {
        let odds = zip(row, weights).reduce(0) { $0 + $1.0 * $1.1 }
        let probability = 1 / (1 + exp(-odds))
        let (error, slope) = (probability - (isTrue ? 1 : 0), probability * (1 - probability))
        for i in 0..<count {
          gradient[i] += row[i] * error
          let scaled = slope * row[i]
          for j in 0...i { curvature[i][j] += scaled * row[j] }
        }
      }
      let step = Self.solve(curvature, gradient)
      for index in 0..<count { weights[index] -= step[index] }
      if step.allSatisfy({ abs($0) < Self.tolerance }) { break }
    }
    return weights
  }

  /// Solves for a symmetric positive definite matrix, of which the lower half is read, by Cholesky's
  /// decomposition.
  private static func solve(_ matrix: [[Double]], _ values: [Double]) -> [Double] {
    let count = values.count
    var lower = matrix
    var solution = values
    for i in 0..<count {
      for j in 0...i {
        var sum = lower[i][j]
        for k in 0..<j { sum -= lower[i][k] * lower[j][k] }
        lower[i][j] = i == j ? max(sum, 1e-12).squareRoot() : sum / lower[j][j]
      }
      for k in 0..<i { solution[i] -= lower[i][k] * solution[k] }
      solution[i] /= lower[i][i]
    }
    for i in stride(from: count - 1, through: 0, by: -1) {
      for k in i + 1..<count { solution[i] -= lower[k][i] * solution[k] }
      solution[i] /= lower[i][i]
    }
    return solution
  }
}
