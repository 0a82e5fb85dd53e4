/// Some features of each frame that are compared as one vector.
package struct FeatureGroup: Sendable {
  /// How many features a frame has.
  package let dimension: Int
  /// The features, `[frames, dimension]`.
  package var values: [Float]

  /// The number of frames.
  package var count: Int { values.count / dimension }

  package init(dimension: Int, values: [Float]) {
    self.dimension = dimension
    self.values = values
  }

  /// The mean of each feature over all frames.
  package var mean: [Float] {
    var sums = [Float](repeating: 0, count: dimension)
    for (index, value) in values.enumerated() { sums[index % dimension] += value }
    return sums.map { $0 / Float(max(count, 1)) }
  }

  /// The features in another order and with other signs, moved so that their mean stays that of the
  /// group where wanted.
  func rearranged(_ order: [Int], signs: [Float], keepingMean: Bool) -> FeatureGroup {
    var result = self
    for frame in 0..<count {
      for column in 0..<dimension {
        result.values[frame * dimension + column] =
          values[frame * dimension + order[column]] * signs[column]
      }
    }
    guard keepingMean else { return result }
    let shift = zip(mean, result.mean).map { $0 - $1 }
    for index in result.values.indices { result.values[index] += shift[index % dimension] }
    return result
  }

  /// How much the group goes the same way as another: the sum over the features of their covariances.
  ///
  /// - Parameters:
  ///   - other: A group of the same features.
  ///   - pairs: Frames of this group, each with the frame of the other that belongs to it.
  func covariance(with other: FeatureGroup, at pairs: [(Int, Int)]) -> Float {
    let scale = 1 / Float(max(pairs.count, 1))
    return (0..<dimension).reduce(0) { total, column in
      var (sum, otherSum, products): (Float, Float, Float) = (0, 0, 0)
      for (frame, otherFrame) in pairs {
        let value = values[frame * dimension + column]
        let otherValue = other.values[otherFrame * dimension + column]
        sum += value
        otherSum += otherValue
        products += value * otherValue
      }
      return total + (products - sum * otherSum * scale) * scale
    }
  }

  /// How much the group varies round each of the given frames: the sum over the features of their
  /// variances within `reach` frames on either side.
  package func variances(at frames: [Int], reach: Int) -> [Float] {
    let count = count
    var variances = [Float](repeating: 0, count: frames.count)
    var sums = [Double](repeating: 0, count: count + 1)
    var squares = sums
    for column in 0..<dimension {
      for frame in 0..<count {
        let value = Double(values[frame * dimension + column])
        sums[frame + 1] = sums[frame] + value
        squares[frame + 1] = squares[frame] + value * value
      }
      for (index, frame) in frames.enumerated() {
        let (low, high) = (max(frame - reach, 0), min(frame + reach + 1, count))
        let mean = (sums[high] - sums[low]) / Double(high - low)
        let variance = (squares[high] - squares[low]) / Double(high - low) - mean * mean
        variances[index] += Float(max(variance, 0))
      }
    }
    return variances
  }
}
