package import Foundation
package import KinemaAction
import KinemaErrors
import KinemaFiles
package import KinemaVision
import Synchronization

/// Watches sources side by side: prints what happens, and sends it where the rules say.
package final class Watcher: Sendable {
  package struct Setup: Sendable {
    /// Where events wait for their receivers.
    package var folder: URL
    /// The threads that all sources share.
    package var pool: PosePool
    /// How the networks calculate, and where.
    package var settings: NetworkSettings
    package var pauses = WebhookSender.Pauses()
    /// The classifier of a model's name or file; `nil` for the built-in one.
    package var classifier: @Sendable (_ model: String?) throws -> ActionClassifier
    /// Takes each event as a line of JSON.
    package var print: @Sendable (_ line: Data) -> Void
    /// Takes messages for people.
    package var report: @Sendable (_ message: String) -> Void
    /// Takes each event with its JSON.
    package var announce: @Sendable (_ event: Announcement, _ json: Data) -> Void = { _, _ in }
    /// Kinema's version, for receivers.
    package var version: String?
    /// Whether actions are named although no rule asks for them, as where a model is chosen.
    package var namesActions = false
    /// Whether the newest frame of each source is kept, and videos are looped at their own rate.
    package var isForDisplay = false

    package init(
      folder: URL, pool: PosePool, settings: NetworkSettings,
      classifier: @escaping @Sendable (_ model: String?) throws -> ActionClassifier,
      print: @escaping @Sendable (_ line: Data) -> Void,
      report: @escaping @Sendable (_ message: String) -> Void
    ) {
      self.folder = folder
      self.pool = pool
      self.settings = settings
      self.classifier = classifier
      self.print = print
      self.report = report
    }
  }

  struct State {
    var configuration = WatchConfiguration()
    var receivers: Receivers?
    var tasks: [WatchConfiguration.Source: Task<Void, Never>] = [:]
    var sources: [String: SourceState] = [:]
    var details: [String: WatchedSource.Details] = [:]
    /// What decides which frames of each live source are processed.
    var ladders: [String: SourceLadder] = [:]
    /// The states as they were published.
    var published: [String: SourceState] = [:]
    /// The time of the newest frame of each source, in seconds.
    var times: [String: TimeInterval] = [:]
    var failure: SourceFailure?
  }

  /// Why a source that is read once has not been read to its end; it was reported then.
  package struct SourceFailure: Error {
    package let source: String
    package let cause: any Error
  }

  /// How often states are published, if they have changed, in seconds.
  private static let stateInterval = 0.5

  let setup: Setup
  /// Keeps a second process from the outboxes.
  private let lock: FileLock
  let state = Mutex(State())
  /// The events that rules keep here.
  package let log: EventLog

  /// - Throws: ``WatchError`` where the folder cannot be used, or another process does.
  package init(_ setup: Setup) throws {
    self.setup = setup
    do {
      try FileManager.default.createDirectory(
        at: setup.folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw WatchError(
        .storage,
        "The folder \(setup.folder.path) cannot be made: check --data.")
    }
    guard let lock = try FileLock(setup.folder.appending(path: "watch.lock")) else {
      throw WatchError(
        .unavailable,
        "Another kinema watch uses \(setup.folder.path): end it, or give --data another folder.")
    }
    self.lock = lock
    log = try EventLog(setup.folder.appending(path: "log"), report: setup.report)
    // What a killed process left; what cannot be removed goes at the next start.
    try? FileManager.default.removeItem(at: clipFolder)
  }

  /// Where clips are while they are made.
  var clipFolder: URL { setup.folder.appending(path: "clips") }

  // MARK: - Configuration

  /// Watches by a configuration from now on; what has not changed continues.
  ///
  /// - Throws: ``WatchError`` where its receivers cannot be used, and `VisionError` where the networks cannot;
  ///   all stays as it was.
  package func apply(_ configuration: WatchConfiguration) async throws {
    try configuration.checkModels(setup.classifier)
    try await checkParts(for: configuration)
    let (old, receivers) = state.withLock { ($0.configuration, $0.receivers) }
    if receivers == nil || old.broker != configuration.broker
      || old.webhooks != configuration.webhooks
    {
      await receivers?.stop()
      do {
        try send(by: configuration)
      } catch {
        if receivers != nil { try send(by: old) }
        throw error
      }
    }
    log.change(to: configuration.log ?? EventLog.Limits())
    let ended = state.withLock { state in
      state.configuration = configuration
      let ended = state.tasks.filter { source, _ in
        !configuration.sources.contains(source)
          || configuration.needs(of: source) != old.needs(of: source)
      }
      for (source, task) in ended {
        task.cancel()
        state.tasks[source] = nil
      }
      return ended
    }
    for (source, task) in ended {
      await task.value
      guard !configuration.sources.contains(where: { $0.name == source.name }) else { continue }
      let receivers = state.withLock { state in
        state.sources[source.name] = nil
        state.details[source.name] = nil
        state.ladders[source.name] = nil
        state.published[source.name] = nil
        return state.receivers
      }
      receivers?.forget(source.name)
    }
    state.withLock { state in
      for source in configuration.sources where state.tasks[source] == nil {
        state.sources[source.name] = SourceState()
        state.details[source.name] = WatchedSource.Details()
        state.ladders[source.name] = SourceLadder(
          source.care.limits(for: configuration.rules(of: source.name)))
        state.tasks[source] = Task { await self.watch(source) }
      }
    }
  }

  private func send(by configuration: WatchConfiguration) throws(WatchError) {
    let receivers = try Receivers(
      configuration, folder: setup.folder, pauses: setup.pauses, version: setup.version,
      report: setup.report)
    state.withLock { ($0.receivers, $0.published) = (receivers, [:]) }
  }

  /// Publishes states until the task is cancelled.
  package func publishStates() async {
    while (try? await Task.sleep(for: .seconds(Self.stateInterval))) != nil { publishNow() }
  }

  private func publishNow() {
    let (changed, receivers) = state.withLock { state in
      let changed = state.sources.filter { state.published[$0.key] != $0.value }
      state.published.merge(changed) { $1 }
      return (changed, state.receivers)
    }
    for (name, source) in changed { receivers?.publish(source, of: name) }
  }

  /// Waits until all sources have ended, as files do.
  ///
  /// - Parameter check: Ends it by an error.
  /// - Throws: ``SourceFailure`` of the last source that could not be read.
  package func waitForSources(
    check: @escaping @Sendable () throws -> Void = {}
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.waitForEnds() }
      group.addTask {
        while true {
          try await Task.sleep(for: .seconds(Self.reloadInterval))
          try check()
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func waitForEnds() async throws {
    for task in state.withLock({ Array($0.tasks.values) }) {
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Ends all sources, and waits up to `seconds` until events have arrived; others stay on disk.
  package func stop(draining seconds: TimeInterval = 0) async {
    let (tasks, receivers) = state.withLock { (Array($0.tasks.values), $0.receivers) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    publishNow()
    await receivers?.drain(seconds: seconds)
    await receivers?.stop()
    guard let count = receivers?.waitingCount, count > 0 else { return }
    setup.report(
      "Events that wait in \(setup.folder.path) and are sent at the next start: \(count).")
  }
}
