/// How repetitions are found.
public enum CountingMethod: String, Hashable, Codable, Sendable, CaseIterable {
  /// The learnt network where it is installed, else the signal.
  case auto
  /// The learnt network.
  case network
  /// Distances between moments, without anything learnt.
  case signal
}

extension CountingMethod {
  /// What finds the periods.
  ///
  /// - Throws: ``ActionError`` where the network is asked for and not installed.
  package func estimator() throws -> any PeriodEstimator {
    switch self {
    case .signal: return SignalPeriodEstimator()
    case .network: return try Self.networkEstimator()
    case .auto: return Self.bestEstimator()
    }
  }

  /// The network where it is installed, else the signal.
  static func bestEstimator() -> any PeriodEstimator {
    (try? networkEstimator()) ?? SignalPeriodEstimator()
  }

  /// The learnt network.
  private static func networkEstimator() throws -> any PeriodEstimator {
    try NetworkPeriodEstimator.builtin()
  }
}
