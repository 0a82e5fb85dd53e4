import Foundation

/// Least squares with a penalty on large weights, over standardised features:
/// W = (XᵀX + λn·I)⁻¹ XᵀY (Hoerl and Kennard, *Ridge Regression*, Technometrics 1970).
struct RidgeRegression {
  /// Weights [targets, features], for features as they come.
  let weights: [[Float]]
  /// What is added for each target.
  let biases: [Float]

  /// Fits weights.
  ///
  /// - Parameters:
  ///   - features: A row of features for each sample; at least one row.
  ///   - targets: A row of wanted values for each sample.
  ///   - penalty: λ, above 0.
  init(features: [[Float]], targets: [[Float]], penalty: Double) {
    let count = features.count
    let featureCount = features[0].count
    let targetCount = targets[0].count
    let standard = Self.standardised(features)
    let targetMeans = (0..<targetCount).map { target in
      targets.reduce(0.0) { $0 + Double($1[target]) } / Double(count)
    }
    // Normal equations, with the targets as further columns.
    var matrix = [[Double]](
      repeating: [Double](repeating: 0, count: featureCount), count: featureCount)
    var right = [[Double]](
      repeating: [Double](repeating: 0, count: featureCount), count: targetCount)
    for (row, wanted) in zip(standard.rows, targets) {
      for first in 0..<featureCount where row[first] != 0 {
        let factor = row[first]
        for second in 0...first { matrix[first][second] += factor * row[second] }
        for target in 0..<targetCount {
          right[target][first] += factor * (Double(wanted[target]) - targetMeans[target])
        }
      }
    }
    for index in 0..<featureCount { matrix[index][index] += penalty * Double(count) }
    Self.factorise(&matrix)
    var weights: [[Float]] = []
    var biases: [Float] = []
    for target in 0..<targetCount {
      let solution = Self.solve(matrix, right[target])
      var bias = targetMeans[target]
      let scaled = solution.enumerated().map { index, value in
        let weight = value / standard.deviations[index]
        bias -= weight * standard.means[index]
        return Float(weight)
      }
      weights.append(scaled)
      biases.append(Float(bias))
    }
    self.weights = weights
    self.biases = biases
  }

  /// The value of each target for a row of features.
  func predict(_ features: [Float]) -> [Float] {
    zip(weights, biases).map { row, bias in
      zip(row, features).reduce(bias) { $0 + $1.0 * $1.1 }
    }
  }

  private static func standardised(
    _ features: [[Float]]
  ) -> (rows: [[Double]], means: [Double], deviations: [Double]) {
    let count = Double(features.count)
    let indices = features[0].indices
    let means = indices.map { index in features.reduce(0.0) { $0 + Double($1[index]) } / count }
    let deviations = indices.map { index in
      let variance = features.reduce(0.0) {
        $0 + (Double($1[index]) - means[index]) * (Double($1[index]) - means[index])
      }
      return max((variance / count).squareRoot(), 1e-9)
    }
    let rows = features.map { row in
      indices.map { (Double(row[$0]) - means[$0]) / deviations[$0] }
    }
    return (rows, means, deviations)
  }

  /// Replaces the lower half of a positive definite matrix by its Cholesky factor.
  private static func factorise(_ matrix: inout [[Double]]) {
    for row in matrix.indices {
      for column in 0...row {
        var sum = matrix[row][column]
        for index in 0..<column { sum -= matrix[row][index] * matrix[column][index] }
        matrix[row][column] = row == column ? sum.squareRoot() : sum / matrix[column][column]
      }
    }
  }

  /// Solves L·Lᵀ·x = b.
  private static func solve(_ factor: [[Double]], _ right: [Double]) -> [Double] {
    var values = right
    for row in factor.indices {
      for column in 0..<row { values[row] -= factor[row][column] * values[column] }
      values[row] /= factor[row][row]
    }
    for row in factor.indices.reversed() {
      for column in (row + 1)..<max(row + 1, factor.count) {
        values[row] -= factor[column][row] * values[column]
      }
      values[row] /= factor[row][row]
    }
    return values
  }
}
