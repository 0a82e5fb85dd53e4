package import Foundation

extension WebServer {
  package struct Configuration: Sendable {
    package enum Security: Sendable, Equatable {
      /// Not on a loopback address; a self-signed pair elsewhere.
      case automatic
      /// TLS with a certificate (or a chain) and its key, both PEM files.
      case files(certificate: URL, key: URL)
      /// TLS with a self-signed pair, stored in ``certificateFolder``.
      case selfSigned
    }

    /// The address or name to listen on; `0.0.0.0` or `::` for all addresses.
    package var host = "127.0.0.1"
    /// The port; 0 for any that is free.
    package var port = 8642
    /// Names, besides its own, by which the server may be reached.
    package var allowedHosts: [String] = []
    package var security = Security.automatic
    /// The folder of the self-signed pair.
    package var certificateFolder: URL?
    /// The token that clients must send; a random one where `nil`, none on a loopback address.
    package var token: String?
    package var limits = Limits()

    package init() {}

    /// A token of 192 random bits.
    package static func randomToken() -> String {
      var generator = SystemRandomNumberGenerator()
      let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
      return String((0..<32).map { _ in alphabet[Int(generator.next() & 63)] })
    }
  }

  /// How much a client may do.
  ///
  /// Sizes are in bytes, times in seconds.
  package struct Limits: Sendable {
    /// The largest WebSocket message; a larger one closes with 1009.
    package var messageBytes = 4 << 20
    /// The largest request head, from its first byte to the empty line.
    package var headBytes = 16 << 10
    /// How many connections there may be.
    ///
    /// Beyond, the one that has waited longest for a request gives way, those that have not said
    /// anything first, then those without the token. WebSockets and requests under way do not.
    package var connections = 512
    /// The same for each address, of which some are shared by many people.
    package var connectionsPerAddress = 128
    /// How many connections an address may open a second; ten times as many while a client with the
    /// token is connected from it.
    ///
    /// With ``connectionsPerAddress``, a connection that waits has over a second for its request.
    package var newConnectionsPerSecond = 100.0
    /// How many connections an address may open at once, after a quiet time.
    package var newConnectionsBurst = 300.0
    /// How many HTTP requests an address may make a second, without the token, and for `/healthz`
    /// each; ten times as many with the token, or where there is none: a page is fifty files, and
    /// many people may open it from one address.
    package var requestsPerSecond = 100.0
    /// How many HTTP requests an address may make at once, after a quiet time; ten times as many in
    /// the same cases.
    package var requestsBurst = 300.0
    /// How many frames a WebSocket may bring a second.
    package var messagesPerSecond = 240.0
    /// How many frames a WebSocket may bring at once, after a quiet time.
    package var messagesBurst = 720.0
    package var bytesPerSecond = 32.0 * 1_048_576
    /// How many bytes a WebSocket may bring at once, after a quiet time.
    package var bytesBurst = 64.0 * 1_048_576
    /// How many messages of a WebSocket wait for the application before it is read from no more.
    package var incomingMessages = 8
    /// How many bytes of a WebSocket wait for the application before it is read from no more.
    package var incomingBytes = 8 << 20
    /// How many bytes may wait for a client to read; more closes with 1008.
    package var outgoingBytes = 8 << 20
    /// How long a request's head may take, the TLS handshake included.
    package var headTimeout = 10.0
    /// How slow a request's body may come, in bytes a second, after ``headTimeout``.
    package var bodyBytesPerSecond = 32.0 * 1024
    /// How many bytes of bodies may be under way at once, of all clients together.
    package var bodyBytes = 256 << 20
    /// How long a connection may wait for its next request.
    package var keepAliveTimeout = 15.0
    /// How long a WebSocket may be silent before it is pinged.
    package var pingInterval = 10.0
    /// How long a WebSocket may be silent, or leave what is sent unread, before it is dropped.
    package var silenceTimeout = 20.0
    /// How long a client may take to close, or to read its last answer.
    package var closeTimeout = 2.0

    package init() {}
  }
}
