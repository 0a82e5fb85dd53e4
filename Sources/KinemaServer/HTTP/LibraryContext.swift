import CWebSockets
import Foundation
import Glibc

/// libwebsockets' context: one virtual host, one protocol, whose callback is turned into calls of a
/// ``ServiceLoop``.
final class LibraryContext {
  /// The options that are relied on.
  private enum Option {
    static let globalTLS: UInt64 = 1 << 12  // LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT
    static let noHostname: UInt64 = 1 << 2  // LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME
    static let noTLS10 = 1 << 26  // SSL_OP_NO_TLSv1
    static let noTLS11 = 1 << 28  // SSL_OP_NO_TLSv1_1
    static let noRenegotiation = 1 << 30  // SSL_OP_NO_RENEGOTIATION
  }

  /// An entry of the library's list of timers, with what it is to be told apart by behind it.
  fileprivate struct Ticker {
    var entry = lws_sorted_usec_list_t()
    var interval: lws_usec_t = 0
    var library: UnsafeMutableRawPointer?
  }

  private(set) var context: OpaquePointer?
  /// Who is told; set before the loop runs.
  weak var owner: ServiceLoop?
  let isSecure: Bool
  private let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
  private var strings: [UnsafeMutablePointer<CChar>?] = []
  private let ticker = UnsafeMutablePointer<Ticker>.allocate(capacity: 1)

  /// - Parameters:
  ///   - certificate: What TLS is spoken with; `nil` for none.
  ///   - bufferSize: How much is read and written at once.
  init(certificate: CertificateFiles?, bufferSize: Int) throws(ServerError) {
    isSecure = certificate != nil
    ticker.initialize(to: Ticker())
    ticker.pointee.library = Unmanaged.passUnretained(self).toOpaque()
    // The library's own lines would mix with the program's; what matters is reported as errors.
    lws_set_log_level(0, nil)
    protocols.initialize(repeating: lws_protocols(), count: 2)
    strings.append(strdup("kinema"))
    protocols[0].name = UnsafePointer(strings[0])
    protocols[0].callback = libraryCallback
    var info = lws_context_creation_info()
    // No listening socket of the library's: see ListeningAddress and AcceptedClient.
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER
    info.protocols = UnsafePointer(protocols)
    info.gid = -1
    info.uid = -1
    info.options = Option.noHostname
    info.pt_serv_buf_size = UInt32(bufferSize)
    info.timeout_secs = 10
    info.user = Unmanaged.passUnretained(self).toOpaque()
    if let certificate {
      info.options |= Option.globalTLS
      info.ssl_cert_filepath = keep(certificate.certificate.path)
      info.ssl_private_key_filepath = keep(certificate.key.path)
      info.ssl_cipher_list = keep("ECDHE+AESGCM:ECDHE+CHACHA20")
      info.ssl_options_set = Option.noTLS10 | Option.noTLS11 | Option.noRenegotiation
      // Left alone, the library would also offer HTTP/2 and speak it itself.
      info.alpn = keep("http/1.1")
    }
    context = lws_create_context(&info)
    guard context != nil else {
      free()
      throw ServerError(
        .cannotListen,
        "The network library cannot start: look whether the certificate and its key fit together.")
    }
  }

  private func keep(_ text: String) -> UnsafePointer<CChar>? {
    let copy = strdup(text)
    strings.append(copy)
    return UnsafePointer(copy)
  }

  /// Ends everything that is left; on the service thread, or before there is one.
  func destroy() {
    guard let context else { return }
    self.context = nil
    lws_sul_cancel(&ticker.pointee.entry)
    lws_context_destroy(context)
    free()
  }

  private func free() {
    ticker.deallocate()
    protocols.deallocate()
    for string in strings { Glibc.free(string) }
    strings = []
  }

  private var host: OpaquePointer? { context.flatMap { lws_get_vhost_by_name($0, "default") } }

