package import Foundation
package import KinemaAction
import KinemaCounting
import KinemaErrors
import KinemaFiles
import KinemaPose
import KinemaVideo
package import KinemaVision
import Synchronization

/// Watches sources side by side: prints what happens, and sends it where the rules say.
package final class Watcher: Sendable {
  package struct Setup: Sendable {
    /// Where events wait for their receivers.
    package var folder: URL
    /// The threads that all sources share.
    package var pool: PosePool
    package var precision: NetworkPrecision
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
      folder: URL, pool: PosePool, precision: NetworkPrecision,
      classifier: @escaping @Sendable (_ model: String?) throws -> ActionClassifier,
      print: @escaping @Sendable (_ line: Data) -> Void,
      report: @escaping @Sendable (_ message: String) -> Void
    ) {
      self.folder = folder
      self.pool = pool
      self.precision = precision
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
    var failure: (any Error)?
  }

  /// How often states are published, if they have changed, in seconds.
  private static let stateInterval = 0.5
  /// How long a source that cannot be opened is left alone, in seconds.
  private static let reopenPause = 30.0
  /// How often the schedule of a source is checked, in seconds.
  private static let scheduleInterval = 1.0
  /// How long poses are stored for counting, in seconds; a live count needs half a minute.
  private static let historyLength = 30.0
  /// The most people that a source follows.
  private static let maximumPersonCount = 4

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
  private var clipFolder: URL { setup.folder.appending(path: "clips") }

  // MARK: - Configuration

  /// Watches by a configuration from now on; what has not changed continues.
  ///
  /// - Throws: ``WatchError`` where its receivers cannot be used; all stays as it was.
  package func apply(_ configuration: WatchConfiguration) async throws {
    try configuration.checkModels(setup.classifier)
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
  /// - Throws: The failure of the last source that could not be read.
  package func waitForSources() async throws {
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

  // MARK: - Sources

  private func watch(_ source: WatchConfiguration.Source) async {
    let clips = ClipRecorder(
      folder: clipFolder,
      send: { [weak self] clip, receivers in
        self?.state.withLock { $0.receivers }?.send(clip, to: receivers)
      }, report: setup.report)
    await watch(source, clips)
    await clips.finish()
  }

  private func watch(_ source: WatchConfiguration.Source, _ clips: ClipRecorder) async {
    while !Task.isCancelled {
      guard source.care.isScheduled(at: Date()) else {
        pause(source.name)
        // Cancellation ends the loop.
        try? await Task.sleep(for: .seconds(Self.scheduleInterval))
        continue
      }
      do {
        let live = try LiveSource(source.address)
        change(source.name) { if $0.source == .paused { $0.source = .connecting } }
        try await read(live, source, clips)
        guard isReadOnce(live) else { continue }
        return change(source.name) { $0.source = .ended }
      } catch is CancellationError {
        return
      } catch {
        let text = (error as? any Reported)?.text
        setup.report("\(source.name): \(error)")
        // An address that is none cannot be opened again.
        let isOver = (try? LiveSource(source.address)).map(isReadOnce) ?? false
        if isOver || !(error is VideoError) {
          state.withLock { state in
            state.failure = error
            state.details[source.name]?.message = "\(error)"
            state.details[source.name]?.text = text
          }
          return change(source.name) { $0.source = .ended }
        }
        become(.stale, source.name, "\(error)", text)
        try? await Task.sleep(for: .seconds(Self.reopenPause))
      }
    }
  }

  /// Whether a source is a file that is processed to its end.
  private func isReadOnce(_ live: LiveSource) -> Bool {
    guard case .file(let url) = live else { return false }
    return !(setup.isForDisplay && FrameSource.kind(of: url) == .video)
  }

  private func read(
    _ live: LiveSource, _ source: WatchConfiguration.Source, _ clips: ClipRecorder
  ) async throws {
    let name = source.name
    let classifier = try namesActions(of: source) ? setup.classifier(source.model) : nil
    let isOfHands = classifier?.joints == JointKey.hand
    var options = FrameSource.Options(
      subject: isOfHands
        ? .hands(.init(precision: setup.precision))
        : .bodies(
          .init(maximumPersonCount: Self.maximumPersonCount, precision: setup.precision)))
    options.wantsPictures =
      setup.isForDisplay || view(of: name).rules.contains { $0.needsPictures(of: name) }
    options.onStatus = { [weak self] status in self?.follow(status, name) }
    options.weight = source.care.priority.weight
    let frames: FrameSource
    if case .file(let url) = live, isReadOnce(live) {
      state.withLock { $0.ladders[name] = nil }
      frames = FrameSource(contentsOf: url, options: options, pool: setup.pool)
    } else {
      options.ladder = state.withLock { $0.ladders[name] }
      frames = FrameSource(
        live.adjusted(by: source.adjustment), options: options, pool: setup.pool)
    }
    var plan = PersonAnalysis.Plan(classifier: classifier)
    if classifier != nil, !isOfHands {
      var counting = RepetitionCounter.Rules()
      counting.historyLength = Self.historyLength
      plan.counting = counting
    }
    var scene = SceneAnalysis(plan, scope: .live)
    let falls = try FallModel.builtIn
    var events = SceneEvents(isFall: falls.isFall)
    defer {
      let time = state.withLock { $0.times[name] ?? 0 }
      publish(events.finish(at: time), of: name, picture: nil, clips)
    }
    var known: SourceView?
    var lastCheck = -TimeInterval.infinity
    for try await next in frames {
      if next.time - lastCheck >= Self.scheduleInterval {
        lastCheck = next.time
        guard isReadOnce(live) || source.care.isScheduled(at: Date()) else { return }
      }
      let view = view(of: name)
      let frame = view.gated(next, paintsMasks: isReadOnce(live))
      let shape = frame.aspectRatio
      let step = try scene.add(frame.poses, at: frame.time, aspectRatio: shape)
      if view != known {
        known = view
        events.rules = SceneEvents.Rules(for: view.rules, of: name, areas: view.gate.areas)
        options.ladder?.limits = source.care.limits(
          for: setup.isForDisplay ? [] : configuration.rules(of: name))
        clips.length = view.rules.compactMap(\.clipLength).max() ?? 0
      }
      if let picture = frame.picture { try clips.add(picture, at: frame.time) }
      let moment = SceneMoment(step, of: scene, at: frame.time, aspectRatio: shape ?? 1)
      let happened = events.add(moment)
      state.withLock { $0.times[name] = frame.time }
      publish(happened, of: name, picture: frame.picture, clips)
      change(name) { state in
        if state.source == .connecting { state.source = .live }
        state.update(events.state, view.gate.areas)
      }
      keep(frame, events.state, of: name)
    }
  }

  private var configuration: WatchConfiguration { state.withLock { $0.configuration } }

  private func change(_ source: String, _ body: (inout SourceState) -> Void) {
    state.withLock { state in
      guard var value = state.sources[source] else { return }
      body(&value)
      state.sources[source] = value
    }
  }

  private func follow(_ status: LiveSourceStatus, _ source: String) {
    switch status.state {
    case .connecting: break
    case .live: become(.live, source, status.message, status.text)
    case .stale, .reconnecting, .ended: become(.stale, source, status.message, status.text)
    }
  }

  /// Reports that a source does not send pictures, or does again.
  private func become(
    _ connection: SourceState.Connection, _ source: String, _ message: String, _ text: MessageText?
  ) {
    let event = state.withLock { state -> WatchEvent? in
      guard let before = state.sources[source]?.source, before != connection else { return nil }
      state.sources[source]?.source = connection
      if connection == .stale {
        // Of what is not seen, nothing is known.
        let areas = state.configuration.areas[source] ?? SourceAreas()
        state.sources[source]?.update(SceneEvents.State(), areas)
        state.details[source]?.persons = []
      }
      state.details[source]?.message = connection == .stale ? message : nil
      state.details[source]?.text = connection == .stale ? text : nil
      // The first connection is no return.
      guard connection == .stale || before == .stale else { return nil }
      return WatchEvent(
        connection == .stale ? .sourceStale : .sourceBack, at: state.times[source] ?? 0,
        message: message)
    }
    if let event { publish([event], of: source, picture: nil) }
  }

  // MARK: - Events

  private func publish(
    _ events: [WatchEvent], of source: String, picture: Frame?, _ clips: ClipRecorder? = nil
  ) {
    guard !events.isEmpty else { return }
    let (rules, receivers) = state.withLock { ($0.configuration.rules, $0.receivers) }
    for event in events {
      let announcement = Announcement(event, of: source)
      do {
        let json = try announcement.json
        setup.print(json + Data("\n".utf8))
        change(source) {
          ($0.lastEvent, $0.lastEventTime) = (event.kind.rawValue, announcement.time)
        }
        state.withLock { $0.details[source]?.lastEvent = announcement }
        setup.announce(announcement, json)
        let matching = rules.filter { $0.matches(event, of: source) }
        let all = Set(matching.flatMap(\.receivers))
        let withPicture = Set(matching.filter(\.hasPicture).flatMap(\.receivers))
        var illustrated = announcement
        if !withPicture.isEmpty { illustrated.picture = try picture?.jpegData() }
        receivers?.send(announcement, to: all.subtracting(withPicture))
        receivers?.send(illustrated, to: withPicture)
        if withPicture.contains(.log) {
          log.add(illustrated)
        } else if all.contains(.log) {
          log.add(announcement)
        }
        var lengths: [WatchRule.Receiver: TimeInterval] = [:]
        for rule in matching {
          guard let length = rule.clipLength else { continue }
          for receiver in rule.receivers { lengths[receiver] = max(lengths[receiver] ?? 0, length) }
        }
        for (length, names) in Dictionary(grouping: lengths.keys, by: { lengths[$0] ?? 0 }) {
          clips?.record(announcement, seconds: length, for: Set(names))
        }
      } catch {
        setup.report("\(source): an event cannot be sent: \(error)")
      }
    }
  }
}
