import KinemaModelFiles

/// How repetitions are found.
public enum CountingMethod: String, Hashable, Codable, Sendable, CaseIterable {
  /// The network if installed, else the signal.
  case auto
  /// The network.
  case network
  /// Distances between moments, without a network.
  case signal
}

extension CountingMethod {
  /// The estimator of periods.
  ///
  /// - Throws: ``ModelFileError`` if the network is requested and not installed, or cannot be read:
  ///   counts must not change without a word.
  package func estimator() throws -> any PeriodEstimator {
    switch self {
    case .signal: return SignalPeriodEstimator()
    case .auto where BuiltInModel.repetitions.located() == nil: return SignalPeriodEstimator()
    case .auto, .network: return try Self.networkEstimator()
    }
  }

  /// The reason why ``auto`` does not use the network, as a sentence; `nil` where it does.
  package static var fallbackNotice: String? {
    guard BuiltInModel.repetitions.located() == nil else { return nil }
    let name = BuiltInModel.repetitions.fileName
    return "\(name), which comes with Kinema, is missing; repetitions are counted by the signal, "
      + "which is less accurate. Install Kinema again."
  }

  /// The network where it is installed, else the signal.
  static func bestEstimator() -> any PeriodEstimator {
    (try? networkEstimator()) ?? SignalPeriodEstimator()
  }

  private static func networkEstimator() throws -> any PeriodEstimator {
    try NetworkPeriodEstimator.builtin()
  }
}
