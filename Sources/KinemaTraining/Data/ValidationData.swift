import Foundation
import KinemaSynth

/// Which examples judge a model while it is trained, as `MLActionClassifier.ModelParameters` has it.
public enum ValidationData: Hashable, Sendable {
  /// Some of the training videos, which are then not trained on.
  case split(strategy: SplitStrategy)
  /// Data of their own.
  case dataSource(ActionClassifierDataSource)
  /// None.
  case none
}

/// How many of the training videos are taken for validation.
public enum SplitStrategy: Hashable, Codable, Sendable {
  /// None of fewer than ten videos, else one in five.
  ///
  /// Create ML takes 5 to 10 % of the examples and none of fewer than 50; it splits examples, not
  /// videos, so that its share says less about new videos.
  case automatic
  /// A share, above 0 and below 1, and the seed of the choice; `nil` for that of the training.
  case fixed(ratio: Double, seed: UInt64? = nil)

  /// The number of videos below which none is taken automatically.
  public static let fewestVideos = 10
  /// The share that is taken automatically.
  public static let automaticRatio = 0.2

  /// The share to take of a number of videos.
  public func ratio(ofVideoCount count: Int) -> Double {
    switch self {
    case .automatic: count < Self.fewestVideos ? 0 : Self.automaticRatio
    case .fixed(let ratio, _): ratio
    }
  }
}
