import Foundation
import KinemaVideo
import Synchronization

/// The record of a session in the history, and its video.
final class SessionStorage: Sendable {
  /// A record that is to be begun.
  private struct Beginning {
    var model: String?
    var profile: Int?
    /// When the session began, whenever its record does.
    var date = Date()
    /// When it was last tried, on the server's clock.
    var time = ProcessInfo.processInfo.systemUptime
  }

  private struct State {
    var id: Int?
    /// Counts the records that were wanted, of which only the last is kept.
    var number = 0
    /// The record that could not be begun, and is tried again.
    var delayed: Beginning?
    var recorder: SessionRecorder?
    var recordingCount = 0
    /// The error of a video that no client has heard of yet.
    var unheard: (any Error)?
    /// What was saved last, and when on the server's clock.
    var saved: (summary: SummaryMessage?, time: TimeInterval) = (nil, 0)
  }

  private let context: LiveContext
  private let connection: ClientConnection
  private let state = Mutex(State())

  init(_ context: LiveContext, _ connection: ClientConnection) {
    self.context = context
    self.connection = connection
  }

  var id: Int? { state.withLock { $0.id } }
  var isRecording: Bool { state.withLock { $0.recorder != nil } }

  /// Begins a record; a failure is reported, and ``beginDelayed(isForced:)`` tries again.
  func begin(model: String?, profile: Int?) async {
    let number = state.withLock { state in
      (state.id, state.delayed, state.saved) = (nil, nil, (nil, 0))
      state.number += 1
      return state.number
    }
    do {
      try await begin(Beginning(model: model, profile: profile), number)
    } catch {
      connection.report(error, code: "storage")
    }
  }

  /// Begins a record, which ends at once where another one is wanted by then.
  private func begin(_ beginning: Beginning, _ number: Int) async throws {
    do {
      let id = try await BlockingThread.run { [history = context.history] in
        try history.begin(
          model: beginning.model, profile: beginning.profile, at: beginning.date)
      }
      let isWanted = state.withLock { state in
        guard state.number == number else { return false }
        state.id = id
        return true
      }
      guard !isWanted else { return }
      try await BlockingThread.run { [history = context.history] in try history.end(id) }
    } catch {
      state.withLock { state in
        if state.number == number { state.delayed = beginning }
      }
      throw error
    }
  }

  /// Begins the record that could not be begun, if any, where enough time has passed; returns
  /// whether it has begun.
  func beginDelayed(isForced: Bool = false) async -> Bool {
    let now = ProcessInfo.processInfo.systemUptime
    let (due, number): (Beginning?, Int) = state.withLock { state in
      guard let delayed = state.delayed,
        isForced || now - delayed.time >= context.configuration.saveInterval
      else { return (nil, state.number) }
      state.delayed = nil
      return (delayed, state.number)
    }
    guard var due else { return false }
    due.time = now
    do {
      try await begin(due, number)
      return id != nil
    } catch {
      // Its first failure was reported.
      return false
    }
  }

  /// Whether this is what was saved last.
  func isSaved(_ summary: SummaryMessage) -> Bool { state.withLock { $0.saved.summary == summary } }

  /// Saves what was done, where it has changed and enough time has passed.
  func save(_ tally: SessionTally, model: String?, isForced: Bool = false) async {
    let now = ProcessInfo.processInfo.systemUptime
    let summary = tally.message
    let due: Int? = state.withLock { state in
      guard isForced || now - state.saved.time >= context.configuration.saveInterval,
        state.id != nil, summary != state.saved.summary
      else { return nil }
      state.saved = (summary, now)
      return state.id
    }
    guard let due else { return }
    do {
      try await BlockingThread.run { [history = context.history] in
        try history.save(
          due, duration: tally.duration.rounded(places: 2), model: model,
          entries: tally.sortedEntries, timeline: tally.roundedTimeline,
          sets: tally.trainedSets)
      }
    } catch let error as ServerError where error.code == .notFound {
      // Deleted meanwhile: the rest is not saved either.
      state.withLock { $0.id = nil }
    } catch {
      // It is due again, also where nothing changes any more.
      state.withLock { $0.saved.summary = nil }
      connection.report(error, code: "storage")
    }
  }

  func close() async {
    let id = state.withLock { state in
      defer { (state.id, state.delayed, state.number) = (nil, nil, state.number + 1) }
      return state.id
    }
    guard let id else { return }
    do {
      try await BlockingThread.run { [history = context.history] in try history.end(id) }
    } catch let error as ServerError where error.code == .notFound {
      // Deleted meanwhile.
    } catch {
      connection.report(error, code: "storage")
    }
  }

  // MARK: - Video

  /// Begins a video, unless one is under way or there is no record yet.
  func startVideo() {
    guard let folder = context.configuration.recordingFolder else { return }
    state.withLock { state in
      guard state.recorder == nil, let id = state.id else { return }
      state.recordingCount += 1
      let part = state.recordingCount > 1 ? "-\(state.recordingCount)" : ""
      let url = folder.appending(path: "session-\(id)\(part).mp4")
      state.recorder = SessionRecorder(url: url) { [weak self] error in
        self?.drop(url, error)
      }
    }
  }

  /// Drops a video that cannot be written, and reports why.
  private func drop(_ url: URL, _ error: any Error) {
    state.withLock { state in
      if state.recorder?.url == url { state.recorder = nil }
    }
    report(error)
  }

  /// Adds a frame to the video, at a time in seconds of the record.
  func add(_ frame: Frame, at time: TimeInterval) {
    state.withLock { $0.recorder }?.add(frame, at: time)
  }

  /// Ends the video, if one is under way, and notes it in the history.
  func stopVideo() async {
    let (recorder, id) = state.withLock { state in
      defer { state.recorder = nil }
      return (state.recorder, state.id)
    }
    guard let recorder, await recorder.finish(), let id else { return }
    do {
      try await BlockingThread.run { [history = context.history] in
        try history.setRecording(recorder.url.lastPathComponent, of: id)
      }
    } catch {
      report(error)
    }
  }

  /// Reports an error of a video, where no client is there to the one that returns.
  private func report(_ error: any Error) {
    guard connection.isAttached else {
      state.withLock { $0.unheard = error }
      return
    }
    connection.report(error, code: "recording")
  }

  /// Reports to a client that has returned what went wrong with a video meanwhile.
  func reportUnheard() {
    let error = state.withLock { state in
      defer { state.unheard = nil }
      return state.unheard
    }
    if let error { report(error) }
  }
}
