import Foundation
import Glibc

/// An address to listen on.
struct ListeningAddress {
  /// In numbers, without brackets.
  let text: String
  private let bytes: [UInt8]

  /// Whether only this machine reaches it: 127.0.0.0/8 or `::1`.
  var isLoopback: Bool { text.hasPrefix("127.") || text == "::1" }
  /// Whether it stands for all addresses of the machine.
  var isWildcard: Bool { text == "0.0.0.0" || text == "::" }

  private init?(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
    guard let text = Self.text(of: address, length: length) else { return nil }
    self.text = text
    bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(length)))
  }

  /// The addresses of a name or a number.
  static func resolve(_ host: String) throws(ServerError) -> [ListeningAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    let plain =
      host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    let status = getaddrinfo(plain, nil, &hints, &list)
    defer { freeaddrinfo(list) }
    var addresses: [ListeningAddress] = []
    var next = status == 0 ? list : nil
    while let entry = next {
      if let address = entry.pointee.ai_addr,
        let known = ListeningAddress(address, length: entry.pointee.ai_addrlen),
        !addresses.contains(where: { $0.text == known.text })
      {
        addresses.append(known)
      }
      next = entry.pointee.ai_next
    }
    guard !addresses.isEmpty else {
      throw ServerError(
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
    var texts: [String] = []
    var next = list
    while let entry = next {
      next = entry.pointee.ifa_next
      guard let address = entry.pointee.ifa_addr else { continue }
      let length: Int
      switch Int32(address.pointee.sa_family) {
      case AF_INET: length = MemoryLayout<sockaddr_in>.size
      case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
      default: continue
      }
      if let text = text(of: address, length: socklen_t(length)) {
        texts.append(String(text.prefix { $0 != "%" }))
      }
    }
    return texts
  }

  /// This machine's name.
  static func nameOfThisMachine() -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// An address in numbers.
  static func text(of address: UnsafePointer<sockaddr>, length: socklen_t) -> String? {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let status = getnameinfo(
      address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
    guard status == 0 else { return nil }
    return String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Opens a socket that listens.
  ///
  /// - Parameter port: 0 for any that is free.
  /// - Returns: The socket and its port.
  func listen(port: Int) throws(ServerError) -> (descriptor: Int32, port: Int) {
    let family = bytes.withUnsafeBytes { Int32($0.loadUnaligned(as: sockaddr.self).sa_family) }
    let descriptor = socket(
      family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw error(port: port) }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    if family == AF_INET6 {
      var onlySix: Int32 = isWildcard ? 0 : 1
      setsockopt(
        descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &onlySix,
        socklen_t(MemoryLayout<Int32>.size))
    }
    var bytes = bytes
    bytes.withUnsafeMutableBytes { bytes in
      // The port stands at the same place in addresses of both families, high byte first.
      bytes[2] = UInt8(truncatingIfNeeded: port >> 8)
      bytes[3] = UInt8(truncatingIfNeeded: port)
    }
    let isBound = bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      let address = start.assumingMemoryBound(to: sockaddr.self)
      return bind(descriptor, address, socklen_t(bytes.count)) == 0
    }
    guard isBound, Glibc.listen(descriptor, 128) == 0, let port = Self.port(of: descriptor) else {
      let error = error(port: port)
      close(descriptor)
      throw error
    }
    return (descriptor, port)
  }

  private static func port(of descriptor: Int32) -> Int? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes in
      guard let start = bytes.baseAddress,
        getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &length) == 0
      else { return nil }
      return Int(bytes[2]) << 8 | Int(bytes[3])
    }
  }

  private func error(port: Int) -> ServerError {
    let place = "Port \(port) of \(text)"
    switch errno {
    case EADDRINUSE:
      return ServerError(
        .cannotListen, "\(place) is in use: stop what listens there, or choose another port.")
    case EACCES, EPERM:
      return ServerError(
        .cannotListen, "\(place) needs the rights of an administrator: choose one above 1023.")
    case EADDRNOTAVAIL, EAFNOSUPPORT:
      return ServerError(
        .cannotListen, "\(text) is not an address of this machine: choose another one.")
    default:
      let reason = String(cString: strerror(errno))
      return ServerError(.cannotListen, "\(place) cannot be listened on (\(reason)).")
    }
  }
}
