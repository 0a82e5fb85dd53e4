package import Foundation
import KinemaFiles

/// How right executions of a movement differ from wrong ones: a logistic regression over
/// ``RepetitionExtents``, learned from people who did it both ways (`kinema bench form --fit`).
package struct QualityModel: Hashable, Codable, Sendable {
  /// One of the extents.
  package struct Term: Hashable, Codable, Sendable {
    package var name: String
    /// Mean and deviation of what was learned from; an extent that is not seen is taken for the mean.
    package var mean: Float
    package var deviation: Float
    /// What a deviation more adds to the logarithm of the odds that it is right.
    package var weight: Float

    package init(name: String, mean: Float, deviation: Float, weight: Float) {
      (self.name, self.mean, self.deviation, self.weight) = (name, mean, deviation, weight)
    }

    /// By how many deviations it differs from the mean, ``farthest`` at most; `nil` where it is not seen.
    package func distance(of extents: RepetitionExtents) -> Float? {
      extents.values[name].map { max(-Self.farthest, min(Self.farthest, ($0 - mean) / deviation)) }
    }

    /// By how many deviations an extent counts at most: what is farther off is rather seen wrongly.
    private static let farthest: Float = 4
  }

  package var bias: Float
  package var terms: [Term]

  package init(bias: Float, terms: [Term]) { (self.bias, self.terms) = (bias, terms) }

  /// The share of the extents that are not seen from which nothing is said.
  private static let largestUnseen: Float = 0.4
  /// The mean distance from which a repetition is like none, right or wrong, that was learned from: of
  /// other people's, one in a hundred is.
  private static let largestDistance: Float = 1.6
  /// The standard error of the logarithm of the odds, of people who were not learned from: see
  /// docs/benchmarks.md, “Right executions”.
  private static let error: Float = 1

  /// The logarithm of the odds that a repetition is right; `nil` where too little of it is seen, or where it is
  /// another movement.
  package func score(_ extents: RepetitionExtents) -> Float? {
    var (score, distances, count) = (bias, Float(0), Float(0))
    for term in terms {
      guard let distance = term.distance(of: extents) else { continue }
      score += term.weight * distance
      distances += abs(distance)
      count += 1
    }
    guard count >= (1 - Self.largestUnseen) * Float(terms.count), count > 0 else { return nil }
    return distances / count <= Self.largestDistance ? score : nil
  }

  /// The probability that it is right, in per cent.
  package func likeness(_ extents: RepetitionExtents) -> Estimate? {
    guard let score = score(extents) else { return nil }
    func percent(_ score: Float) -> Double { 100 / (1 + exp(-Double(score))) }
    return Estimate(
      value: percent(score), error: (percent(score + Self.error) - percent(score - Self.error)) / 2)
  }

  /// What makes a repetition least like right ones, such as `more sway of the trunk than usual`.
  package func deviation(of extents: RepetitionExtents) -> String? {
    let worst = terms.compactMap { term in
      term.distance(of: extents).map { (term, term.weight * $0) }
    }
    .min { $0.1 < $1.1 }
    guard let (term, value) = worst, value < 0 else { return nil }
    return "\(term.weight < 0 ? "more" : "less") \(term.name) than in right executions"
  }
}

extension [String: QualityModel] {
  /// The models that come with Kinema, by labels; throws ``CoachError`` where their file is missing or
  /// damaged.
  package static var builtIn: Self {
    get throws(CoachError) {
      let url = try CoachFile.quality.url
      let data = try CoachFile.quality.data(at: url)
      do {
        return try JSONDecoder().decodeForeign(Self.self, from: data)
      } catch {
        throw CoachError(.malformed, "\(url.path) is damaged; install Kinema again.")
      }
    }
  }

  /// The file of these models.
  package var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return try encoder.encode(self)
    }
  }
}
