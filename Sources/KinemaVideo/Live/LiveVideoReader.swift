/// Reads a live source for as long as somebody listens, and opens it again when it fails.
///
/// Sources are read on a thread of their own, which ends soon after the listening task was cancelled or
/// has dropped the events.
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

  /// Prepares to read pictures that a program makes.
  ///
  /// - Parameters:
  ///   - name: What the source is called in messages; begins a sentence.
  ///   - policy: How long it is waited for.
  ///   - open: Opens it, each time anew.
  package init(
    name: String, policy: ReconnectPolicy = ReconnectPolicy(),
    open: @escaping @Sendable () throws -> any LiveFrameStream
  ) {
    self.name = name
    self.policy = policy
    self.open = { _ in try open() }
  }

  /// Opens the source and tells what comes from it, until the task that listens is cancelled or the
  /// source has ended for good.
  ///
  /// Each call opens the source anew. A task that is slow gets the newest picture; see
  /// ``LiveVideoEvent/frame(_:time:droppedCount:)``.
  public func events() -> AsyncStream<LiveVideoEvent> {
    let reading = startReading()
    return AsyncStream {
      await reading.next()
    } onCancel: {
      reading.cancel()
    }
  }

  func startReading() -> LiveReading {
    LiveReading(name: name, policy: policy, open: open)
  }
}
