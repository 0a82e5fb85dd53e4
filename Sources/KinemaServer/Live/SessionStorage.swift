import Foundation
import KinemaVideo
import Synchronization

/// The record of a session in the history, and its video.
final class SessionStorage: Sendable {
  private struct State {
    var id: Int?
    var recorder: SessionRecorder?
    var recordingCount = 0
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

  func begin(model: String?, profile: Int?) async {
    state.withLock { ($0.id, $0.saved) = (nil, (nil, 0)) }
    do {
      let id = try await BlockingThread.run { [history = context.history] in
        try history.begin(model: model, profile: profile, at: Date())
      }
      state.withLock { $0.id = id }
    } catch {
      connection.report(error, code: "storage")
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
      defer { state.id = nil }
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

  /// Begins a video, unless one is under way.
  func startVideo() {
    guard let folder = context.configuration.recordingFolder else { return }
    state.withLock { state in
      guard state.recorder == nil, let id = state.id else { return }
      state.recordingCount += 1
      let part = state.recordingCount > 1 ? "-\(state.recordingCount)" : ""
      state.recorder = SessionRecorder(url: folder.appending(path: "session-\(id)\(part).mp4"))
    }
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
    guard let recorder else { return }
    do {
      guard try await recorder.finish(), let id else { return }
      try await BlockingThread.run { [history = context.history] in
        try history.setRecording(recorder.url.lastPathComponent, of: id)
      }
    } catch {
      connection.report(error, code: "recording")
    }
  }
}
