/// Colour histograms of parts of the clothes, such as trunk and thighs.
package struct Appearance: Hashable, Sendable {
  /// The share of each colour cell in each part; empty if too little of the part is visible.
  package private(set) var parts: [[Float]]
  /// Whether nobody was near, so that all colours are this person's.
  package var isClear = true
  /// The weight of each part.
  private let weights: [Float]

  /// Creates an appearance; `nil` if no part is visible.
  package init?(parts: [[Float]], weights: [Float]) {
    guard parts.contains(where: { !$0.isEmpty }) else { return nil }
    (self.parts, self.weights) = (parts, weights)
  }

  /// Whether all parts are visible.
  package var isWhole: Bool { !parts.contains { $0.isEmpty } }

  /// The Hellinger distance of the histograms, from 0 to 1; 0.5 without a common part.
  package func difference(from other: Appearance) -> Float {
    var (sum, weight): (Float, Float) = (0, 0)
    for (index, (mine, theirs)) in zip(parts, other.parts).enumerated()
    where !mine.isEmpty && !theirs.isEmpty {
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
