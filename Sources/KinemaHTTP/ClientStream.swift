import CCrypto
import Dispatch
import Glibc
import Synchronization

/// A client's connected socket, with or without TLS.
///
/// Reading and writing never block; ``wait(for:until:or:)`` does. Belongs to the connection's thread;
/// only ``shutDown()`` and ``isSilent`` may be used from others.
final class ClientStream: @unchecked Sendable {
  /// The result of reading or writing.
  enum Transfer {
    /// So many bytes were read or written.
    case moved(Int)
    /// Nothing can be moved before this event of `poll`.
    case needs(Int16)
    /// The client has closed, or the connection broke.
    case ended
  }

  /// The longest time between two readings of the clock, in seconds.
  static let tick = 0.25
  /// Fewer bytes are no request and no TLS handshake.
  private static let shortestGreeting = 16

  private let descriptor: Int32
  private let session: OpaquePointer?
  private let receivedCount = Atomic<Int>(0)
  private var clock = SteadyClock()

  /// Takes over a non-blocking socket; `nil`, with the socket closed, where TLS is not available.
  ///
  /// - Parameter silenceTimeout: After how many seconds a client that acknowledges nothing is dropped.
  init?(_ descriptor: Int32, tls: TLSContext?, silenceTimeout: Double) {
    self.descriptor = descriptor
    session = tls?.newSession(on: descriptor)
    guard tls == nil || session != nil else { return nil }
    let tcp = Int32(IPPROTO_TCP)
    setOption(TCP_NODELAY, of: tcp, to: 1, on: descriptor)
    // A client that vanished is noticed even while bytes wait for it.
    setOption(TCP_USER_TIMEOUT, of: tcp, to: Int32(silenceTimeout * 1000), on: descriptor)
    // Little waits in the kernel, so that a newer picture can still replace an older one.
    setOption(TCP_NOTSENT_LOWAT, of: tcp, to: 128 << 10, on: descriptor)
  }

  deinit {
    SSL_free(session)
    close(descriptor)
  }

  /// The connection's clock, in seconds.
  func now() -> Double { clock.now() }

  /// Reads what has arrived, at most as much as fits; with TLS the first call shakes hands.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    guard let session else {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { receivedCount.add(count, ordering: .relaxed) }
      return result(of: count, needs: POLLIN)
    }
    ERR_clear_error()
    let count = SSL_read(session, buffer.baseAddress, Int32(buffer.count))
    receivedCount.store(Int(BIO_number_read(SSL_get_rbio(session))), ordering: .relaxed)
    return result(of: count, on: session)
  }

  /// Whether the client has not yet sent what a request or a handshake starts with.
  var isSilent: Bool {
    var bytes = [UInt8](repeating: 0, count: Self.shortestGreeting)
    let waiting = recv(
      descriptor, &bytes, bytes.count, Int32(MSG_PEEK | MSG_DONTWAIT))
    return receivedCount.load(ordering: .relaxed) + max(0, waiting) < Self.shortestGreeting
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
    guard let session else {
      let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      return result(of: count, needs: POLLOUT)
    }
    ERR_clear_error()
    let count = Int32(min(bytes.count, 1 << 20))
    return result(of: SSL_write(session, bytes.baseAddress, count), on: session)
  }

  private func result(of count: Int, needs event: Int32) -> Transfer {
    if count > 0 { return .moved(count) }
    return count < 0 && [EAGAIN, EINTR].contains(errno) ? .needs(Int16(event)) : .ended
  }

  private func result(of count: Int32, on session: OpaquePointer) -> Transfer {
    if count > 0 { return .moved(Int(count)) }
    return switch SSL_get_error(session, count) {
    case SSL_ERROR_WANT_READ: .needs(Int16(POLLIN))
    case SSL_ERROR_WANT_WRITE: .needs(Int16(POLLOUT))
    default: .ended
    }
  }

  /// Waits for an event, at most until a moment of ``now()`` and for one ``tick``.
  ///
  /// - Parameter bell: Ends the wait as well.
  /// - Returns: `false` where the connection is broken.
  func wait(for event: Int16, until deadline: Double, or bell: Bell? = nil) -> Bool {
    var entries = [
      pollfd(fd: descriptor, events: event, revents: 0),
      pollfd(fd: bell?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let seconds = max(0, min(Self.tick, deadline - now()))
    poll(&entries, nfds_t(entries.count), Int32((seconds * 1000).rounded(.up)))
    if entries[1].revents != 0 { bell?.clear() }
    return entries[0].revents & Int16(POLLERR | POLLHUP | POLLNVAL) == 0
  }

  /// Ends what is sent; the client may still send.
  func finishWriting() {
    if let session { SSL_shutdown(session) }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Breaks the connection off; from any thread.
  func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// The clock that clients' time limits are measured with, in seconds.
///
/// It is read several times a second: a longer step means that the server itself did not get to run,
/// which must not count against a client.
struct SteadyClock {
  private var time = 0.0
  private var last = reading()

  mutating func now() -> Double {
    let reading = Self.reading()
    time += min(reading - last, 2 * ClientStream.tick)
    last = reading
    return time
  }

  static func reading() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}

/// Wakes a thread that waits in `poll`; rung from any thread.
final class Bell: Sendable {
  private let ends: (read: Int32, write: Int32)

  init() {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    socketpair(AF_UNIX, Int32(kind), 0, &ends)
    self.ends = (ends[0], ends[1])
  }

  deinit {
    close(ends.read)
    close(ends.write)
  }

  var descriptor: Int32 { ends.read }

  func ring() { _ = write(ends.write, "!", 1) }

  func clear() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(ends.read, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
  }
}
