package import Foundation

/// An answer as it came.
package struct TestResponse: Sendable {
  package var status: Int
  package var headers: [String: String]
  package var body: Data

  package var text: String { String(decoding: body, as: UTF8.self) }
}

extension TestConnection {
  /// Makes a request and waits for its answer; `nil` where none comes.
  package func request(
    _ method: String = "GET", _ target: String, host: String = "127.0.0.1",
    headers: [String: String] = [:], body: Data = Data(), timeout: Double = 120
  ) -> TestResponse? {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
    if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
    send(Array((text + "\r\n").utf8) + body)
    return receiveResponse(hasBody: method != "HEAD", timeout: timeout)
  }

  /// Waits for an answer.
  package func receiveResponse(hasBody: Bool = true, timeout: Double = 120) -> TestResponse? {
    guard let first = receiveLine(timeout: timeout) else { return nil }
    let words = first.split(separator: " ")
    guard words.count >= 2, let status = Int(words[1]) else { return nil }
    var headers: [String: String] = [:]
    while let line = receiveLine(timeout: timeout), !line.isEmpty {
      let pair = line.split(separator: ":", maxSplits: 1)
      if pair.count == 2 {
        headers[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
      }
    }
    var body: [UInt8] = []
    if hasBody, let length = headers["content-length"].flatMap({ Int($0) }), length > 0 {
      guard let bytes = receive(length, timeout: timeout) else { return nil }
      body = bytes
    }
    return TestResponse(status: status, headers: headers, body: Data(body))
  }
}

/// Makes one request over a connection of its own.
package func fetch(
  _ url: URL, _ method: String = "GET", _ target: String, host: String = "127.0.0.1",
  headers: [String: String] = [:], body: Data = Data()
) throws -> TestResponse? {
  try TestConnection(url)
    .request(method, target, host: host, headers: headers, body: body)
}
