/// Features of each frame that are compared as one vector.
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

  /// Each frame with a quarter of either neighbour.
  var smoothed: FeatureGroup {
    var result = self
    values.withUnsafeBufferPointer { values in
      for index in values.indices {
        let column = index % dimension
        let low = index >= dimension ? index - dimension : column
        let high = index + dimension < values.count ? index + dimension : index
        result.values[index] = 0.5 * values[index] + 0.25 * (values[low] + values[high])
      }
    }
    return result
  }

  func squaredDistance(at frame: Int, to other: FeatureGroup, at otherFrame: Int) -> Float {
    values.withUnsafeBufferPointer { values in
      other.values.withUnsafeBufferPointer { others in
        var sum: Float = 0
        for column in 0..<dimension {
          let difference =
            values[frame * dimension + column] - others[otherFrame * dimension + column]
          sum += difference * difference
        }
        return sum
      }
    }
  }

  /// How much each feature goes the same way as in another group: their covariances.
  ///
  /// - Parameters:
  ///   - other: A group of the same features.
  ///   - pairs: Frames of this group, each with the frame of the other that belongs to it; not empty.
  func covariances(with other: FeatureGroup, at pairs: [(Int, Int)]) -> [Float] {
    var products = [Float](repeating: 0, count: dimension)
    var (sums, otherSums) = (products, products)
    values.withUnsafeBufferPointer { values in
      other.values.withUnsafeBufferPointer { others in
        for (frame, otherFrame) in pairs {
          for column in 0..<dimension {
            let (one, another) = (
              values[frame * dimension + column], others[otherFrame * dimension + column]
            )
            products[column] += one * another
            sums[column] += one
            otherSums[column] += another
          }
        }
      }
    }
    let count = Float(pairs.count)
    return (0..<dimension).map {
      (products[$0] - sums[$0] * otherSums[$0] / count) / count
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
