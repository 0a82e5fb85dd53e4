import Foundation
import KinemaAction
import KinemaCounting
import KinemaErrors
import KinemaPose
import KinemaVideo
import KinemaVision
import Synchronization

/// How each source is read.
extension Watcher {
  /// How long a source that cannot be opened is left alone, in seconds.
  private static let reopenPause = 30.0
  /// How often the schedule of a source is checked, in seconds.
  private static let scheduleInterval = 1.0
  /// How long poses are stored for counting, in seconds; a live count needs half a minute.
  private static let historyLength = 30.0
  /// The most people that a source follows.
  private static let maximumPersonCount = 4

  /// Watches a source until it ends or the task is cancelled.
  func watch(_ source: WatchConfiguration.Source) async {
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
        become(.paused, source.name, "By its schedule, it is not watched now.", nil)
        // Cancellation ends the loop.
        try? await Task.sleep(for: .seconds(Self.scheduleInterval))
        continue
      }
      do {
        let live = try LiveSource(source.address)
        if state.withLock({ $0.sources[source.name]?.source == .paused }) {
          become(.connecting, source.name, "By its schedule, it is watched again.", nil)
        }
        try await read(live, source, clips)
        guard isReadOnce(live) else { continue }
        return change(source.name) { $0.source = .ended }
      } catch is CancellationError {
        return
      } catch {
        let text = (error as? any Reported)?.text
        setup.report("\(source.name): \(error)")
        // A stream may be back later, whatever it failed by.
        if (try? LiveSource(source.address)).map(isReadOnce) ?? false {
          state.withLock { state in
            state.failure = SourceFailure(source: source.name, cause: error)
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

  /// The bodies that are searched for in each source.
  private var bodies: PoseSubject {
    .bodies(
      .init(
        maximumPersonCount: Self.maximumPersonCount, precision: setup.settings.precision,
        device: setup.settings.device))
  }

  /// Throws where a part of Kinema is missing without which no source can be read.
  func checkParts(for configuration: WatchConfiguration) async throws {
    _ = try FallModel.builtIn
    let hasPictures = configuration.sources.contains { source in
      // What is wrong with an address is reported when it is opened.
      guard case .file(let url)? = try? LiveSource(source.address) else { return true }
      return FrameSource.kind(of: url) != .poses
    }
    if hasPictures { try await setup.pool.prepare(bodies) }
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
        ? .hands(.init(precision: setup.settings.precision, device: setup.settings.device))
        : bodies)
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

  func change(_ source: String, _ body: (inout SourceState) -> Void) {
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

  /// Reports that a source does not send pictures, or does again, and that it is paused, or not any more.
  private func become(
    _ connection: SourceState.Connection, _ source: String, _ message: String, _ text: MessageText?
  ) {
    let event = state.withLock { state -> WatchEvent? in
      guard let before = state.sources[source]?.source, before != connection else { return nil }
      // What was being read when the pause began may end later.
      guard before != .paused || connection == .connecting else { return nil }
      state.sources[source]?.source = connection
      if connection == .stale || connection == .paused {
        // Of what is not seen, nothing is known.
        let areas = state.configuration.areas[source] ?? SourceAreas()
        state.sources[source]?.update(SceneEvents.State(), areas)
        state.details[source]?.persons = []
      }
      if connection == .paused { state.details[source]?.frame = nil }
      state.details[source]?.message = connection == .stale ? message : nil
      state.details[source]?.text = connection == .stale ? text : nil
      return Self.event(from: before, to: connection).map {
        WatchEvent($0, at: state.times[source] ?? 0, message: message)
      }
    }
    if let event { publish([event], of: source, picture: nil) }
  }

  /// What a change of the connection is; `nil` for the first one, which is no return.
  private static func event(
    from before: SourceState.Connection, to now: SourceState.Connection
  ) -> WatchEvent.Kind? {
    switch now {
    case .stale: .sourceStale
    case .paused: .sourcePaused
    case .connecting: before == .paused ? .sourceResumed : nil
    case .live: before == .stale ? .sourceBack : nil
    case .ended: nil
    }
  }
}
