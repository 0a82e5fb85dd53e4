package import Foundation
import Glibc
import KinemaVideo

/// Finds cameras in the local network by WS-Discovery (OASIS, *Web Services Dynamic Discovery*, 2005), as ONVIF
/// devices answer it (*ONVIF Core Specification*, section 7).
package enum CameraSearch {
  /// A device that has answered.
  package struct Device: Hashable, Sendable {
    /// Where it takes requests.
    package let service: URL
    /// What it calls itself, by its scopes; its host where it says nothing.
    package let name: String
  }

  /// The multicast address and port of the specification.
  package static let group = "239.255.255.250"
  package static let port = 3702
  /// A probe is lost now and then: it is sent so many times.
  private static let attemptCount = 2
  private static let mostDevices = 256
  private static let answerSize = 64 << 10

  /// Asks all devices, and waits for their answers.
  ///
  /// - Parameters:
  ///   - seconds: How long answers are waited for; devices may take half a second.
  ///   - address: Who is asked, an IPv4 address.
  /// - Returns: The devices in the order of their addresses.
  /// - Throws: ``WatchError`` where there is no network.
  package static func devices(
    seconds: Double = 3, address: String = group, port: Int = CameraSearch.port
  ) async throws -> [Device] {
    try await BlockingThread.run {
      try search(seconds: seconds, address: address, port: port)
    }
  }

  private static func search(
    seconds: Double, address: String, port: Int
  ) throws(WatchError) -> [Device] {
    let sockets = interfaces().compactMap(open)
    defer { for socket in sockets { close(socket) } }
    guard !sockets.isEmpty, let number = in_port_t(exactly: port) else {
      throw WatchError(
        .unavailable, "Cameras cannot be searched: this computer has no network (IPv4).")
    }
    var target = sockaddr_in()
    target.sin_family = sa_family_t(AF_INET)
    target.sin_port = number.bigEndian
    guard inet_pton(AF_INET, address, &target.sin_addr) == 1 else {
      throw WatchError(.unavailable, "\(address) is no IPv4 address.")
    }
    var found: [String: Device] = [:]
    let start = ProcessInfo.processInfo.systemUptime
    for attempt in 0..<attemptCount {
      let probe = probe()
      for socket in sockets { send(probe, to: target, over: socket) }
      let end = start + seconds * Double(attempt + 1) / Double(attemptCount)
      while let answer = receive(from: sockets, until: end) {
        guard found.count < mostDevices else { break }
        for device in devices(in: answer.data, from: answer.host) {
          found[device.service.absoluteString] = device
        }
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  // MARK: - Messages

  private static func probe() -> Data {
    Data(
      """
      <?xml version="1.0" encoding="utf-8"?>\
      <s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" \
      xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" \
      xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" \
      xmlns:n="http://www.onvif.org/ver10/network/wsdl"><s:Header>\
      <a:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</a:Action>\
      <a:MessageID>uuid:\(UUID().uuidString.lowercased())</a:MessageID>\
      <a:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To></s:Header>\
      <s:Body><d:Probe><d:Types>n:NetworkVideoTransmitter</d:Types></d:Probe></s:Body></s:Envelope>
      """.utf8)
  }

  /// The devices of an answer: of several addresses of one, that from which it has answered.
  static func devices(in answer: Data, from host: String) -> [Device] {
    SoapText(answer).elements("ProbeMatch").compactMap { match in
      let text = SoapText(Data(match.content.utf8))
      let addresses = (text.value("XAddrs") ?? "").split(whereSeparator: \.isWhitespace)
        .compactMap { URL(string: String($0)) }
        .filter { ["http", "https"].contains($0.scheme) && $0.host?.isEmpty == false }
      guard let service = addresses.first(where: { $0.host == host }) ?? addresses.first else {
        return nil
      }
      let scopes = (text.value("Scopes") ?? "").split(whereSeparator: \.isWhitespace)
      let name = ["name", "hardware"].lazy.compactMap { kind in
        scopes.first { $0.hasPrefix("onvif://www.onvif.org/\(kind)/") }?.split(separator: "/").last
      }.first.flatMap { String($0).removingPercentEncoding }
      return Device(service: service, name: shown(name ?? service.host ?? ""))
    }
  }

  /// A device's text, of which nothing else than letters and the like is printed.
  static func shown(_ text: String, limit: Int = 64) -> String {
    String(
      text.unicodeScalars.filter { scalar in
        !scalar.properties.isDefaultIgnorableCodePoint && scalar.value >= 32 && scalar.value != 127
      }.prefix(limit).map(Character.init))
  }

  // MARK: - Sockets

  /// The IPv4 addresses of this computer.
  private static func interfaces() -> [in_addr] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [in_addr] = []
    var next = list
    while let interface = next {
      next = interface.pointee.ifa_next
      guard let address = interface.pointee.ifa_addr,
        address.pointee.sa_family == sa_family_t(AF_INET),
        interface.pointee.ifa_flags & UInt32(IFF_UP) != 0
      else { continue }
      found.append(
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr })
    }
    return found
  }

  private static func open(_ interface: in_addr) -> Int32? {
    let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard socket >= 0 else { return nil }
    var address = interface
    setsockopt(
      socket, Int32(IPPROTO_IP), IP_MULTICAST_IF, &address, socklen_t(MemoryLayout<in_addr>.size))
    return socket
  }

  private static func send(_ data: Data, to target: sockaddr_in, over socket: Int32) {
    var target = target
    data.withUnsafeBytes { bytes in
      withUnsafePointer(to: &target) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          // An interface without a way to the group answers nothing.
          _ = sendto(
            socket, bytes.baseAddress, bytes.count, 0, pointer,
            socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
  }

  /// The next answer; `nil` at the end of the time.
  private static func receive(
    from sockets: [Int32], until end: Double
  ) -> (data: Data, host: String)? {
    while true {
      let left = end - ProcessInfo.processInfo.systemUptime
      guard left > 0 else { return nil }
      var waiting = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let count = poll(&waiting, nfds_t(waiting.count), Int32(left * 1000) + 1)
      guard count > 0, let ready = waiting.first(where: { $0.revents & Int16(POLLIN) != 0 }) else {
        continue
      }
      if let answer = read(ready.fd) { return answer }
    }
  }

  private static func read(_ socket: Int32) -> (data: Data, host: String)? {
    var bytes = [UInt8](repeating: 0, count: answerSize)
    var sender = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let count = withUnsafeMutablePointer(to: &sender) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        recvfrom(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT), pointer, &length)
      }
    }
    guard count > 0 else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
    inet_ntop(AF_INET, &sender.sin_addr, &text, socklen_t(text.count))
    let host = String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (Data(bytes.prefix(count)), host)
  }
}