  /// Has the loop told when a descriptor can be read from; it belongs to the library from now on.
  func watch(_ descriptor: Int32) -> OpaquePointer? {
    guard let host else { return nil }
    var file = lws_sock_file_fd_type()
    file.filefd = descriptor
    return lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, file, "kinema", nil)
  }

  /// Has the loop told the time, again and again.
  func startTicking(everyMilliseconds interval: Int) {
    ticker.pointee.interval = lws_usec_t(interval) * 1000
    lws_sul_schedule(context, 0, &ticker.pointee.entry, libraryTicks, ticker.pointee.interval)
  }

  /// The time has passed.
  fileprivate func ticked() {
    owner?.tick()
    guard context != nil else { return }
    lws_sul_schedule(context, 0, &ticker.pointee.entry, libraryTicks, ticker.pointee.interval)
  }

  /// Gives a client's socket to the library; it is closed where that fails.
  func adopt(_ descriptor: Int32, for link: SocketLink) -> Bool {
    guard let host else { return false }
    var file = lws_sock_file_fd_type()
    file.sockfd = descriptor
    let kind = lws_adoption_type(
      rawValue: LWS_ADOPT_SOCKET.rawValue | (isSecure ? LWS_ADOPT_ALLOW_SSL.rawValue : 0))
    guard let socket = lws_adopt_descriptor_vhost(host, kind, file, "kinema", nil) else {
      return false
    }
    link.socket = socket
    lws_set_opaque_user_data(socket, Unmanaged.passUnretained(link).toOpaque())
    return true
  }

  /// Closes a descriptor that was watched.
  func close(_ socket: OpaquePointer) {
    lws_set_timeout(socket, PENDING_TIMEOUT_KILLED_BY_PARENT, -1)
  }

  /// What the library calls, on the service thread.
  ///
  /// - Returns: Other than 0 to have the socket closed.
  fileprivate func called(
    about socket: OpaquePointer, _ reason: lws_callback_reasons, _ bytes: UnsafeRawBufferPointer
  ) -> Int32 {
    guard let owner else { return 0 }
    if reason == LWS_CALLBACK_RAW_RX_FILE {
      owner.acceptClients(at: socket)
      return 0
    }
    guard let pointer = lws_get_opaque_user_data(socket) else { return 0 }
    let link = Unmanaged<SocketLink>.fromOpaque(pointer).takeUnretainedValue()
    switch reason {
    case LWS_CALLBACK_RAW_RX:
      return link.during {
        link.cancelHandshakeTimeout()
        owner.received(bytes, on: link)
      }
    case LWS_CALLBACK_RAW_WRITEABLE: return link.during { owner.isWritable(link) }
    case LWS_CALLBACK_RAW_CLOSE:
      lws_set_opaque_user_data(socket, nil)
      owner.isClosed(link)
      return 0
    default: return 0
    }
  }
}

/// Tells the library's time; the entry stands at the beginning of a `Ticker`.
private func libraryTicks(_ entry: UnsafeMutablePointer<lws_sorted_usec_list_t>?) {
  guard let entry else { return }
  let ticker = UnsafeRawPointer(entry).assumingMemoryBound(to: LibraryContext.Ticker.self)
  guard let library = ticker.pointee.library else { return }
  Unmanaged<LibraryContext>.fromOpaque(library).takeUnretainedValue().ticked()
}

/// Not a closure within a type that could be bound to an actor: the library calls it on its own thread.
private func libraryCallback(
  socket: OpaquePointer?, reason: lws_callback_reasons, user: UnsafeMutableRawPointer?,
  bytes: UnsafeMutableRawPointer?, count: Int
) -> Int32 {
  switch reason {
  case LWS_CALLBACK_RAW_RX_FILE, LWS_CALLBACK_RAW_RX, LWS_CALLBACK_RAW_WRITEABLE,
    LWS_CALLBACK_RAW_CLOSE:
    guard let socket, let user = lws_context_user(lws_get_context(socket)) else { return 0 }
    let library = Unmanaged<LibraryContext>.fromOpaque(user).takeUnretainedValue()
    return library.called(
      about: socket, reason, UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  default: return 0
  }
}

extension SocketLink {
  /// Runs a call of the library's about this socket.
  ///
  /// - Returns: -1 to have the socket closed.
  fileprivate func during(_ body: () -> Void) -> Int32 {
    isInCallback = true
    body()
    isInCallback = false
    return isDropped ? -1 : 0
  }
}
