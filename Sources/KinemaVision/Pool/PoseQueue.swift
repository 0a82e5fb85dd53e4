import Foundation

/// The turns of the streams of a ``PosePool``, shared with its threads.
final class PoseQueue: @unchecked Sendable {
  typealias Job = @Sendable (inout PoseFinder) -> Void

  /// The jobs of a stream.
  ///
  /// Guarded by the queue's lock, except for the finder, which belongs to the thread whose turn it
  /// is.
  final class Line {
    fileprivate let rank: PosePool.Rank
    fileprivate var jobs: [Job] = []
    fileprivate var newest: Job?
    fileprivate var isBusy = false
    fileprivate var lastTurn = 0
    fileprivate var finder: PoseFinder

    init(_ finder: PoseFinder, rank: PosePool.Rank) {
      self.finder = finder
      self.rank = rank
    }

    fileprivate var isWaiting: Bool { !isBusy && (!jobs.isEmpty || newest != nil) }
    fileprivate var order: (PosePool.Rank, Int) { (rank, lastTurn) }
  }

  /// The weight of the newest frame in the mean cost of frames.
  private static let costWeight = 0.05

  private let workerCount: Int
  private let runtime: VisionRuntime
  private let condition = NSCondition()
  // Guarded by the condition.
  private var startedCount = 0
  private var idleCount = 0
  private var waiting: [Line] = []
  private var turn = 0
  private var isOver = false
  private var busySeconds: TimeInterval = 0
  private var frameCount = 0
  private var secondsPerFrame: TimeInterval?

  init(workerCount: Int, runtime: VisionRuntime) {
    self.workerCount = workerCount
    self.runtime = runtime
  }

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

  /// Replaces the stream's waiting newest job, if any.
  ///
  /// - Returns: Whether one was dropped.
  func replaceNewest(of line: Line, by job: @escaping Job) -> Bool {
    // Freed outside the lock.
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

  /// Lets waiting jobs finish, and takes no others.
  func end() {
    condition.withLock {
      isOver = true
      condition.broadcast()
    }
  }

  var load: PosePool.Load {
    condition.withLock {
      PosePool.Load(
        workerCount: workerCount, busySeconds: busySeconds, frameCount: frameCount,
        secondsPerFrame: secondsPerFrame, waitingCount: waiting.count)
    }
  }

  // MARK: - Threads

  /// Starts all threads; each loads the networks of a subject.
  func startAll(loading subject: PoseSubject) {
    condition.withLock {
      while startedCount < workerCount { startThread(loading: subject) }
    }
  }

  private func startThread(loading subject: PoseSubject? = nil) {
    startedCount += 1
    let thread = Thread { [self] in
      let networks = ThreadNetworks(runtime: runtime)
      // A missing part is reported where the networks are used.
      if let subject { try? networks.load(subject) }
      work(with: networks)
    }
    thread.name = "kinema.pose.\(startedCount)"
    thread.start()
  }

  private func work(with networks: ThreadNetworks) {
    while let (line, jobs, newest) = next() {
      let start = ProcessInfo.processInfo.systemUptime
      line.finder.networks = networks
      for job in jobs { job(&line.finder) }
      newest?(&line.finder)
      line.finder.networks = nil
      finish(
        line, seconds: ProcessInfo.processInfo.systemUptime - start, isFrame: newest != nil)
    }
  }

  private func announce(_ line: Line, wasWaiting: Bool) {
    guard !wasWaiting, line.isWaiting else { return }
    waiting.append(line)
    if idleCount < waiting.count, startedCount < workerCount { startThread() }
    condition.signal()
  }

  /// The work of the stream with the lowest rank; of those, the one that was served least recently.
  private func next() -> (Line, [Job], Job?)? {
    condition.withLock {
      while waiting.isEmpty {
        if isOver { return nil }
        idleCount += 1
        condition.wait()
        idleCount -= 1
      }
      let index = waiting.indices.min { waiting[$0].order < waiting[$1].order } ?? 0
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
