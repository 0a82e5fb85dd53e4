import Foundation
import Glibc
import Kinema
import Synchronization

/// The lines of standard input, each read when it is needed.
final class InputLines: Sendable {
  /// The limit for one line, in bytes; a path has at most 4096.
  private static let largestLine = 1 << 16

  private let pending = Mutex(Data())
  private let isStopped = Atomic(false)

  /// The next line that is not empty, as bytes; `nil` at the end.
  func next() async throws -> Data? {
    let line = try await withTaskCancellationHandler {
      try await BlockingThread.run { [self] in try read() }
    } onCancel: {
      isStopped.store(true, ordering: .relaxed)
    }
    try Task.checkCancellation()
    return line
  }

  private func read() throws -> Data? {
    try pending.withLock { pending in
      var isAtEnd = false
      while true {
        if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
          let line = Data(pending[..<end])
          pending = Data(pending[pending.index(after: end)...])
          if !line.isEmpty { return line }
          continue
        }
        if isAtEnd || isStopped.load(ordering: .relaxed) {
          defer { pending = Data() }
          return pending.isEmpty || !isAtEnd ? nil : pending
        }
        guard pending.count <= Self.largestLine else {
          throw CommandFailure(
            .badData, "A line of standard input is no path: over \(Self.largestLine) bytes.")
        }
        isAtEnd = Self.isAtEnd(afterAddingTo: &pending)
      }
    }
  }

  /// Waits for bytes for up to a fifth of a second.
  private static func isAtEnd(afterAddingTo pending: inout Data) -> Bool {
    var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 200) > 0 else { return false }
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, count in
      count = max(0, Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count))
    }
    pending.append(contentsOf: bytes)
    return bytes.isEmpty
  }
}
