/// Colour histograms of parts of the clothes, such as trunk and thighs.
package struct Appearance: Hashable, Sendable {
  /// The share of each colour cell in each part; empty if too little of the part is visible.
  package private(set) var parts: [[Float]]
  /// Whether nobody was near, so that all colours are this person's.
  package var isClear = true
  /// The weight of each part, and its weight between two people.
  private let weights: [Float]
  private let detailedWeights: [Float]

  /// Creates an appearance; `nil` if no part with a weight is visible.
  ///
  /// - Parameter detailedWeights: The weights of a ``detailedDifference(from:)``; by default the
  ///   same.
  package init?(parts: [[Float]], weights: [Float], detailedWeights: [Float]? = nil) {
    guard zip(parts, weights).contains(where: { !$0.isEmpty && $1 > 0 }) else { return nil }
    (self.parts, self.weights) = (parts, weights)
    self.detailedWeights = detailedWeights ?? weights
  }

  /// The Hellinger distance of the histograms, from 0 to 1; 0.5 without a common part.
  package func difference(from other: Appearance) -> Float {
    difference(from: other, weights: weights)
  }

  /// The same with the parts that distinguish two people, but look different from another side, such
  /// as the head.
  package func detailedDifference(from other: Appearance) -> Float {
    difference(from: other, weights: detailedWeights)
  }

  private func difference(from other: Appearance, weights: [Float]) -> Float {
    var (sum, weight): (Float, Float) = (0, 0)
    for (index, (mine, theirs)) in zip(parts, other.parts).enumerated()
    where weights[index] > 0 && !mine.isEmpty && !theirs.isEmpty {
      let common = zip(mine, theirs).reduce(Float(0)) { $0 + ($1.0 * $1.1).squareRoot() }
      sum += weights[index] * max(0, 1 - common).squareRoot()
      weight += weights[index]
    }
    return weight == 0 ? 0.5 : sum / weight
  }

  /// Blends in another appearance with a weight from 0 to 1.
  package mutating func blend(with other: Appearance, weight: Float) {
    for index in parts.indices where !other.parts[index].isEmpty {
      parts[index] =
        parts[index].isEmpty
        ? other.parts[index]
        : zip(parts[index], other.parts[index]).map { $0 + ($1 - $0) * weight }
    }
  }
}

/// The mean of the appearances of a track.
package struct MeanAppearance: Sendable {
  /// The mean; `nil` before the first.
  package private(set) var value: Appearance?
  /// The number of appearances.
  package private(set) var count: Float = 0

  package init() {}

  /// Adds an appearance, if known.
  package mutating func add(_ seen: Appearance?, rules: TrackingRules) {
    guard let seen else { return }
    count += 1
    if value == nil { value = seen }
    value?.blend(with: seen, weight: max(1 / count, rules.appearanceWeight))
  }
}
