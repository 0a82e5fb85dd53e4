import Foundation
import KinemaHTTP
import KinemaVideo
import KinemaVision
import Synchronization

/// The path of a session's frames: from the client or a source of the server, through the
/// ``PosePool``, to the answer.
///
/// One frame at a time is processed, in the session's turn; only the newest waiting one is held.
/// Heavy work is thus shared fairly among sessions.
final class PictureIntake: Sendable {
  private struct State {
    var source = SourceChoice(kind: .browser)
    /// Counts the changes of source; frames of earlier ones are ignored.
    var epoch = 0
    /// The server's source, and the session's number in it.
    var subscription: (source: SharedSource, number: Int)?
    var serverSequence: UInt32 = 0
    /// Frames dropped by the server's source, by its own count; `nil` before its first.
    var sourceDroppedCount: Int?

    /// Dropped frames, here or by the server's source.
    var droppedCount = 0
    /// How many of them the source dropped.
    var lostCount = 0
    var arrivedCount = 0
    /// How many were processed, with or without success.
    var processedCount = 0
    var analysedCount = 0
    var latencies = LatencyWindow()
    /// The counts at the last statistics, and when those were.
    var counted = (arrived: 0, analysed: 0, time: ProcessInfo.processInfo.systemUptime)
  }

  /// A frame that waits for the session's turn.
  private struct Arrival: Sendable {
    enum Content: Sendable {
      case jpeg(Data)
      case frame(Frame)
    }

    var content: Content
    var sequence: UInt32
    /// The time as the sender gave it, in milliseconds.
    var sentTime: Double
    /// When it arrived, on the server's clock.
    var time = ProcessInfo.processInfo.systemUptime
    /// The number of frames received, including this one.
    var number: Int
    var epoch: Int

    var isServers: Bool { if case .frame = content { true } else { false } }
  }

  private let context: LiveContext
  private let connection: ClientConnection
  private let record: SessionStorage
  private let stream: PoseStream
  /// Accessed in the stream's turns only, so that nothing waits for it.
  private let analysis: Mutex<SessionAnalysis>
  private let state = Mutex(State())

  init(_ context: LiveContext, _ connection: ClientConnection, _ record: SessionStorage) {
    self.context = context
    self.connection = connection
    self.record = record
    analysis = Mutex(SessionAnalysis(coach: context.configuration.coach))
    stream = context.pool.makeStream(
      context.subject(maximumPersonCount: SessionSettings().maximumPersonCount))
  }

  /// Reads or changes the analysis, and what finds the poses, in the session's turn.
  func inTurn<Result: Sendable>(
    _ body: @escaping @Sendable (inout SessionAnalysis, inout PoseFinder) throws -> Result
  ) async throws -> Result {
    try await stream.perform { finder in try self.analysis.withLock { try body(&$0, &finder) } }
  }

  // MARK: - Source

  var source: SourceChoice { state.withLock { $0.source } }

  /// Changes the source; a source of the server starts with ``subscribe()``; throws ``ServerError``
  /// if there is no such source.
  func change(to choice: SourceChoice) async throws {
    if choice.kind == .server, choice.id.flatMap({ context.sources[$0] }) == nil {
      throw ServerError(.notFound, MessageText("noSource", ["id": (choice.id ?? "").prefix(80)]))
    }
    unsubscribe()
    state.withLock { state in
      state.source = choice
      state.epoch += 1
    }
    try await inTurn { analysis, finder in
      finder.reset()
      analysis.changeSource()
    }
  }

  /// Receives the frames of the chosen source of the server, if any.
  func subscribe() {
    let (choice, epoch) = state.withLock { state in
      state.sourceDroppedCount = nil
      return (state.source, state.epoch)
    }
    guard choice.kind == .server, let source = choice.id.flatMap({ context.sources[$0] }) else {
      return
    }
    let number = source.add { [weak self] event in self?.receive(event, epoch: epoch) }
    let isWanted = state.withLock { state in
      guard connection.isAttached, state.epoch == epoch, state.subscription == nil else {
        return false
      }
      state.subscription = (source, number)
      return true
    }
    if !isWanted { source.remove(number) }
  }

  /// Receives them no more.
  func unsubscribe() {
    let subscription = state.withLock { state in
      defer { state.subscription = nil }
      return state.subscription
    }
    if let subscription { subscription.source.remove(subscription.number) }
  }

  // MARK: - Arrival

  func receive(_ data: Data) {
    guard data.count <= context.configuration.maximumPictureBytes else {
      let text = MessageText(
        "largePicture",
        ["bytes": data.count, "limit": context.configuration.maximumPictureBytes])
      connection.report("tooBig", text.sentence, text: text, closing: 1009)
      return
    }
    do {
      let picture = try PictureMessage(data)
      let arrival: Arrival? = state.withLock { state in
        // Some are still on the way when the client has chosen another source.
        guard state.source.kind == .browser else { return nil }
        state.arrivedCount += 1
        return Arrival(
          content: .jpeg(picture.jpeg), sequence: picture.sequence, sentTime: picture.time,
          number: state.arrivedCount, epoch: state.epoch)
      }
      if let arrival { offer(arrival) }
    } catch {
      connection.reportFault("badPicture", error)
    }
  }

