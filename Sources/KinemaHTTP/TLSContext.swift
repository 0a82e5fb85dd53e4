import CCrypto
import Foundation

/// A certificate with its key, ready to encrypt connections: TLS 1.2 and 1.3 of OpenSSL.
final class TLSContext: @unchecked Sendable {
  private let context: OpaquePointer
  private let certificate: OpaquePointer

  /// Reads a certificate (or a chain) and its key from PEM files; throws `HTTPError` of code
  /// `badConfiguration` where one cannot be read, or where they do not belong together.
  init(certificate file: URL, key: URL) throws(HTTPError) {
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw HTTPError(.cannotListen, "TLS is not available: install OpenSSL 3 again.")
    }
    do throws(HTTPError) {
      // Rather fail than ask for a key's password at the terminal.
      SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
      // The key comes first: a certificate that does not match makes OpenSSL forget it.
      guard SSL_CTX_use_PrivateKey_file(context, key.path, SSL_FILETYPE_PEM) == 1 else {
        throw Self.unreadable("certificate's key", key)
      }
      guard SSL_CTX_use_certificate_chain_file(context, file.path) == 1,
        let certificate = SSL_CTX_get0_certificate(context)
      else { throw Self.unreadable("certificate", file) }
      guard SSL_CTX_check_private_key(context) == 1 else {
        throw HTTPError(
          .badConfiguration,
          "The certificate \(file.path) and the key do not belong together: give a pair.")
      }
      self.certificate = certificate
    } catch {
      SSL_CTX_free(context)
      throw error
    }
    self.context = context
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20")
    SSL_CTX_set_options(context, UInt64(1) << 30)  // SSL_OP_NO_RENEGOTIATION
    let modes = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(modes | SSL_MODE_RELEASE_BUFFERS), nil)
    SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
  }

  deinit { SSL_CTX_free(context) }

  private static func unreadable(_ what: String, _ file: URL) -> HTTPError {
    HTTPError(
      .badConfiguration, "The \(what) \(file.path) cannot be read: give a PEM file, unencrypted.")
  }

  /// The server's side of a TLS session on a socket; freed with `SSL_free`.
  func newSession(on descriptor: Int32) -> OpaquePointer? {
    guard let session = SSL_new(context) else { return nil }
    SSL_set_fd(session, descriptor)
    SSL_set_accept_state(session)
    return session
  }

  /// How long the certificate is still valid, in seconds.
  var secondsLeft: Int {
    var (days, seconds): (Int32, Int32) = (0, 0)
    guard ASN1_TIME_diff(&days, &seconds, nil, X509_get0_notAfter(certificate)) == 1 else {
      return 0
    }
    return Int(days) * 86_400 + Int(seconds)
  }

  /// The certificate's SHA-256 as browsers show it: bytes in upper case, with colons between them.
  var fingerprint: String {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    X509_digest(certificate, EVP_sha256(), &digest, &count)
    return digest.prefix(Int(count)).map { String(format: "%02X", $0) }.joined(separator: ":")
  }

  /// Whether the certificate is for a host's name or address.
  func isFor(_ name: String) -> Bool {
    X509_check_ip_asc(certificate, name, 0) == 1
      || X509_check_host(certificate, name, 0, 0, nil) == 1
  }
}

/// Agrees on HTTP/1.1 with clients that offer several protocols (ALPN).
private func selectProtocol(
  _: OpaquePointer?, selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  length: UnsafeMutablePointer<UInt8>?, offered: UnsafePointer<UInt8>?, offeredLength: UInt32,
  _: UnsafeMutableRawPointer?
) -> Int32 {
  let spoken: StaticString = "\u{8}http/1.1"
  var found: UnsafeMutablePointer<UInt8>?
  guard
    SSL_select_next_proto(
      &found, length, spoken.utf8Start, UInt32(spoken.utf8CodeUnitCount), offered, offeredLength)
      == OPENSSL_NPN_NEGOTIATED
  else { return SSL_TLSEXT_ERR_NOACK }
  selected?.pointee = UnsafePointer(found)
  return SSL_TLSEXT_ERR_OK
}
