/// The validation data of a training, as in `MLActionClassifier.ModelParameters`.
public enum ValidationData: Hashable, Sendable {
  /// A part of the training videos.
  case split(strategy: SplitStrategy)
  /// Separate data.
  case dataSource(ActionClassifierDataSource)
  /// None.
  case none
}

/// The share of training videos used for validation.
public enum SplitStrategy: Hashable, Codable, Sendable {
  /// One video in five, none of fewer than ten.
  ///
  /// Create ML takes 5 to 10 % of the examples, not videos, and none of fewer than 50.
  case automatic
  /// A share above 0 and below 1, and the seed of the choice; `nil` for the training's.
  case fixed(ratio: Double, seed: UInt64? = nil)

  /// Fewest videos for an automatic validation set.
  public static let fewestVideos = 10
  /// The automatic share.
  public static let automaticRatio = 0.2

  /// The share of a number of videos.
  public func ratio(ofVideoCount count: Int) -> Double {
    switch self {
    case .automatic: count < Self.fewestVideos ? 0 : Self.automaticRatio
    case .fixed(let ratio, _): ratio
    }
  }
}
