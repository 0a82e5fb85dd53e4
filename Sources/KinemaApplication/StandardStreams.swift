import Foundation
import KinemaFiles
import Synchronization

/// The reader of the results has closed the pipe, as `head` does.
struct ClosedOutput: Error {}

/// Takes what a command prints where it runs as a job of ``WorkerCommand``.
protocol StreamReceiver: Sendable {
  func take(output: Data)
  func take(message: String)
  /// - Parameter share: The share that is done, from 0 to 1, if known.
  func take(progress: String, share: Double?)
}

/// Standard output for results, standard error for messages and progress.
enum StandardStreams {
  private struct State {
    var pending = Data()
    /// The system's error number of the first write that failed, or 0; nothing is written after it.
    ///
    /// Not an optional: in release builds of Swift 6.3 it would begin as 0 rather than `nil`.
    var failure: Int32 = 0
    var hasOutput = false
    var progressIsShown = false
  }

  private static let state = Mutex(State())
  private static let receiver = Mutex<(any StreamReceiver)?>(nil)
  private static let bufferSize = 1 << 16

  static let errorIsTerminal = isatty(STDERR_FILENO) == 1
  static let outputIsTerminal = isatty(STDOUT_FILENO) == 1

  /// The columns of a terminal that does not say how many it has, those of a VT100.
  private static let usualColumns = 80

  /// The columns of the terminal on standard error.
  static var columns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return usualColumns
    }
    return Int(size.ws_col)
  }

  static func print(_ text: String) { print(Data(text.utf8)) }

  /// Whether anybody is shown progress.
  static var showsProgress: Bool { errorIsTerminal || receiver.withLock { $0 != nil } }

  /// Lets a receiver take what is printed from now on; `nil` for the streams themselves.
  static func redirect(to other: (any StreamReceiver)?) { receiver.withLock { $0 = other } }

  static func print(_ data: Data) {
    if let receiver = receiver.withLock(\.self) { return receiver.take(output: data) }
    state.withLock { state in
      state.pending.append(data)
      state.hasOutput = true
      if state.pending.count >= bufferSize || outputIsTerminal { writePending(&state) }
    }
  }

  /// Throws where results were lost: ``ClosedOutput``, or a ``CommandFailure`` with the reason.
  static func checkOutput() throws { try checkOutput(state.withLock { $0.failure }) }

  /// Throws for the system's error number of a write of results, 0 for none, as ``checkOutput()``.
  static func checkOutput(_ number: Int32) throws {
    if number == 0 { return }
    if number == EPIPE { throw ClosedOutput() }
    let remedy =
      [ENOSPC, EDQUOT, EFBIG].contains(number) ? "make room, or write elsewhere" : "write elsewhere"
    throw CommandFailure(
      .inputOutput,
      "Standard output cannot be written (\(String(cString: strerror(number)))), and results were "
        + "lost: \(remedy).")
  }

  static func flush() { state.withLock { writePending(&$0) } }

  /// Writes what is pending and closes standard output, where some file systems report their errors;
  /// throws as ``checkOutput()``.
  static func close() throws {
    state.withLock { state in
      let hasOutput = state.hasOutput
      writePending(&state)
      // A command without results does not need its output.
      guard state.failure == 0, hasOutput, Foundation.close(STDOUT_FILENO) != 0 else { return }
      state.failure = errno
    }
    try checkOutput()
  }

  static func printMessage(_ text: String) {
    // A file's name must not control the terminal.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { FolderContents.shown(Array($0.utf8)) }.joined(separator: "\n")
    if let receiver = receiver.withLock(\.self) { return receiver.take(message: text) }
    flush()
    state.withLock { state in
      write("\(state.progressIsShown ? "\r\u{1B}[K" : "")\(text)\n", to: STDERR_FILENO)
      state.progressIsShown = false
    }
  }

  /// Replaces the displayed progress; only on a terminal.
  ///
  /// - Parameters:
  ///   - step: What is done, for a receiver.
  ///   - share: The share of it that is done, from 0 to 1, if known.
  static func showProgress(_ text: String, step: String? = nil, share: Double? = nil) {
    if let receiver = receiver.withLock(\.self) {
      return receiver.take(progress: step ?? text, share: share)
    }
    guard errorIsTerminal else { return }
    // A line that is longer than the terminal is wide stays where it is.
    let line = text.prefix(max(1, columns - 1))
    state.withLock { state in
      write("\r\u{1B}[K\(line)", to: STDERR_FILENO)
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
    guard state.failure == 0 else { return }
    state.failure = write(state.pending, to: STDOUT_FILENO)
  }

  /// Writes all of the bytes; returns the system's error number, or 0.
  static func write(_ data: Data, to descriptor: Int32) -> Int32 {
    data.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let written = Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written < 0 {
          let number = errno
          if number == EINTR { continue }
          guard number == EAGAIN else { return number }
          var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&waiting, 1, -1)
          continue
        }
        rest = rest.dropFirst(written)
      }
      return 0
    }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = Foundation.write(descriptor, bytes, bytes.count)
  }
}
