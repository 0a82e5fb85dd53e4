import Foundation

/// A limit of a measure, and what is said where it is not kept.
package struct Rule: Hashable, Sendable {
  /// The name in the rulebook, such as `depth`.
  package let name: String
  package let measure: Measure
  package let limits: Limits
  /// The limit as the rulebook has it.
  package let limit: String
  /// The cue.
  package let say: String
  /// The views in which it is evaluated; `nil` for all in which the measure can be seen.
  package let views: Set<CameraView>?
  /// Where the limit comes from.
  package let source: String?
  /// Whether a repetition is good only where this rule, or another that decides, is kept.
  package let decides: Bool

  /// What a value must be, such as `below 100°` or `from 70° to 110°`.
  package struct Limits: Hashable, Sendable {
    package var least: Double?
    package var most: Double?

    /// How far a value is beyond the limits; 0 within.
    package func excess(of value: Double) -> Double {
      max((least ?? value) - value, value - (most ?? value), 0)
    }

    /// How far a value is from the nearest limit.
    package func distance(of value: Double) -> Double {
      [least, most].compactMap(\.self).map { abs($0 - value) }.min() ?? .infinity
    }

    private static let words: [(String, isMost: Bool)] = [
      ("below ", true), ("at most ", true), ("above ", false), ("at least ", false),
    ]

    /// `nil` where the text is no limit in the unit.
    package init?(_ text: String, in unit: Measure.Unit) {
      let text = text.lowercased().trimmingCharacters(in: .whitespaces)
      func number(_ text: Substring) -> Double? {
        var text = text.trimmingCharacters(in: .whitespaces)
        if text.hasSuffix(unit.rawValue) { text.removeLast(unit.rawValue.count) }
        return Double(text.trimmingCharacters(in: .whitespaces)).flatMap { $0.isFinite ? $0 : nil }
      }
      if let (word, isMost) = Self.words.first(where: { text.hasPrefix($0.0) }) {
        guard let limit = number(text.dropFirst(word.count)) else { return nil }
        (least, most) = isMost ? (nil, limit) : (limit, nil)
        return
      }
      guard text.hasPrefix("from "), let to = text.firstRange(of: " to "),
        let low = number(text[text.index(text.startIndex, offsetBy: 5)..<to.lowerBound]),
        let high = number(text[to.upperBound...]), low < high
      else { return nil }
      (least, most) = (low, high)
    }

    package init(least: Double? = nil, most: Double? = nil) {
      (self.least, self.most) = (least, most)
    }
  }
}
