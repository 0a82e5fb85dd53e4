/// The timeouts and retries of a live source; with the default, one that returns is live again
/// within ten seconds.
public struct ReconnectPolicy: Hashable, Sendable {
  /// Time without a frame until the source is stale.
  public var staleAfter = Duration.milliseconds(2500)
  /// Time without a frame until the source is reopened.
  public var readTimeout = Duration.seconds(6)
  /// The same for a recording, such as a file on a web server; `nil` for no other time.
  package var recordingTimeout: Duration?
  /// Time limit of opening the source; of a pipe, of its first bytes, and again of what follows them.
  public var openTimeout = Duration.seconds(7)
  /// The first and shortest pause.
  public var firstPause = Duration.milliseconds(500)
  /// The longest pause; each one doubles, including the time of the attempt.
  public var longestPause = Duration.seconds(5)

  /// The default policy.
  public init() {}
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