  /// Takes an event of the server's own source.
  private func receive(_ event: LiveVideoEvent, epoch: Int) {
    switch event {
    case .status(let status):
      if state.withLock({ $0.epoch }) == epoch { connection.send(SourceMessage(status)) }
    case .frame(let frame, let time, let droppedCount):
      let (arrival, lost): (Arrival?, Int) = state.withLock { state in
        guard state.epoch == epoch else { return (nil, 0) }
        // Frames that the source dropped before this session do not count.
        let lost = max(0, droppedCount - (state.sourceDroppedCount ?? droppedCount))
        state.sourceDroppedCount = droppedCount
        state.lostCount += lost
        state.arrivedCount += 1
        state.serverSequence &+= 1
        let arrival = Arrival(
          content: .frame(frame), sequence: state.serverSequence, sentTime: time * 1000,
          number: state.arrivedCount, epoch: epoch)
        return (arrival, lost)
      }
      guard let arrival else { return }
      if lost > 0 { context.metrics.update { $0.droppedCount += lost } }
      offer(arrival)
    }
  }

  /// Offers a frame for the session's turn; a newer one replaces it.
  private func offer(_ arrival: Arrival) {
    let isReplacing = stream.offer { finder in self.answer(arrival, finder: &finder) }
    if isReplacing { context.metrics.update { $0.droppedCount += 1 } }
  }

  // MARK: - In the session's turn

  private func answer(_ arrival: Arrival, finder: inout PoseFinder) {
    guard connection.isAttached else { return }
    let isWanted = state.withLock { state in
      guard state.epoch == arrival.epoch else { return false }
      // Frames arrive in order: earlier ones that were not processed were dropped.
      state.processedCount += 1
      state.droppedCount = arrival.number - state.processedCount + state.lostCount
      return true
    }
    guard isWanted else { return }
    var durations = StageDurations()
    durations.add(.queue, seconds: ProcessInfo.processInfo.systemUptime - arrival.time)
    do {
      let frame = try durations.measure(.decoding) { try self.frame(of: arrival) }
      if !arrival.isServers { connection.clearFaults() }
      var message = try analyse(frame, of: arrival, finder: &finder, durations: &durations)
      if arrival.isServers {
        let jpeg = try durations.measure(.encoding) {
          try frame.jpegData(quality: context.configuration.pictureQuality)
        }
        let picture = PictureMessage(sequence: arrival.sequence, time: arrival.sentTime, jpeg: jpeg)
        connection.send(latest: .binary(picture.data), kind: "picture")
      }
      let seconds = ProcessInfo.processInfo.systemUptime - arrival.time
      durations.add(.total, seconds: seconds)
      message.serverTime = (seconds * 1000).rounded(places: 2)
      message.dropped = state.withLock { state in
        state.analysedCount += 1
        state.latencies.add(seconds * 1000)
        return state.droppedCount
      }
      context.metrics.add(durations)
      connection.send(latest: message.webSocketMessage, kind: "frame")
    } catch let error as VideoError {
      connection.reportFault("badPicture", error)
    } catch let error as VisionError {
      connection.report("unavailable", error.message, text: error.text, closing: 1011)
    } catch {
      connection.reportSometimes(error)
    }
  }

  private func frame(of arrival: Arrival) throws -> Frame {
    switch arrival.content {
    case .jpeg(let data):
      try Frame(jpeg: data, maximumPixelCount: context.configuration.maximumPictureSize)
    case .frame(let frame): frame
    }
  }

  private func analyse(
    _ frame: Frame, of arrival: Arrival, finder: inout PoseFinder, durations: inout StageDurations
  ) throws -> FrameMessage {
    let (time, recordStart) = analysis.withLock { analysis in
      let time = analysis.time(ofPictureSentAt: arrival.sentTime / 1000, arrivedAt: arrival.time)
      return (time, analysis.tally.start)
    }
    record.add(frame, at: time - (recordStart ?? time))
    let poses = try durations.measure(.poses) { try finder.poses(in: frame, at: time) }
    let picture = SessionAnalysis.Picture(
      sequence: arrival.sequence, sentTime: arrival.sentTime, width: frame.width,
      height: frame.height, time: time)
    let (message, challenge, form, revisions) = try analysis.withLock { analysis in
      let before = (analysis.challenge?.message, analysis.form)
      let message = try analysis.add(poses, in: picture, durations: &durations)
      let after = (analysis.challenge?.message, analysis.form)
      return (
        message, before.0 == after.0 ? nil : after.0, before.1 == after.1 ? nil : after.1,
        analysis.takeRevisions()
      )
    }
    for revision in revisions { connection.send(revision) }
    if let form { connection.send(form) }
    if let challenge { connection.send(latest: challenge.webSocketMessage, kind: "challenge") }
    return message
  }

  // MARK: - Statistics

  /// The statistics since the last call.
  func takeStatistics(sessionCount: Int, isRecording: Bool) -> StatisticsMessage {
    state.withLock { state in
      let now = ProcessInfo.processInfo.systemUptime
      let passed = max(now - state.counted.time, 1e-3)
      let arrived = state.arrivedCount - state.counted.arrived
      let analysed = state.analysedCount - state.counted.analysed
      defer {
        state.counted = (state.arrivedCount, state.analysedCount, now)
        state.latencies.removeAll()
      }
      return StatisticsMessage(
        cameraFPS: (Double(arrived) / passed).rounded(places: 1),
        analysedFPS: (Double(analysed) / passed).rounded(places: 1), dropped: state.droppedCount,
        latency: .init(
          p50: state.latencies.percentile(0.5)?.rounded(places: 1),
          p95: state.latencies.percentile(0.95)?.rounded(places: 1)),
        sessions: sessionCount, isRecording: isRecording)
    }
  }
}
