/// Reads a live source and reopens it when it fails.
///
/// The source is read on its own thread, which ends when the task is cancelled or drops the events.
public struct LiveVideoReader: Sendable {
  private let name: String
  private let policy: ReconnectPolicy
  private let open: @Sendable (LiveStop) throws -> any LiveFrameStream

  /// Prepares to read a source; nothing is opened yet.
  public init(_ source: LiveSource, policy: ReconnectPolicy = ReconnectPolicy()) {
    name = source.name
    self.policy = policy
    open = { stop in try source.open(policy: policy, interruption: stop.interruption) }
  }

  /// Prepares to read generated frames.
  ///
  /// - Parameter name: The name in messages; starts a sentence.
  package init(
    name: String, policy: ReconnectPolicy = ReconnectPolicy(),
    open: @escaping @Sendable () throws -> any LiveFrameStream
  ) {
    self.name = name
    self.policy = policy
    self.open = { _ in try open() }
  }

  /// Opens the source and returns its events, until the task is cancelled or the source has ended.
  ///
  /// A slow task gets the newest frame; see ``LiveVideoEvent/frame(_:time:droppedCount:)``.
  public func events() -> AsyncStream<LiveVideoEvent> {
    startReading().events
  }

  func startReading() -> LiveReading { LiveReading(name: name, policy: policy, open: open) }
}
