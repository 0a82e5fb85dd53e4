/// How long a live source is waited for, and when it is opened again.
public struct ReconnectPolicy: Hashable, Sendable {
  /// After so long without a picture the source is called stale.
  public var staleAfter: Duration
  /// After so long without a picture the source is closed and opened again.
  public var readTimeout: Duration
  /// So long an attempt to open the source may take.
  public var openTimeout: Duration
  /// The pause after the first failure, and the shortest.
  public var firstPause: Duration
  /// Each pause is twice the one before, up to this; the time that the attempt itself took counts.
  public var longestPause: Duration

  /// Creates a policy; with the default one a source that returns is seen again within ten seconds.
  public init(
    staleAfter: Duration = .milliseconds(2500), readTimeout: Duration = .seconds(6),
    openTimeout: Duration = .seconds(7), firstPause: Duration = .milliseconds(500),
    longestPause: Duration = .seconds(5)
  ) {
    self.staleAfter = staleAfter
    self.readTimeout = readTimeout
    self.openTimeout = openTimeout
    self.firstPause = firstPause
    self.longestPause = longestPause
  }
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
