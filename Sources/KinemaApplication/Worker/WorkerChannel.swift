import Foundation
import Synchronization

/// The lines that a worker reads and writes.
final class WorkerChannel: Sendable {
  enum Event {
    /// A line without its line feed.
    case line(Data)
    /// A line of more than ``WorkerChannel/longestLine`` bytes was skipped.
    case longLine
    /// There are no more lines.
    case end
    /// Nobody reads the answers any more, or they cannot be written.
    case hangUp
  }

  /// The limit for a request, in bytes.
  static let longestLine = 1 << 20

  private struct Writing {
    /// The system's error number of the first write that failed, or 0; nothing is written after it.
    var failure: Int32 = 0
    var isClosed = false
  }

  private let input: Int32
  private let output: Int32
  /// The ends of a pipe that wakes ``read(_:)`` where an answer cannot be written.
  private let alarmed: Int32
  private let alarm: Int32
  private let writing = Mutex(Writing())

  /// Takes standard input and output; what else is printed goes to standard error, so that no library
  /// disturbs the protocol.
  init() throws {
    input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    var ends: [Int32] = [-1, -1]
    guard input >= 0, output >= 0, nothing >= 0, pipe(&ends) == 0,
      dup2(nothing, STDIN_FILENO) >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0
    else {
      throw CommandFailure(
        .inputOutput,
        "Standard input and output cannot be used (\(String(cString: strerror(errno)))): start "
          + "kinema worker with both.")
    }
    close(nothing)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (alarmed, alarm) = (ends[0], ends[1])
  }

  /// Writes a line; a reader who has gone, or an error, is noticed by ``read(_:)``.
  func send(_ line: Data) {
    writing.withLock { writing in
      guard writing.failure == 0, !writing.isClosed else { return }
      writing.failure = StandardStreams.write(line, to: output)
      if writing.failure != 0 { _ = Foundation.write(alarm, "!", 1) }
    }
  }

  /// Closes the output, where some file systems report their errors; throws where answers were lost, as
  /// ``StandardStreams/checkOutput(_:)``.
  func finish() throws {
    let number = writing.withLock { writing in
      if !writing.isClosed, Foundation.close(output) != 0, writing.failure == 0 {
        writing.failure = errno
      }
      writing.isClosed = true
      return writing.failure
    }
    try StandardStreams.checkOutput(number)
  }

  /// Reads lines until nobody reads the answers, or they cannot be written; blocks.
  func read(_ take: (Event) -> Void) {
    var lines = LineSplitter()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    // A pipe that nobody reads has an error, which is reported without being asked for.
    var descriptors = [
      pollfd(fd: input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: output, events: 0, revents: 0),
      pollfd(fd: alarmed, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      guard poll(&descriptors, 3, -1) >= 0 || errno == EINTR else { return take(.hangUp) }
      if descriptors[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
        || descriptors[2].revents != 0
      {
        return take(.hangUp)
      }
      guard descriptors[0].revents != 0 else { continue }
      let count = Foundation.read(input, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else {
        lines.finish().map(take)
        take(.end)
        // `poll` leaves out a negative descriptor.
        descriptors[0].fd = -1
        descriptors[0].revents = 0
        continue
      }
      for event in lines.add(buffer[..<count]) { take(event) }
    }
  }
}

/// Splits bytes into lines of bounded length.
struct LineSplitter {
  private var line = Data()
  private var isTooLong = false

  mutating func add(_ bytes: ArraySlice<UInt8>) -> [WorkerChannel.Event] {
    var events: [WorkerChannel.Event] = []
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      append(rest[..<end])
      events += [finish()].compactMap(\.self)
      rest = rest[(end + 1)...]
    }
    append(rest)
    return events
  }

  /// The line that is complete; `nil` for an empty one.
  mutating func finish() -> WorkerChannel.Event? {
    defer { (line, isTooLong) = (Data(), false) }
    if isTooLong { return .longLine }
    return line.isEmpty ? nil : .line(line)
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard !isTooLong, line.count + bytes.count <= WorkerChannel.longestLine else {
      (line, isTooLong) = (Data(), true)
      return
    }
    line.append(contentsOf: bytes)
  }
}
