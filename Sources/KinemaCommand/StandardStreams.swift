import Foundation
import Synchronization

/// The reader of the results has closed the pipe, as `head` does.
struct ClosedOutput: Error {}

/// Standard output for results, standard error for messages and progress.
enum StandardStreams {
  private struct State {
    var pending = Data()
    var isClosed = false
    var progressIsShown = false
  }

  private static let state = Mutex(State())
  private static let bufferSize = 1 << 16

  static let errorIsTerminal = isatty(STDERR_FILENO) == 1
  static let outputIsTerminal = isatty(STDOUT_FILENO) == 1

  static func print(_ text: String) { print(Data(text.utf8)) }

  static func print(_ data: Data) {
    state.withLock { state in
      state.pending.append(data)
      if state.pending.count >= bufferSize || outputIsTerminal { writePending(&state) }
    }
  }

  /// Whether the reader of the results has closed the pipe.
  static var outputIsClosed: Bool { state.withLock(\.isClosed) }

  static func flush() { state.withLock { writePending(&$0) } }

  static func printMessage(_ text: String) {
    flush()
    state.withLock { state in
      write("\(state.progressIsShown ? "\r\u{1B}[K" : "")\(text)\n", to: STDERR_FILENO)
      state.progressIsShown = false
    }
  }

  /// Replaces the displayed progress; only on a terminal.
  static func showProgress(_ text: String) {
    guard errorIsTerminal else { return }
    state.withLock { state in
      write("\r\u{1B}[K\(text)", to: STDERR_FILENO)
      state.progressIsShown = true
    }
  }

  static func finishProgress() {
    state.withLock { state in
      guard state.progressIsShown else { return }
      write("\r\u{1B}[K", to: STDERR_FILENO)
      state.progressIsShown = false
    }
  }

  private static func writePending(_ state: inout State) {
    defer { state.pending.removeAll(keepingCapacity: true) }
    guard !state.isClosed else { return }
    state.pending.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let written = Foundation.write(
          STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written < 0 {
          if errno == EINTR { continue }
          state.isClosed = true
          return
        }
        rest = rest.dropFirst(written)
      }
    }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = Foundation.write(descriptor, bytes, bytes.count)
  }
}
