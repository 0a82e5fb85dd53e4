import Foundation
import Glibc

/// A client that a listening socket has let in.
struct AcceptedClient {
  let descriptor: Int32
  /// The client's address in numbers; of IPv6 the first 64 bits, which is what one client owns.
  let address: String

  /// Takes the next client that waits; `nil` where there is none.
  init?(from listener: Int32) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let (descriptor, text) = withUnsafeMutableBytes(of: &storage) { bytes -> (Int32, String?) in
      guard let start = bytes.baseAddress else { return (-1, nil) }
      let address = start.assumingMemoryBound(to: sockaddr.self)
      let descriptor = accept(listener, address, &length)
      guard descriptor >= 0 else { return (descriptor, nil) }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      return (descriptor, ListeningAddress.text(of: address, length: length))
    }
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    let address = text ?? "unknown"
    let groups = address.split(separator: ":", omittingEmptySubsequences: false)
    self.address =
      groups.count > 4 && !address.hasPrefix("::")
      ? groups.prefix(4).joined(separator: ":") : address
  }

  /// Sets what the socket needs.
  func prepare(timeout: Double) {
    set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    // A peer that is gone without a word is noticed even while bytes wait for it.
    set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Int32(timeout * 1000))
    // Little waits in the kernel, so that a newer picture can still take an older one's place.
    set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 128 << 10)
  }

  /// Closes the connection, with a word where it needs no encryption.
  func turnAway(isSecure: Bool) {
    if !isSecure {
      let response = HTTPResponse.failure(
        503, code: "busy", "Too many connections: try again in a moment.")
      let head = PreparedResponse(response, to: nil, keepsAlive: false).head
      guard case .data(let body) = response.body else { return }
      (head + body).withUnsafeBytes { bytes in
        _ = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      shutdown(descriptor, Int32(SHUT_WR))
    }
    close(descriptor)
  }

  private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
