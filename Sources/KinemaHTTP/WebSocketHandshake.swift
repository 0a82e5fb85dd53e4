import CCrypto
import Foundation

/// The request that opens a WebSocket, and its answer (RFC 6455 §4.2).
enum WebSocketHandshake {
  /// The answer to a request that cannot become a WebSocket; `nil` where it can.
  static func refusal(of head: RequestHead, subprotocol: String) -> HTTPResponse? {
    guard head.method == "GET", head.isVersion11, head.contentLength == 0 else {
      return .failure(400, code: "badRequest", MessageText("webSocketMethod"))
    }
    guard head.headers["sec-websocket-version"] == "13" else {
      var response = HTTPResponse.failure(
        426, code: "badRequest", MessageText("webSocketVersion"))
      response.headers["sec-websocket-version"] = "13"
      return response
    }
    guard let key = head.headers["sec-websocket-key"], Data(base64Encoded: key)?.count == 16 else {
      return .failure(400, code: "badRequest", MessageText("webSocketKey"))
    }
    let offered = offers(head)
    guard offered.isEmpty || offered.contains(subprotocol) else {
      return .failure(
        400, code: "badSubprotocol", MessageText("webSocketSubprotocol", ["name": subprotocol]))
    }
    return nil
  }

  static func acceptance(of head: RequestHead, subprotocol: String) -> Data {
    let accept = digest((head.headers["sec-websocket-key"] ?? "") + guid).base64EncodedString()
    var lines = [
      "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Accept: \(accept)",
    ]
    if offers(head).contains(subprotocol) {
      lines.append("Sec-WebSocket-Protocol: \(subprotocol)")
    }
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// The subprotocols that the client offers; case matters in their names.
  private static func offers(_ head: RequestHead) -> [String] {
    (head.headers["sec-websocket-protocol"] ?? "").split(separator: ",")
      .map { $0.trimmingCharacters(in: .besideValues) }
  }

  private static let guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// SHA-1, as the protocol requires; it protects no secret.
  private static func digest(_ text: String) -> Data {
    var digest = [UInt8](repeating: 0, count: 20)
    let bytes = Array(text.utf8)
    EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha1(), nil)
    return Data(digest)
  }
}
