/// The timeouts and retries of a live source.
public struct ReconnectPolicy: Hashable, Sendable {
  /// Time without a frame until the source is stale.
  public var staleAfter: Duration
  /// Time without a frame until the source is reopened.
  public var readTimeout: Duration
  /// Time limit of opening the source.
  public var openTimeout: Duration
  /// The first and shortest pause.
  public var firstPause: Duration
  /// The longest pause; each one doubles, including the time of the attempt.
  public var longestPause: Duration

  /// Creates a policy; with the default, a returning source is live again within ten seconds.
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
