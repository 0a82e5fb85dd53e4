import Foundation

/// Runs an actor's work on a thread of its own, so that long calls into C do not hold up the threads
/// that all other tasks share.
///
/// The thread is started with the first job and ends with the executor.
final class ThreadExecutor: SerialExecutor {
  /// What the executor and its thread share.
  private final class Queue: @unchecked Sendable {
    private let condition = NSCondition()
    // Guarded by the condition.
    private var jobs: [(job: UnownedJob, executor: ThreadExecutor)] = []
    private var isStarted = false
    private var isOver = false

    func append(_ job: UnownedJob, for executor: ThreadExecutor) {
      condition.lock()
      jobs.append((job, executor))
      let mustStart = !isStarted
      isStarted = true
      condition.signal()
      condition.unlock()
      if mustStart {
        let thread = Thread { self.run() }
        thread.name = "kinema.vision"
        thread.start()
      }
    }

    func end() {
      condition.lock()
      isOver = true
      condition.signal()
      condition.unlock()
    }

    private func run() {
      while let next = next() {
        next.job.runSynchronously(on: next.executor.asUnownedSerialExecutor())
      }
    }

    private func next() -> (job: UnownedJob, executor: ThreadExecutor)? {
      condition.lock()
      defer { condition.unlock() }
      while jobs.isEmpty {
        if isOver { return nil }
        condition.wait()
      }
      return jobs.removeFirst()
    }
  }

  private let queue = Queue()

  deinit {
    queue.end()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    queue.append(UnownedJob(job), for: self)
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
