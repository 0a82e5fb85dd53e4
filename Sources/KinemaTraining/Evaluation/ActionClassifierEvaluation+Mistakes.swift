public import Foundation

extension ActionClassifierEvaluation {
  /// A window that was taken for something else.
  public struct Mistake: Hashable, Sendable {
    /// The file as the user named it.
    public let file: String
    /// The time of the window in the video's seconds.
    public let timeRange: Range<TimeInterval>
    /// What is done.
    public let label: String
    /// What the model says.
    public let predicted: String
    /// How sure it is, 0…1.
    public let confidence: Double
    /// The probability that it gives the truth, 0…1.
    public let truthProbability: Double
  }

  /// The windows that were taken for something else, the surest first.
  ///
  /// - Parameter limit: The greatest number to give.
  public func mistakes(limit: Int = .max) -> [Mistake] {
    let all = examples.flatMap { example in
      example.windows.filter { $0.predicted != example.truth }.map { window in
        Mistake(
          file: example.file, timeRange: window.timeRange, label: labels[example.truth],
          predicted: labels[window.predicted],
          confidence: Double(window.probabilities[window.predicted]),
          truthProbability: Double(window.probabilities[example.truth]))
      }
    }
    // Stable: those alike keep the order of the examples.
    let ranked = all.enumerated().sorted {
      ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset)
    }
    return ranked.prefix(limit).map(\.element)
  }
}
