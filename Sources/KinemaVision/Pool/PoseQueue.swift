import Foundation

/// What the threads of a ``PosePool`` and its streams share: who waits, and whose turn it is.
final class PoseQueue: @unchecked Sendable {
  typealias Job = @Sendable (inout PoseLook) -> Void

  /// What a stream has waiting.
  ///
  /// Guarded by the queue's lock, but for the people, who belong to the thread that works on it.
  final class Line {
    fileprivate var jobs: [Job] = []
    fileprivate var newest: Job?
    fileprivate var isBusy = false
    fileprivate var lastTurn = 0
    fileprivate var people: FollowedPeople

    init(_ people: FollowedPeople) {
      self.people = people
    }

    fileprivate var isWaiting: Bool { !isBusy && (!jobs.isEmpty || newest != nil) }
  }

  /// The share that the newest frame has in the mean of what frames cost.
  private static let costWeight = 0.05

  private let condition = NSCondition()
  // Guarded by the condition.
  private var waiting: [Line] = []
  private var turn = 0
  private var isOver = false
  private var busySeconds: TimeInterval = 0
  private var frameCount = 0
  private var secondsPerFrame: TimeInterval?

  /// Adds a job that must be done, in order.
  ///
  /// - Returns: Whether it will be done; `false` after the end.
  func add(_ job: @escaping Job, to line: Line) -> Bool {
    condition.withLock {
      guard !isOver else { return false }
      let wasWaiting = line.isWaiting
      line.jobs.append(job)
      announce(line, wasWaiting: wasWaiting)
      return true
    }
  }

  /// Puts a job in the place of the one that waits there, if any.
  ///
  /// - Returns: Whether one was thrown away.
  func replaceNewest(of line: Line, by job: @escaping Job) -> Bool {
    // Freed outside the lock, with whatever the job holds.
    var replaced: Job?
    return condition.withLock {
      guard !isOver else { return true }
      let wasWaiting = line.isWaiting
      replaced = line.newest
      line.newest = job
      announce(line, wasWaiting: wasWaiting)
      return replaced != nil
    }
  }

  /// Lets those who wait finish, and no others.
  func end() {
    condition.withLock {
      isOver = true
      condition.broadcast()
    }
  }

  func load(workerCount: Int) -> PosePool.Load {
    condition.withLock {
      PosePool.Load(
        workerCount: workerCount, busySeconds: busySeconds, frameCount: frameCount,
        secondsPerFrame: secondsPerFrame, waitingCount: waiting.count)
    }
  }

  // MARK: - The threads

  /// Works until the end.
  func work(with look: inout PoseLook) {
    while let (line, jobs, newest) = next() {
      let start = ProcessInfo.processInfo.systemUptime
      look.people = line.people
      for job in jobs { job(&look) }
      newest?(&look)
      line.people = look.people
      look.people = FollowedPeople()
      finish(
        line, seconds: ProcessInfo.processInfo.systemUptime - start, isFrame: newest != nil)
    }
  }

  private func announce(_ line: Line, wasWaiting: Bool) {
    guard !wasWaiting, line.isWaiting else { return }
    waiting.append(line)
    condition.signal()
  }

  /// What is to be done for the stream that was served least recently.
  private func next() -> (Line, [Job], Job?)? {
    condition.withLock {
      while waiting.isEmpty {
        if isOver { return nil }
        condition.wait()
      }
      let index = waiting.indices.min { waiting[$0].lastTurn < waiting[$1].lastTurn } ?? 0
      let line = waiting.remove(at: index)
      turn += 1
      line.lastTurn = turn
      line.isBusy = true
      defer { (line.jobs, line.newest) = ([], nil) }
      return (line, line.jobs, line.newest)
    }
  }

  private func finish(_ line: Line, seconds: TimeInterval, isFrame: Bool) {
    condition.withLock {
      busySeconds += seconds
      if isFrame {
        frameCount += 1
        secondsPerFrame = secondsPerFrame.map { $0 + Self.costWeight * (seconds - $0) } ?? seconds
      }
      line.isBusy = false
      announce(line, wasWaiting: false)
    }
  }
}
