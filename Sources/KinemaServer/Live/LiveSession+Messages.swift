import Foundation
import KinemaAction
import KinemaPose
import KinemaVideo
import KinemaVision
import Synchronization

extension LiveSession {
  /// Deals with a message of the client's.
  func receive(_ message: WebSocketMessage) async {
    switch message {
    case .binary(let data):
      receivePicture(data)
    case .text(let text):
      do {
        try await obey(ClientMessage(text))
        link.withLock { $0.faultCount = 0 }
      } catch let error as ServerError where error.code == .badRequest {
        fault(error.code.rawValue, error.message)
      } catch {
        let (code, message) = self.error(error)
        tell(code, message)
      }
    }
  }

  private func obey(_ message: ClientMessage) async throws {
    switch message {
    case .start:
      throw ServerError(.badRequest, "The session has begun already: send configure or source.")
    case .configure(let change):
      try await configure(change)
      tellReady()
    case .source(let choice):
      try await change(to: choice)
      tellReady()
      subscribe()
    case .pin(let person):
      try await inTurn { try $0.pin(person) }
    case .startChallenge(let items):
      try await startChallenge(items)
    case .skipChallenge:
      try await changeChallenge { analysis in
        let now = analysis.now
        analysis.challenge?.skip(at: now)
      }
    case .stopChallenge:
      try await changeChallenge { $0.challenge = nil }
    case .new:
      try await startAnew()
    case .report(let p50, let p95):
      link.withLock { $0.reported = (p50, p95) }
    case .ping(let time):
      send(PongMessage(time: Nullable(time)))
    }
  }

  func tellReady() {
    let message = link.withLock { link in
      ReadyMessage(
        session: key, historyID: Nullable(link.historyID), model: Nullable(link.model),
        frameRate: max(30, link.model?.frameRate ?? 0), source: link.source,
        settings: link.settings)
    }
    send(message)
  }

  /// Tells all that a client who comes, or comes back, does not know.
  func tellEverything() async {
    tellReady()
    let messages = try? await inTurn {
      ($0.tally.message, $0.challenge?.message ?? .idle)
    }
    guard let (summary, challenge) = messages else { return }
    send(summary)
    send(challenge)
  }

  // MARK: - Settings

  /// Changes the settings that are given; all of them or none.
  ///
  /// - Throws: ``ServerError`` where one makes no sense or the model is not there.
  func configure(_ change: SettingsChange?) async throws {
    let old = link.withLock { $0.settings }
    let settings = change?.applied(to: old) ?? old
    try settings.validate(context.configuration)
    var (description, classifier) = link.withLock { ($0.model, $0.classifier) }
    if settings.model != description?.id {
      let model = try await model(settings.model)
      (description, classifier) = (model?.description, model?.classifier)
    }
    let plan = settings.plan(classifier: classifier)
    try await inTurn { try $0.change(to: plan) }
    link.withLock { link in
      (link.settings, link.model, link.classifier) = (settings, description, classifier)
    }
    if settings.isRecording { startRecording() } else { await stopRecording() }
  }

  private func model(
    _ id: String?
  ) async throws -> (description: ModelDescription, classifier: ActionClassifier)? {
    guard let id else { return nil }
    guard let model = try await context.models.model(id: id) else {
      throw ServerError(
        .notFound, "There is no model “\(id.prefix(80))”: choose one of those that are listed.")
    }
    guard model.classifier.joints == JointKey.body else {
      throw ServerError(
        .badConfiguration, "The model “\(id)” classifies hands: choose one for bodies.")
    }
    return model
  }

  // MARK: - Source

  /// Takes pictures from somewhere else; from a source of the server's own with ``subscribe()``.
  ///
  /// - Throws: ``ServerError`` where there is no such source.
  func change(to choice: SourceChoice) async throws {
    if choice.kind == .server, choice.id.flatMap({ context.sources[$0] }) == nil {
      throw ServerError(
        .notFound,
        "There is no source “\((choice.id ?? "").prefix(80))”: choose one of those that are listed."
      )
    }
    unsubscribe()
    link.withLock { link in
      link.source = choice
      link.epoch += 1
    }
    try await stream.perform { look in
      look.reset()
      self.analysis.withLock { $0.changeSource() }
    }
  }

  /// Looks at the server's own source where that was chosen.
  func subscribe() {
    let (choice, epoch) = link.withLock { link in
      link.sourceDroppedCount = nil
      return (link.source, link.epoch)
    }
    guard choice.kind == .server, let source = choice.id.flatMap({ context.sources[$0] }) else {
      return
    }
    let number = source.add { [weak self] event in self?.receive(event, epoch: epoch) }
    let isWanted = link.withLock { link in
      guard !link.isEnded, link.socket != nil, link.epoch == epoch, link.subscription == nil else {
        return false
      }
      link.subscription = (source, number)
      return true
    }
    if !isWanted { source.remove(number) }
  }

  /// Looks at it no more.
  func unsubscribe() {
    let subscription = link.withLock { link in
      defer { link.subscription = nil }
      return link.subscription
    }
    if let subscription { subscription.source.remove(subscription.number) }
  }

  // MARK: - Records and challenges

  private func startAnew() async throws {
    await stopRecording()
    await closeRecord()
    try await inTurn { $0.startNewRecord() }
    await beginRecord()
    if link.withLock({ $0.settings.isRecording }) { startRecording() }
    await tellEverything()
  }

  private func startChallenge(_ items: [ChallengeItem]) async throws {
    let labels = link.withLock { $0.model?.labels }
    let items = items.map { item in
      var item = item
      item.text = ActionPrediction.displayName(of: item.label)
      return item
    }
    let challenge = try Challenge(items: items, among: labels)
    try await changeChallenge { $0.challenge = challenge }
  }

  private func changeChallenge(
    _ body: @escaping @Sendable (inout SessionAnalysis) -> Void
  ) async throws {
    let message = try await inTurn { analysis in
      body(&analysis)
      return analysis.challenge?.message ?? .idle
    }
    send(latest: message.webSocketMessage, kind: "challenge")
  }

  // MARK: - Recording

  /// Begins a video where none is under way.
  func startRecording() {
    guard let folder = context.configuration.recordingFolder else { return }
    link.withLock { link in
      guard link.recorder == nil, let id = link.historyID else { return }
      link.recordingCount += 1
      let part = link.recordingCount > 1 ? "-\(link.recordingCount)" : ""
      link.recorder = SessionRecorder(url: folder.appending(path: "session-\(id)\(part).mp4"))
    }
  }

  /// Ends the video, if one is under way, and notes it in the history.
  func stopRecording() async {
    let (recorder, id) = link.withLock { link in
      defer { link.recorder = nil }
      return (link.recorder, link.historyID)
    }
    guard let recorder else { return }
    do {
      guard try await recorder.finish(), let id else { return }
      try await BlockingThread.run { [history = context.history] in
        try history.setRecording(recorder.url.lastPathComponent, of: id)
      }
    } catch {
      tell("recording", self.error(error).message)
    }
  }
}
