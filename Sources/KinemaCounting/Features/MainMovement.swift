/// The directions in which a group of features varies most round its running mean, and where each
/// frame is along them.
struct MainMovement {
  /// How many directions there are.
  static let directionCount = 4
  /// The distance from zero, in medians of all frames, beyond which a frame counts less: single
  /// outliers must not decide the directions.
  static let longestDistance: Float = 2.5
  /// How often the directions are turned towards the greatest variance.
  private static let turns = 24

  /// The group without its running mean, `[frames, dimension]`.
  private let values: [Float]
  private let dimension: Int
  /// `[directionCount, dimension]`, of length 1 each; zeros where nothing varies.
  private let directions: [Float]

  init(_ group: FeatureGroup) {
    dimension = group.dimension
    values = Self.withoutMean(group)
    directions = Self.directions(of: values, dimension: group.dimension)
  }

  /// Where each frame is.
  var main: FeatureGroup {
    along(Array(0..<dimension), signs: Array(repeating: 1, count: dimension))
  }

  /// Where each frame would be with its features in another order and with other signs.
  func along(_ order: [Int], signs: [Float]) -> FeatureGroup {
    let count = values.count / dimension
    var result = [Float](repeating: 0, count: count * Self.directionCount)
    for direction in 0..<Self.directionCount {
      var weights = [Float](repeating: 0, count: dimension)
      for column in 0..<dimension {
        weights[order[column]] += signs[column] * directions[direction * dimension + column]
      }
      for frame in 0..<count {
        var sum: Float = 0
        for column in 0..<dimension { sum += values[frame * dimension + column] * weights[column] }
        result[frame * Self.directionCount + direction] = sum
      }
    }
    return FeatureGroup(dimension: Self.directionCount, values: result)
  }

  /// The features less their means within ``MotionFeatures/reach`` frames on either side.
  private static func withoutMean(_ group: FeatureGroup) -> [Float] {
    let (count, dimension, reach) = (group.count, group.dimension, MotionFeatures.reach)
    var result = group.values
    var sums = [Double](repeating: 0, count: count + 1)
    for column in 0..<dimension {
      for frame in 0..<count {
        sums[frame + 1] = sums[frame] + Double(group.values[frame * dimension + column])
      }
      for frame in 0..<count {
        let (low, high) = (max(frame - reach, 0), min(frame + reach + 1, count))
        result[frame * dimension + column] -= Float((sums[high] - sums[low]) / Double(high - low))
      }
    }
    return result
  }

  /// The first principal directions, by orthogonal iteration (Golub and Van Loan, *Matrix
  /// Computations*, §8.2.4).
  private static func directions(of values: [Float], dimension: Int) -> [Float] {
    let covariance = covariance(of: values, dimension: dimension)
    let variances = (0..<dimension).map { covariance[$0 * dimension + $0] }
    let order = (0..<dimension).sorted { (variances[$1], $0) < (variances[$0], $1) }
    var directions = [Float](repeating: 0, count: directionCount * dimension)
    // A column of the covariance has much of the greatest directions already.
    for (index, column) in order.prefix(directionCount).enumerated() {
      for row in 0..<dimension {
        directions[index * dimension + row] = covariance[row * dimension + column]
      }
    }
    orthonormalise(&directions, dimension: dimension)
    for _ in 0..<turns {
      var turned = directions
      for index in 0..<directionCount {
        for row in 0..<dimension {
          var sum: Float = 0
          for column in 0..<dimension {
            sum += covariance[row * dimension + column] * directions[index * dimension + column]
          }
          turned[index * dimension + row] = sum
        }
      }
      directions = turned
      orthonormalise(&directions, dimension: dimension)
    }
    return directions
  }

  private static func covariance(of values: [Float], dimension: Int) -> [Float] {
    let count = values.count / dimension
    let distances = (0..<count).map { frame in
      values[(frame * dimension)..<((frame + 1) * dimension)].reduce(0) { $0 + $1 * $1 }
    }
    let sorted = distances.sorted()
    let usual = sorted.isEmpty ? 0 : sorted[count / 2]
    let most = longestDistance * longestDistance * usual
    var covariance = [Float](repeating: 0, count: dimension * dimension)
    for frame in 0..<count {
      let weight = distances[frame] > most ? most / distances[frame] : 1
      for row in 0..<dimension {
        let value = values[frame * dimension + row] * weight
        for column in 0..<dimension {
          covariance[row * dimension + column] += value * values[frame * dimension + column]
        }
      }
    }
    return covariance.map { $0 / Float(max(count, 1)) }
  }

  /// The Gram–Schmidt process; a vector without length becomes zero.
  private static func orthonormalise(_ directions: inout [Float], dimension: Int) {
    for index in 0..<directionCount {
      let start = index * dimension
      var before: Float = 0
      for column in 0..<dimension {
        before += directions[start + column] * directions[start + column]
      }
      for other in 0..<index {
        var product: Float = 0
        for column in 0..<dimension {
          product += directions[start + column] * directions[other * dimension + column]
        }
        for column in 0..<dimension {
          directions[start + column] -= product * directions[other * dimension + column]
        }
      }
      var square: Float = 0
      for column in 0..<dimension {
        square += directions[start + column] * directions[start + column]
      }
      let scale = square > 1e-6 * before && square > 1e-30 ? 1 / square.squareRoot() : 0
      for column in 0..<dimension { directions[start + column] *= scale }
    }
  }
}
