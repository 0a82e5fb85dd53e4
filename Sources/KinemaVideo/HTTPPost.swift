import CFFmpeg
package import Foundation

/// A POST to a web server, by FFmpeg's HTTP and TLS.
package struct HTTPPost: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
    /// Whether the server has answered that it will never take the request (400).
    package let isRefusal: Bool
  }

  private let url: URL
  private let headers: [String: String]
  private let body: Data
  private let authorities: String?

  /// The certificate authorities of Debian, Alpine and Arch, and of Fedora.
  private static let systemAuthorities = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
  ]

  /// - Parameter authorities: A file of certificate authorities, PEM; `nil` for those of the system.
  package init(to url: URL, headers: [String: String], body: Data, authorities: String? = nil) {
    self.url = url
    self.headers = headers
    self.body = body
    self.authorities =
      authorities ?? Self.systemAuthorities.first(where: FileManager.default.isReadableFile)
  }

  /// Sends the request and waits for its answer; blocks the calling thread.
  ///
  /// - Throws: ``Failure`` where the answer is not 200 to 299, or there is none in `timeout` seconds.
  package func send(timeout: Double) throws(Failure) {
    let interruption = InterruptCallback()
    interruption.setDeadline(secondsFromNow: timeout)
    var callback = interruption.callback
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
    let settings = [
      "headers": lines, "post_data": body.map(Self.hex).joined(), "user_agent": "Kinema",
      "icy": "0", "tls_verify": "1", "ca_file": authorities ?? "",
      "protocol_whitelist": "http,https,tcp,tls", "timeout": "\(Int(timeout * 1e6))",
    ]
    for (name, value) in settings where !value.isEmpty { av_dict_set(&options, name, value, 0) }
    var context: UnsafeMutablePointer<AVIOContext>?
    let status = withExtendedLifetime(interruption) {
      avio_open2(&context, url.absoluteString, AVIO_FLAG_READ, &callback, &options)
    }
    avio_closep(&context)
    guard status < 0 else { return }
    let isLate = interruption.isPastDeadline
    throw Failure(
      description: isLate ? "no answer" : FFmpegError(code: status).description,
      isRefusal: status == kinema_AVERROR_HTTP_BAD_REQUEST)
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
