import Foundation
import KinemaFiles
import Synchronization

/// Runs the jobs of a worker, one after the other, in the order of their requests.
final class WorkerSession: Sendable {
  private struct State {
    /// The numbers of the requests that wait.
    var waiting: [WorkerRequest.ID: Int] = [:]
    /// Where frames go, of the jobs that take some.
    var inboxes: [WorkerRequest.ID: WorkerInbox] = [:]
    var requestCount = 0
    var running: (id: WorkerRequest.ID, task: Task<Void, any Error>)?
    /// Whether no other job begins.
    var isOver = false
  }

  private typealias Request = (job: WorkerRequest.Job, number: Int)

  static let protocolVersion = 1
  /// How many jobs may wait.
  static let queueLimit = 1024

  private let channel: WorkerChannel
  private let state = Mutex(State())

  init(_ channel: WorkerChannel) { self.channel = channel }

  /// Runs to the end of the input; throws `CancellationError` where the worker is to end before, and where
  /// answers were lost as ``WorkerChannel/finish()``.
  func run() async throws {
    let greeting: JSONObject = [
      "worker": "kinema", "version": Application.version, "protocol": Self.protocolVersion,
      "jobs": WorkerJobs.all.map { $0.name },
    ]
    channel.send(try greeting.jsonText(isPretty: false))
    let folder = WorkerFolder()
    defer { folder.remove() }
    let (jobs, queue) = AsyncStream<Request>.makeStream()
    Thread.detachNewThread { [self] in
      var lineCount = 0
      channel.read { event in
        lineCount += 1
        switch event {
        case .line(let line): take(line, number: lineCount, queue)
        case .longLine:
          refuse(
            "A request has at most \(WorkerChannel.longestLine) bytes.", id: nil, line: lineCount)
        case .end:
          queue.finish()
          // Nobody sends frames any more.
          state.withLock { $0.inboxes.values.forEach { $0.finish() } }
        case .hangUp:
          end(answering: false)
          queue.finish()
        }
      }
    }
    await withTaskCancellationHandler {
      for await request in jobs { await perform(request.job, number: request.number, folder) }
    } onCancel: {
      end(answering: true)
    }
    try Task.checkCancellation()
    try channel.finish()
  }

  private func refuse(
    _ message: String, _ status: ExitStatus = .usage, id: WorkerRequest.ID?, line: Int? = nil
  ) {
    channel.send(WorkerAnswers.error(status, message, id: id, line: line))
  }

  /// Takes a request.
  private func take(
    _ line: Data, number: Int, _ queue: AsyncStream<Request>.Continuation
  ) {
    do throws(WorkerRequest.Malformed) {
      switch try WorkerRequest(line) {
      case .cancel(let id): cancel(id)
      case .push(let id, let frame): inbox(of: id)?.add(frame)
      case .finish(let id): inbox(of: id)?.finish()
      case .job(let job):
        switch enqueue(job) {
        case .success(let number): queue.yield((job, number))
        case .failure(let failure): refuse(failure.message, failure.status, id: job.id)
        }
      }
    } catch {
      refuse(error.message, id: error.id, line: number)
    }
  }

  /// Gives a job a number of its own: its id may be used again once it is cancelled.
  private func enqueue(_ job: WorkerRequest.Job) -> Result<Int, CommandFailure> {
    state.withLock { state in
      guard state.waiting[job.id] == nil, state.running?.id != job.id else {
        return .failure(
          .init(.usage, "A job with this id is not done yet; choose another id."))
      }
      guard state.waiting.count < Self.queueLimit else {
        return .failure(
          .init(.tryAgain, "\(Self.queueLimit) jobs wait; send others when some are done."))
      }
      state.requestCount += 1
      state.waiting[job.id] = state.requestCount
      if job.name == PushJob.name { state.inboxes[job.id] = job.inbox }
      return .success(state.requestCount)
    }
  }

  /// Where the frames of a job go; a frame for one that is unknown, or has ended, is not answered.
  private func inbox(of id: WorkerRequest.ID) -> WorkerInbox? {
    state.withLock { $0.inboxes[id] }
  }

  private func cancel(_ id: WorkerRequest.ID) {
    let wasWaiting = state.withLock { state in
      if let running = state.running, running.id == id { running.task.cancel() }
      guard state.waiting.removeValue(forKey: id) != nil else { return false }
      state.inboxes[id] = nil
      return true
    }
    if wasWaiting { refuse(Self.cancelled.message, .interrupted, id: id) }
  }

  /// Drops the jobs that wait, and cancels the one that runs.
  private func end(answering: Bool) {
    let dropped = state.withLock { state in
      defer { state.waiting = [:] }
      state.isOver = true
      state.running?.task.cancel()
      return state.waiting.keys
    }
    guard answering else { return }
    for id in dropped { refuse(Self.cancelled.message, .interrupted, id: id) }
  }

  private static let cancelled = CommandFailure(
    .interrupted, "The job was cancelled; no partial files were left behind.")

  private func perform(
    _ job: WorkerRequest.Job, number: Int, _ folder: WorkerFolder
  ) async {
    let answers = WorkerAnswers(to: job.id, on: channel)
    let task = state.withLock { state -> Task<Void, any Error>? in
      guard !state.isOver, state.waiting[job.id] == number else { return nil }
      state.waiting[job.id] = nil
      let task = Task {
        StandardStreams.redirect(to: answers)
        defer { StandardStreams.redirect(to: nil) }
        try await WorkerJobs.run(job, .init(answers: answers, folder: folder))
      }
      state.running = (job.id, task)
      return task
    }
    guard let task else { return }
    let start = ContinuousClock.now
    let result = await task.result
    // Before the answer, so that its reader can use the id again.
    state.withLock { state in
      state.running = nil
      state.inboxes[job.id] = nil
    }
    switch result {
    case .success: answers.finish(seconds: (ContinuousClock.now - start) / .seconds(1))
    case .failure(let error):
      // Commands that can resume have their own message.
      let isExplained = (error as? CommandFailure)?.status == .interrupted
      answers.fail(task.isCancelled && !isExplained ? Self.cancelled : CommandFailure(error))
    }
  }
}

/// The temporary folder of a worker, made when it is needed.
final class WorkerFolder: Sendable {
  private let made = Mutex<(folder: PrivateFolder, jobCount: Int)?>(nil)

  init() { PrivateFolder.removeLeftovers() }

  /// A folder for the arrays of another job.
  func next() throws -> URL {
    try made.withLock { made in
      let (folder, count) = try made ?? (PrivateFolder(), 0)
      made = (folder, count + 1)
      let url = folder.url.appending(path: "\(count + 1)")
      try OutputTarget.makeFolder(url)
      return url
    }
  }

  func remove() { made.withLock { $0?.folder.remove() } }
}
