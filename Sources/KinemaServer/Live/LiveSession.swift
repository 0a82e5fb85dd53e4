import Foundation
import KinemaAction
import KinemaHTTP
import KinemaPose
import KinemaVideo
import KinemaVision
import Synchronization

/// A client's session, from `start` to the end of its connection, and a while beyond, so that it
/// can be resumed.
///
/// It carries out the client's messages, in order, and keeps the settings. Its parts are the
/// ``ClientConnection``, the ``PictureIntake`` with the ``SessionAnalysis``, and the
/// ``SessionStorage``.
final class LiveSession: Sendable {
  /// The settings, and the model that they name, whether it is used at present or not.
  private struct Setup {
    var settings = SessionSettings()
    var model: (description: ModelDescription, classifier: ActionClassifier)?
  }

  /// The secret with which a client resumes the session.
  let key: String
  let connection: ClientConnection
  private let context: LiveContext
  private let pictures: PictureIntake
  private let record: SessionStorage
  private let setup: Mutex<Setup>
  private let sessionCount: @Sendable () -> Int

  init(_ context: LiveContext, sessionCount: @escaping @Sendable () -> Int) {
    self.context = context
    self.sessionCount = sessionCount
    connection = ClientConnection(context)
    record = SessionStorage(context, connection)
    pictures = PictureIntake(context, connection, record)
    var setup = Setup()
    setup.settings.model = context.configuration.defaultModel
    self.setup = Mutex(setup)
    var generator = SystemRandomNumberGenerator()
    key = (0..<4).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private var model: ModelDescription? { setup.withLock { $0.model?.description } }
  private var profile: Int? { setup.withLock { $0.settings.profile } }

  // MARK: - Beginning and end

  /// Uses a connection from now on; an earlier one is closed; returns the number of the connection;
  /// `nil` where the session is over.
  func attach(_ socket: any WebSocket) -> Int? {
    connection.attach(socket) { [weak self] in await self?.tick() }
  }

  func begin(source: SourceChoice, settings: SettingsChange?) async {
    // Where something is wrong, the session begins with the defaults.
    if await !reporting({ try await configure(settings) }) {
      _ = await reporting { try await configure(nil) }
    }
    await beginRecord()
    _ = await reporting { try await pictures.change(to: source) }
    await sendEverything()
    pictures.subscribe()
  }

  func resume(source: SourceChoice, settings: SettingsChange?) async {
    _ = await reporting { try await reconfigure(settings) }
    pictures.unsubscribe()
    _ = await reporting {
      if pictures.source == source {
        try await pictures.inTurn { analysis, _ in analysis.resume() }
      } else {
        try await pictures.change(to: source)
      }
    }
    await sendEverything()
    record.reportUnheard()
    pictures.subscribe()
  }

  /// Releases a connection that broke; the session can be resumed for a while; returns whether it
  /// was the present one.
  func detach(_ number: Int) async -> Bool {
    guard connection.detach(number) else { return false }
    await pause()
    return true
  }

  func end() async {
    // While the client can still receive what goes wrong with it.
    await record.stopVideo()
    guard connection.end() else { return }
    await pause()
    await record.close()
  }

  private func pause() async {
    pictures.unsubscribe()
    await record.stopVideo()
    await save()
  }

  // MARK: - Messages

  func receive(_ message: WebSocketMessage) async {
    switch message {
    case .binary(let data):
      pictures.receive(data)
    case .text(let text):
      do {
        try await carryOut(ClientMessage(text))
        connection.clearFaults()
      } catch let error as ServerError where error.code == .badRequest {
        connection.reportFault(error.code.rawValue, error)
      } catch {
        connection.report(error)
      }
    }
  }

  private func carryOut(_ message: ClientMessage) async throws {
    switch message {
    case .start:
      throw ServerError(.badRequest, MessageText("startedAlready"))
    case .configure(let change):
      try await reconfigure(change)
      sendReady()
    case .source(let choice):
      try await pictures.change(to: choice)
      sendReady()
      pictures.subscribe()
    case .pin(let person):
      try await pictures.inTurn { analysis, _ in try analysis.pin(person) }
    case .startChallenge(let items):
      try await startChallenge(items)
    case .skipChallenge:
      try await changeChallenge { $0.skipChallenge() }
    case .stopChallenge:
      try await changeChallenge { $0.challenge = nil }
    case .new:
      try await startNewRecord()
    case .report(let p50, let p95):
      connection.reportedLatency = (p50, p95)
    case .ping(let time):
      connection.send(PongMessage(time: time))
    }
  }

  /// Runs a request, or reports its error; returns whether it succeeded.
  private func reporting(_ body: () async throws -> Void) async -> Bool {
    do {
      try await body()
      return true
    } catch {
      connection.report(error)
      return false
    }
  }

  private func sendReady() {
    let (settings, model) = setup.withLock { ($0.settings, $0.model?.description) }
    connection.send(
      ReadyMessage(
        session: key, historyID: record.id, model: model,
        frameRate: max(30, model?.frameRate ?? 0), source: pictures.source, settings: settings))
  }

  /// Sends the complete state to a client that joins or resumes.
  private func sendEverything() async {
    sendReady()
    // It fails where the server ends, and with it the session.
    let messages = try? await pictures.inTurn { analysis, _ in
      (analysis.tally.message, analysis.challenge?.message ?? .idle, analysis.form)
    }
    guard let (summary, challenge, form) = messages else { return }
    connection.send(summary)
    connection.send(challenge)
    if var form {
      form.cue = nil
      connection.send(form)
    }
  }

  // MARK: - Settings

  /// Changes the given settings of a session; another profile gets a record of its own.
  private func reconfigure(_ change: SettingsChange?) async throws {
    let before = profile
    try await configure(change)
    if profile != before { try await startNewRecord() }
  }

  /// Changes the given settings, all or none; throws ``ServerError`` for an invalid setting or a
  /// missing model.
  private func configure(_ change: SettingsChange?) async throws {
    var new = setup.withLock { $0 }
    let old = new.settings.profile
    if let change { new.settings = change.applied(to: new.settings) }
    let settings = new.settings
    try settings.validate(context.configuration)
    if let profile = settings.profile, profile != old {
      let found = try await BlockingThread.run { [history = context.history] in
        try history.profile(profile)
      }
      guard found != nil else { throw History.noProfile(profile) }
    }
    if settings.model != new.model?.description.id { new.model = try await model(settings.model) }
    let plan = settings.plan(classifier: new.model?.classifier)
    let subject = context.subject(
      maximumPersonCount: settings.maximumPersonCount,
      isOfHands: new.model?.classifier.joints == JointKey.hand)
    try await pictures.inTurn { analysis, finder in
      try analysis.change(to: plan)
      analysis.isLifting = settings.isLifting
      if finder.subject.isOfHands != subject.isOfHands { analysis.forgetPeople() }
      finder.subject = subject
    }
    setup.withLock { [new] in $0 = new }
    if settings.isRecording { record.startVideo() } else { await record.stopVideo() }
  }

  private func model(
    _ id: String?
  ) async throws -> (description: ModelDescription, classifier: ActionClassifier)? {
    guard let id else { return nil }
    guard let model = try await context.models.model(id: id) else {
      throw ServerError(.notFound, MessageText("noLiveModel", ["id": id.prefix(80)]))
    }
    return model
  }

  // MARK: - Challenges

  private func startChallenge(_ items: [ChallengeItem]) async throws {
    let items = items.map { item in
      var item = item
      item.text = ActionPrediction.displayName(of: item.label)
      return item
    }
    let challenge = try Challenge(items: items, among: model?.labels)
    try await changeChallenge { $0.challenge = challenge }
  }

  private func changeChallenge(
    _ body: @escaping @Sendable (inout SessionAnalysis) -> Void
  ) async throws {
    let message = try await pictures.inTurn { analysis, _ in
      body(&analysis)
      return analysis.challenge?.message ?? .idle
    }
    connection.send(latest: message.webSocketMessage, kind: "challenge")
  }

  // MARK: - Record

  private func beginRecord() async {
    await record.begin(model: model?.name, profile: profile)
    if setup.withLock({ $0.settings.isRecording }) { record.startVideo() }
  }

  private func startNewRecord() async throws {
    await record.stopVideo()
    await save()
    await record.close()
    try await pictures.inTurn { analysis, _ in analysis.startNewRecord() }
    await beginRecord()
    await sendEverything()
  }

  private func save() async {
    // It fails where the pool has ended, before which sessions are saved.
    guard let tally = try? await pictures.inTurn({ analysis, _ in analysis.tally }) else { return }
    _ = await record.beginDelayed(isForced: true)
    await record.save(tally, model: model?.name, isForced: true)
  }

  /// Once a second: sends what has changed, and saves it.
  private func tick() async {
    // It fails where the pool has ended.
    guard let tally = try? await pictures.inTurn({ analysis, _ in analysis.tally }) else { return }
    let summary = tally.message
    if !record.isSaved(summary) {
      connection.send(latest: summary.webSocketMessage, kind: "summary")
    }
    let statistics = pictures.takeStatistics(
      sessionCount: sessionCount(), isRecording: record.isRecording)
    connection.send(latest: statistics.webSocketMessage, kind: "statistics")
    if await record.beginDelayed() {
      if setup.withLock({ $0.settings.isRecording }) { record.startVideo() }
      sendReady()
    }
    await record.save(tally, model: model?.name)
  }
}
