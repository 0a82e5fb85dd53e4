import Foundation
import KinemaVideo

/// The turns of the streams of a ``PosePool``, shared with its threads.
final class PoseQueue: @unchecked Sendable {
  typealias Job = @Sendable (inout PoseFinder) -> Void

  /// The jobs of a stream: a flow of fair queueing.
  ///
  /// Guarded by the queue's lock, except for the finder, which belongs to the thread whose turn it
  /// is.
  final class Flow {
    fileprivate let rank: PosePool.Rank
    /// Its share of the threads relative to those of others with the same rank.
    fileprivate let weight: Double
    fileprivate var jobs: [Job] = []
    fileprivate var newest: Job?
    fileprivate var isBusy = false
    /// Where its next turn begins and its last one ended, in ``PoseQueue/fairTime``.
    fileprivate var start: TimeInterval = 0
    fileprivate var end: TimeInterval = 0
    fileprivate var finder: PoseFinder

    init(_ finder: PoseFinder, rank: PosePool.Rank, weight: Double) {
      self.finder = finder
      self.rank = rank
      self.weight = weight
    }

    fileprivate var isWaiting: Bool { !isBusy && (!jobs.isEmpty || newest != nil) }
    fileprivate var order: (PosePool.Rank, TimeInterval) { (rank, start) }
  }

  private enum Work {
    case flow(Flow, [Job], Job?)
    case batch(LandmarkBatch)
  }

  /// The weight of the newest frame in the mean cost of frames.
  private static let costWeight = 0.05

  private let workerCount: Int
  private let isInBackground: Bool
  private let runtime: VisionRuntime
  private let condition = NSCondition()
  // Guarded by the condition.
  private var startedCount = 0
  private var idleCount = 0
  private var waiting: [Flow] = []
  private var batches: [LandmarkBatch] = []
  /// The start of the turn that is served.
  ///
  /// A stream's turns follow one another by what they cost. One that had no work begins here, so that
  /// it neither saves up turns nor waits behind streams that used more. Start-time fair queueing:
  /// Goyal, Vin and Cheng, IEEE/ACM ToN 5(5), 1997.
  private var fairTime: TimeInterval = 0
  private var isOver = false
  private var busySeconds: TimeInterval = 0
  private var frameCount = 0
  private var secondsPerFrame: TimeInterval?

  init(workerCount: Int, isInBackground: Bool, runtime: VisionRuntime) {
    self.workerCount = workerCount
    self.isInBackground = isInBackground
    self.runtime = runtime
  }

  /// Adds a job that must be done, in order.
  ///
  /// - Returns: Whether it will be done; `false` after the end.
  func add(_ job: @escaping Job, to flow: Flow) -> Bool {
    condition.withLock {
      guard !isOver else { return false }
      let wasWaiting = flow.isWaiting
      flow.jobs.append(job)
      announce(flow, wasWaiting: wasWaiting)
      return true
    }
  }

  /// Replaces the stream's waiting newest job, if any.
  ///
  /// - Returns: Whether one was dropped.
  func replaceNewest(of flow: Flow, by job: @escaping Job) -> Bool {
    // Freed outside the lock.
    var replaced: Job?
    return condition.withLock {
      guard !isOver else { return true }
      let wasWaiting = flow.isWaiting
      replaced = flow.newest
      flow.newest = job
      announce(flow, wasWaiting: wasWaiting)
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
      if isInBackground { BlockingThread.lowerPriority() }
      let networks = ThreadNetworks(runtime: runtime) { [self] in share($0) }
      // A missing part is reported where the networks are used.
      if let subject { try? networks.load(subject) }
      work(with: networks)
    }
    thread.name = "kinema.pose.\(startedCount)"
    thread.start()
  }

  private func work(with networks: ThreadNetworks) {
    while let work = next() {
      let start = ProcessInfo.processInfo.systemUptime
      var seconds: TimeInterval { ProcessInfo.processInfo.systemUptime - start }
      switch work {
      case .flow(let flow, let jobs, let newest):
        flow.finder.networks = networks
        for job in jobs { job(&flow.finder) }
        newest?(&flow.finder)
        flow.finder.networks = nil
        finish(flow, seconds: seconds, isFrame: newest != nil)
      case .batch(let batch):
        // Without networks, the stream's thread reports the missing part.
        try? networks.withBodies(batch.settings) { batch.work(with: &$0) }
        finishBatch(seconds: seconds)
      }
    }
  }

  /// Lets idle threads, and one that has not started, take a part of a batch.
  private func share(_ batch: LandmarkBatch) {
    condition.withLock {
      guard idleCount > 0 || startedCount < workerCount else { return }
      batches.append(batch)
      if idleCount == 0 { startThread() }
      condition.signal()
    }
  }

  private func announce(_ flow: Flow, wasWaiting: Bool) {
    guard !wasWaiting, flow.isWaiting else { return }
    flow.start = max(flow.end, fairTime)
    waiting.append(flow)
    if idleCount < waiting.count, startedCount < workerCount { startThread() }
    condition.signal()
  }

  /// The work of the stream with the lowest rank; of those, the one whose turn begins first.
  ///
  /// Where no stream waits, a part of another thread's batch.
  private func next() -> Work? {
    condition.withLock {
      while waiting.isEmpty {
        batches.removeAll { !$0.isOpen }
        if let batch = batches.first { return .batch(batch) }
        if isOver { return nil }
        idleCount += 1
        condition.wait()
        idleCount -= 1
      }
      let index = waiting.indices.min { waiting[$0].order < waiting[$1].order } ?? 0
      let flow = waiting.remove(at: index)
      fairTime = max(fairTime, flow.start)
      flow.isBusy = true
      defer { (flow.jobs, flow.newest) = ([], nil) }
      return .flow(flow, flow.jobs, flow.newest)
    }
  }

  private func finishBatch(seconds: TimeInterval) {
    condition.withLock {
      busySeconds += seconds
      // The frame's own thread has counted, or will count, the rest of its cost.
      secondsPerFrame? += Self.costWeight * seconds
    }
  }

  private func finish(_ flow: Flow, seconds: TimeInterval, isFrame: Bool) {
    condition.withLock {
      busySeconds += seconds
      if isFrame {
        frameCount += 1
        secondsPerFrame = secondsPerFrame.map { $0 + Self.costWeight * (seconds - $0) } ?? seconds
      }
      flow.end = flow.start + seconds / flow.weight
      flow.isBusy = false
      announce(flow, wasWaiting: false)
    }
  }
}
