public import Foundation

extension ActionClassifierEvaluation {
  /// A window with a wrong prediction.
  public struct Mistake: Hashable, Sendable {
    /// The file as the user named it.
    public let file: String
    /// The window's time in the video, in seconds.
    public let timeRange: Range<TimeInterval>
    /// The true label.
    public let label: String
    /// The predicted label.
    public let predicted: String
    /// The predicted label's probability, 0…1.
    public let confidence: Double
    /// The true label's probability, 0…1.
    public let truthProbability: Double
  }

  /// The wrong windows, highest confidence first.
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
    // Stable: equal ones stay in the order of the examples.
    let ranked = all.enumerated().sorted {
      ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset)
    }
    return ranked.prefix(limit).map(\.element)
  }
}
