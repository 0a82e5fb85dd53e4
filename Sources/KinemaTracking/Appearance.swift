/// Colour histograms of parts of a person, such as trunk and thighs.
package struct Appearance: Hashable, Sendable {
  /// The share of each colour cell in each part; empty if too little of the part is visible.
  package private(set) var parts: [[Float]]
  /// Whether nobody was near, so that all colours are this person's.
  package var isClear = true
  private let weights: [Float]

  /// Creates an appearance; `nil` if no part with a weight is visible.
  ///
  /// - Parameter weights: The weight of each part in a ``difference(from:)``; 0 for parts that
  ///   distinguish two people, but look different from another side, such as the head.
  package init?(parts: [[Float]], weights: [Float]) {
    guard zip(parts, weights).contains(where: { !$0.isEmpty && $1 > 0 }) else { return nil }
    (self.parts, self.weights) = (parts, weights)
  }

  /// The weighted mean difference of the parts, from 0 to 1; 0.5 without a common part.
  package func difference(from other: Appearance) -> Float {
    var (sum, weight): (Float, Float) = (0, 0)
    for (part, difference) in zip(weights, differences(from: other)) {
      guard let difference else { continue }
      sum += part * difference
      weight += part
    }
    return weight == 0 ? 0.5 : sum / weight
  }

  /// The Hellinger distance of the histograms of each part, from 0 to 1; `nil` where one is empty.
  package func differences(from other: Appearance) -> [Float?] {
    zip(parts, other.parts).map { mine, theirs in
      guard !mine.isEmpty, !theirs.isEmpty else { return nil }
      let common = zip(mine, theirs).reduce(Float(0)) { $0 + ($1.0 * $1.1).squareRoot() }
      return max(0, 1 - common).squareRoot()
    }
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
