import Foundation
import Glibc
import Synchronization

/// Where the signal handler writes; a handler captures nothing.
private nonisolated(unsafe) var alarm: Int32 = -1

/// Turns SIGINT and SIGTERM into a cancellation; a second signal ends the process at once.
///
/// A thread of its own waits for them: the workers of Dispatch, which also run tasks, may be busy for
/// many seconds.
final class Interruption: Sendable {
  private let happened = Atomic(false)

  var hasHappened: Bool { happened.load(ordering: .relaxed) }

  init(onInterruption: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    // Without descriptors the signals end the process, as by default.
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    alarm = ends[1]
    let thread = Thread { [self, end = ends[0]] in
      var byte: UInt8 = 0
      while read(end, &byte, 1) == 1 || errno == EINTR {
        if happened.exchange(true, ordering: .relaxed) { _exit(ExitStatus.interrupted.rawValue) }
        onInterruption()
      }
    }
    thread.name = "kinema.signals"
    thread.stackSize = 256 << 10
    thread.start()
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in
        let before = errno
        _ = write(alarm, "!", 1)
        errno = before
      }
    }
  }
}
