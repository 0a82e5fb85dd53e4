import Foundation
import Glibc

/// A socket that listens; closed when it is released.
final class ListeningSocket: Sendable {
  let descriptor: Int32
  let port: Int

  fileprivate init(descriptor: Int32, port: Int) {
    self.descriptor = descriptor
    self.port = port
  }

  deinit { close(descriptor) }
}

struct ListeningAddress {
  /// In numbers, without brackets.
  let text: String
  private let bytes: [UInt8]

  /// Whether only this machine reaches it: 127.0.0.0/8 or `::1`.
  var isLoopback: Bool { text.hasPrefix("127.") || text == "::1" }
  /// Whether it stands for all addresses of the machine.
  var isWildcard: Bool { text == "0.0.0.0" || text == "::" }

  static func resolve(_ host: String) throws(HTTPError) -> [ListeningAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    let plain =
      host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    let status = getaddrinfo(plain, nil, &hints, &list)
    defer { freeaddrinfo(list) }
    var addresses: [ListeningAddress] = []
    for entry in sequence(first: status == 0 ? list : nil, next: { $0?.pointee.ai_next }) {
      guard let entry = entry?.pointee, let address = entry.ai_addr,
        let text = text(of: address, length: entry.ai_addrlen),
        !addresses.contains(where: { $0.text == text })
      else { continue }
      let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
      addresses.append(ListeningAddress(text: text, bytes: Array(bytes)))
    }
    guard !addresses.isEmpty else {
      throw HTTPError(
        .badConfiguration,
        "The address \(host) is not known here: give one of this machine's addresses or names.")
    }
    return addresses
  }

  /// The addresses of this machine's interfaces, in numbers.
  static func ofThisMachine() -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    return sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap { entry in
      guard let address = entry?.pointee.ifa_addr else { return nil }
      let length: Int
      switch Int32(address.pointee.sa_family) {
      case AF_INET: length = MemoryLayout<sockaddr_in>.size
      case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
      default: return nil
      }
      return text(of: address, length: socklen_t(length)).map { String($0.prefix { $0 != "%" }) }
    }
  }

  /// The client's address in numbers; of IPv6 the first 64 bits, which is what one client owns.
  static func owner(of client: Int32) -> String {
    let address = address { getpeername(client, $0, &$1) }
    guard let text = address?.text else { return "unknown" }
    let groups = text.split(separator: ":", omittingEmptySubsequences: false)
    return groups.count > 4 && !text.hasPrefix("::")
      ? groups.prefix(4).joined(separator: ":") : text
  }

  /// What a call writes as an address, in numbers; `nil` where it fails.
  private static func address(
    _ write: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Int32
  ) -> (text: String, port: Int)? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes in
      guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        write(address, &length) == 0, let text = text(of: address, length: length)
      else { return nil }
      // The port stands at the same place in addresses of both families, high byte first.
      return (text, Int(bytes[2]) << 8 | Int(bytes[3]))
    }
  }

  private static func text(of address: UnsafePointer<sockaddr>, length: socklen_t) -> String? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let status = getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    guard status == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Opens a socket that listens.
  ///
  /// - Parameter port: 0 for any that is free.
  func listen(port: Int) throws(HTTPError) -> ListeningSocket {
    let family = bytes.withUnsafeBytes { Int32($0.loadUnaligned(as: sockaddr.self).sa_family) }
    let descriptor = socket(
      family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw error(port: port) }
    setOption(SO_REUSEADDR, of: SOL_SOCKET, to: 1, on: descriptor)
    if family == AF_INET6 {
      setOption(IPV6_V6ONLY, of: Int32(IPPROTO_IPV6), to: isWildcard ? 0 : 1, on: descriptor)
    }
    var bytes = bytes
    bytes.replaceSubrange(2..<4, with: [UInt8(port >> 8), UInt8(port & 255)])
    let isBound = bytes.withUnsafeBytes { bytes in
      bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
        .map { bind(descriptor, $0, socklen_t(bytes.count)) } == 0
    }
    guard isBound, Glibc.listen(descriptor, 128) == 0,
      let found = Self.address({ getsockname(descriptor, $0, &$1) })
    else {
      let error = error(port: port)
      close(descriptor)
      throw error
    }
    return ListeningSocket(descriptor: descriptor, port: found.port)
  }

  private func error(port: Int) -> HTTPError {
    let place = "Port \(port) of \(text)"
    let message =
      switch errno {
      case EADDRINUSE: "\(place) is in use: stop what listens there, or choose another port."
      case EACCES, EPERM:
        "\(place) needs the rights of an administrator: choose one above 1023."
      case EADDRNOTAVAIL, EAFNOSUPPORT:
        "\(text) is not an address of this machine: choose another one."
      default: "\(place) cannot be listened on (\(String(cString: strerror(errno))))."
      }
    return HTTPError(.cannotListen, message)
  }
}

func setOption(_ option: Int32, of level: Int32, to value: Int32, on descriptor: Int32) {
  var value = value
  setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
}
