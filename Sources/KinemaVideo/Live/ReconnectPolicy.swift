/// The timeouts and retries of a live source; with the default, one that returns is live again
/// within ten seconds.
package struct ReconnectPolicy: Hashable, Sendable {
  /// Time without a frame until the source is stale.
  package var staleAfter = Duration.milliseconds(2500)
  /// Time without a frame until the source is reopened.
  package var readTimeout = Duration.seconds(6)
  /// Time limit of opening the source.
  package var openTimeout = Duration.seconds(7)
  /// The first and shortest pause.
  package var firstPause = Duration.milliseconds(500)
  /// The longest pause; each one doubles, including the time of the attempt.
  package var longestPause = Duration.seconds(5)

  package init() {}
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
