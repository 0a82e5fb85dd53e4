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
    /// Nobody reads the answers any more.
    case hangUp
  }

  /// The limit for a request, in bytes.
  static let longestLine = 1 << 20

  private let input: Int32
  private let output: Int32
  private let writing = Mutex(())

  /// Takes standard input and output; what else is printed goes to standard error, so that no library
  /// disturbs the protocol.
  init() throws {
    input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard input >= 0, output >= 0, nothing >= 0, dup2(nothing, STDIN_FILENO) >= 0,
      dup2(STDERR_FILENO, STDOUT_FILENO) >= 0
    else {
      throw CommandFailure(
        .inputOutput,
        "Standard input and output cannot be used (\(String(cString: strerror(errno)))): start "
          + "kinema worker with both.")
    }
    close(nothing)
  }

  /// Writes a line; a reader who has gone is noticed by ``read(_:)``.
  func send(_ line: Data) {
    writing.withLock { _ in _ = StandardStreams.write(line, to: output) }
  }

  /// Reads lines until nobody reads the answers; blocks.
  func read(_ take: (Event) -> Void) {
    var lines = LineSplitter()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    // A pipe that nobody reads has an error, which is reported without being asked for.
    var descriptors = [
      pollfd(fd: input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: output, events: 0, revents: 0),
    ]
    while true {
      guard poll(&descriptors, 2, -1) >= 0 || errno == EINTR else { return take(.hangUp) }
      if descriptors[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return take(.hangUp) }
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
