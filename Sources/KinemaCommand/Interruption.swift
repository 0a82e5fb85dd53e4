import Dispatch
import Foundation
import Synchronization

/// Turns SIGINT and SIGTERM into a cancellation; a second SIGINT ends the process at once.
final class Interruption: Sendable {
  private let happened = Atomic(false)
  private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

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
