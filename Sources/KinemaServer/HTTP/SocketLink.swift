import CWebSockets
import Glibc

/// What ties a connection to its socket in the library.
///
/// Belongs to the service thread.
final class SocketLink: Connection.Transport {
  let connection: Connection
  /// The library's handle; `nil` before it is adopted and after it is closed.
  var socket: OpaquePointer?
  /// Whether the library still holds bytes that the client has not taken.
  var isFull = false {
    didSet { if isFull != oldValue { applyReading() } }
  }
  /// Whether the socket is to be closed when the library's call returns.
  private(set) var isDropped = false
  /// Whether the library is in a call about this socket.
  var isInCallback = false
  private var isReading = true
  private var isReadingApplied = true
  private var hasCancelledTimeout = false

  init(connection: Connection) {
    self.connection = connection
    connection.transport = self
  }

  func askToWrite() {
    if let socket, !isDropped { lws_callback_on_writable(socket) }
  }

  func setReading(_ isReading: Bool) {
    self.isReading = isReading
    applyReading()
  }

  /// While the library holds bytes back it doesn't read, and would spin on a client that goes on
  /// sending: then it must not look for input at all.
  private func applyReading() {
    let reads = isReading && !isFull
    guard reads != isReadingApplied, let socket, !isDropped else { return }
    isReadingApplied = reads
    lws_rx_flow_control(socket, reads ? 1 : 0)
  }

  /// Hands bytes to the socket; the library keeps what doesn't fit and sends it first.
  func write(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let socket, !isDropped else { return }
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    if lws_write(socket, start, bytes.count, LWS_WRITE_HTTP) < 0 {
      connection.drop()
    } else {
      isFull = lws_partial_buffered(socket) != 0
    }
  }

  func finishWriting() {
    if let socket { shutdown(lws_get_socket_fd(socket), Int32(SHUT_WR)) }
  }

  func drop() {
    guard let socket, !isDropped else { return }
    isDropped = true
    // Within a call about the socket itself its return value closes it.
    if !isInCallback { lws_set_timeout(socket, PENDING_TIMEOUT_KILLED_BY_PARENT, -1) }
  }

  /// After the TLS handshake the library gives a socket little time to become something else; one in
  /// the role `raw-skt` never does.
  func cancelHandshakeTimeout() {
    guard !hasCancelledTimeout, let socket else { return }
    hasCancelledTimeout = true
    lws_set_timeout(socket, NO_PENDING_TIMEOUT, 0)
  }
}
