public import Foundation
import KinemaAction

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

  /// The wrong windows, highest confidence first; those that recognition would not evaluate follow,
  /// because too few of their frames show a person.
  public func mistakes(limit: Int = .max) -> [Mistake] {
    let all = examples.flatMap { example in
      example.windows.filter { $0.predicted != example.truth }.map { window in
        (
          isFull: isFull(window),
          mistake: Mistake(
            file: example.file, timeRange: window.timeRange, label: labels[example.truth],
            predicted: labels[window.predicted],
            confidence: Double(window.probabilities[window.predicted]),
            truthProbability: Double(window.probabilities[example.truth]))
        )
      }
    }
    // Stable: equal ones stay in the order of the examples.
    let ranked = all.enumerated().sorted { one, other in
      guard one.element.isFull == other.element.isFull else { return one.element.isFull }
      return (other.element.mistake.confidence, one.offset)
        < (one.element.mistake.confidence, other.offset)
    }
    return ranked.prefix(limit).map(\.element.mistake)
  }

  /// Whether enough of a window's frames, padding included, show a person.
  private func isFull(_ window: Window) -> Bool {
    let length = window.timeRange.upperBound - window.timeRange.lowerBound
    let count = window.poseShare * (length * frameRate).rounded()
    return count + 1e-9 >= ActionRecognizer.Rules().minimumPoseShare * Double(windowSize)
  }
}
