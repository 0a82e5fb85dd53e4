package import Foundation
import Glibc

/// A plain TCP connection that blocks, for tests: sends and receives bytes as they are.
package final class TestConnection: @unchecked Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
  }

  private let descriptor: Int32
  private var input: [UInt8] = []
  private var isOpen = true

  /// Connects to the host and port of a URL.
  package init(_ url: URL) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(url.port ?? 80).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failure(description: "cannot connect: \(errno)") }
  }

  deinit { close() }

  /// Sends everything, or as much as goes until the other side closes or takes nothing for `timeout`.
  ///
  /// - Returns: How many bytes went.
  @discardableResult
  package func send(_ bytes: some Sequence<UInt8>, timeout: Double = 120) -> Int {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count, isOpen, wait(Int16(POLLOUT), timeout) {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress, min($0.count, 65536),
          Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == EAGAIN { continue }
      guard count > 0 else { break }
      sent += count
    }
    return sent
  }

  /// Waits for `count` bytes; `nil` where the other side closes before, or `timeout` seconds pass.
  package func receive(_ count: Int, timeout: Double = 120) -> [UInt8]? {
    let end = Self.now() + timeout
    while input.count < count {
      guard receiveMore(until: end) else { return nil }
    }
    defer { input.removeFirst(count) }
    return Array(input.prefix(count))
  }

  /// Waits for a line; without its end.
  package func receiveLine(timeout: Double = 120) -> String? {
    let end = Self.now() + timeout
    while true {
      if let index = input.firstIndex(of: 10) {
        defer { input.removeFirst(index + 1) }
        let line = input[..<index]
        return String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
      }
      guard receiveMore(until: end) else { return nil }
    }
  }

  /// Everything until the other side closes; `nil` where it doesn't within `timeout` seconds.
  package func receiveAll(timeout: Double = 120) -> [UInt8]? {
    let end = Self.now() + timeout
    while receiveMore(until: end) {}
    guard !isOpen else { return nil }
    defer { input = [] }
    return input
  }

  /// Whether the other side closes within `timeout` seconds.
  package func isClosedByPeer(within timeout: Double = 120) -> Bool {
    receiveAll(timeout: timeout) != nil
  }

  package func close() {
    if isOpen || !isClosed { Glibc.close(descriptor) }
    isOpen = false
    isClosed = true
  }

  private var isClosed = false

  private func receiveMore(until end: Double) -> Bool {
    guard isOpen, wait(Int16(POLLIN), end - Self.now()) else { return false }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN { return true }
    guard count > 0 else {
      isOpen = false
      return false
    }
    input += buffer[..<count]
    return true
  }

  private func wait(_ event: Int16, _ timeout: Double) -> Bool {
    var entry = pollfd(fd: descriptor, events: event, revents: 0)
    return poll(&entry, 1, Int32(max(0, timeout) * 1000)) > 0
  }

  private static func now() -> Double { ProcessInfo.processInfo.systemUptime }
}
