import Foundation
import Glibc

extension Process {
  /// Ends the process, whatever it does, and waits for that; nothing where it has ended.
  ///
  /// By SIGKILL: who is started on a thread of the task pool has that thread's blocked signals, SIGTERM
  /// among them (`Process/terminate()`), and would outlive the tests with their output in its hands.
  package func endAtOnce() {
    guard isRunning else { return }
    kill(processIdentifier, SIGKILL)
    waitForEnd()
  }

  /// Waits until the process has ended.
  ///
  /// `waitUntilExit()` turns a run loop meanwhile, which takes a whole processor on a thread without sources.
  package func waitForEnd() {
    while isRunning { Thread.sleep(forTimeInterval: 0.01) }
    waitUntilExit()
  }
}
