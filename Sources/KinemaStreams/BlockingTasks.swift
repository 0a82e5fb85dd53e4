import Dispatch
import Glibc
import Synchronization

/// Threads for tasks that block: each job has one to itself, so that it holds up nobody else.
///
/// `Task(executorPreference: BlockingTasks.threads) { … }` runs there what the task calls, actors and child
/// tasks included; tasks that it makes without the preference run where all others do. A thread without
/// work ends after some seconds.
package final class BlockingTasks: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    /// How many threads wait for a job that nobody has given them.
    var idleCount = 0
  }

  package static let threads = BlockingTasks()
  private static let idleTime = DispatchTimeInterval.seconds(5)

  private let state = Mutex(State())
  private let bell = DispatchSemaphore(value: 0)

  private init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let hasIdleThread = state.withLock { state in
      state.jobs.append(job)
      guard state.idleCount > 0 else { return false }
      state.idleCount -= 1
      return true
    }
    if hasIdleThread {
      bell.signal()
    } else if !startThread(), let waiting = next(isIdle: false) {
      // No thread can be had: beside the other tasks is better than never.
      globalConcurrentExecutor.enqueue(ExecutorJob(waiting))
    }
  }

  private func startThread() -> Bool {
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { _ in
        BlockingTasks.threads.work()
        return nil
      }, nil)
    if status == 0 { pthread_detach(thread) }
    return status == 0
  }

  /// The job that has waited longest.
  ///
  /// - Parameter isIdle: Whether the thread counts as idle where there is none.
  private func next(isIdle: Bool) -> UnownedJob? {
    state.withLock { state in
      guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
      if isIdle { state.idleCount += 1 }
      return nil
    }
  }

  private func work() {
    while true {
      while let job = next(isIdle: true) { job.runSynchronously(on: asUnownedTaskExecutor()) }
      guard bell.wait(timeout: .now() + Self.idleTime) == .timedOut else { continue }
      let isOver = state.withLock { state in
        guard state.idleCount > 0 else { return false }
        state.idleCount -= 1
        return true
      }
      if isOver { return }
      // A job came at the last moment, and so does its ring.
      bell.wait()
    }
  }
}
