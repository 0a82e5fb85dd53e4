import Dispatch
import Foundation
import Synchronization

/// Turns Ctrl-C and a polite request to end (SIGTERM) into a cancellation, so that files are left
/// whole; a second Ctrl-C ends the process at once.
final class Interruption: Sendable {
  private let happened = Atomic(false)
  private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

  /// Whether the user has interrupted the work.
  var hasHappened: Bool { happened.load(ordering: .relaxed) }

  init(onInterruption: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in
        if happened.exchange(true, ordering: .relaxed) { _exit(ExitStatus.interrupted.rawValue) }
        onInterruption()
      }
      source.resume()
      sources.append(source)
    }
  }
}
