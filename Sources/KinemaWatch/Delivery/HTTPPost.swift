import CCurl
package import Foundation
import KinemaFiles

/// A POST to a web server, over libcurl: HTTP/1.1, certificates verified, redirections not followed.
package struct HTTPPost: Sendable {
  /// Why a request is not acknowledged.
  package enum Failure: Error, Hashable {
    /// The server answers with a status that is not 200 to 299.
    case status(Int)
    /// There is no answer of HTTP, for a reason in words.
    case noAnswer(String)
  }

  private let url: URL
  private let headers: [String: String]
  private let body: Data
  private let authorities: String?

  /// The certificate authorities of Debian, Alpine and Arch, and of Fedora.
  private static let systemAuthorities = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
  ]
  /// Initialises libcurl once.
  private static let library = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

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
  /// - Throws: ``Failure`` where the answer's status is not 200 to 299, or there is no answer in `timeout`
  ///   seconds.
  package func send(timeout: Double) throws(Failure) {
    _ = try exchange(timeout: timeout, keeping: 0)
  }

  /// The most bytes that are kept of an answer's body: of a camera with many profiles.
  private static let keptByteCount = 1 << 20

  /// Sends the request and returns the body of its answer; blocks the calling thread.
  ///
  /// - Throws: ``Failure``, as ``send(timeout:)`` does.
  package func answer(timeout: Double) throws(Failure) -> Data {
    try exchange(timeout: timeout, keeping: Self.keptByteCount)
  }

  /// - Parameter count: How many bytes of the answer's body are kept.
  private func exchange(timeout: Double, keeping count: Int) throws(Failure) -> Data {
    guard Self.library == CURLE_OK, let curl = curl_easy_init() else {
      throw Failure.noAnswer("memory is short")
    }
    defer { curl_easy_cleanup(curl) }
    var lines: UnsafeMutablePointer<curl_slist>?
    defer { curl_slist_free_all(lines) }
    // Without “Expect”, for whose answer libcurl would wait.
    for (name, value) in headers.merging(["Expect": ""], uniquingKeysWith: { $1 }) {
      guard let longer = curl_slist_append(lines, value.isEmpty ? "\(name):" : "\(name): \(value)")
      else { throw Failure.noAnswer("memory is short") }
      lines = longer
    }
    kinema_curl_set_pointer(curl, CURLOPT_HTTPHEADER, lines)
    let milliseconds = Int(saturating: timeout * 1000)
    for (option, value) in [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_POST, 1), (CURLOPT_TIMEOUT_MS, milliseconds),
      (CURLOPT_CONNECTTIMEOUT_MS, milliseconds), (CURLOPT_FOLLOWLOCATION, 0),
      (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1), (CURLOPT_HTTP09_ALLOWED, 0),
      (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
      // The answer of a proxy of the environment, that it connects, is not the server's.
      (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_POSTFIELDSIZE, body.count),
    ] { kinema_curl_set_number(curl, option, value) }
    for (option, text) in [
      (CURLOPT_URL, url.absoluteString), (CURLOPT_PROTOCOLS_STR, "http,https"),
      (CURLOPT_USERAGENT, "Kinema"), (CURLOPT_CAINFO, authorities ?? ""),
    ] where !text.isEmpty { kinema_curl_set_pointer(curl, option, text) }
    let (code, reason, answer) = perform(curl, keeping: count)
    // What comes after the head of the answer does not matter.
    if let status = answer.status {
      guard (200...299).contains(status) else { throw Failure.status(status) }
      return answer.body
    }
    throw Failure.noAnswer(
      code == CURLE_OPERATION_TIMEDOUT
        ? "no answer in \(Int(saturating: timeout)) seconds"
        : answer.isStrange || code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY
          ? "its answer is not HTTP"
          : code == CURLE_OK || code == CURLE_GOT_NOTHING
            ? "it has closed the connection without an answer" : reason)
  }

  private func perform(
    _ curl: UnsafeMutableRawPointer, keeping count: Int
  ) -> (CURLcode, String, HTTPAnswerHead) {
    let answer = HTTPAnswerHead(keeping: count)
    let pointer = Unmanaged.passUnretained(answer).toOpaque()
    kinema_curl_set_pointer(curl, CURLOPT_HEADERDATA, pointer)
    kinema_curl_set_pointer(curl, CURLOPT_WRITEDATA, pointer)
    kinema_curl_set_function(curl, CURLOPT_HEADERFUNCTION) { bytes, _, count, pointer in
      guard let bytes, let answer = HTTPPost.answer(pointer) else { return 0 }
      let line = UnsafeRawBufferPointer(start: bytes, count: count)
      return answer.add(String(decoding: line, as: UTF8.self)) ? count : 0
    }
    kinema_curl_set_function(curl, CURLOPT_WRITEFUNCTION) { bytes, _, count, pointer in
      let piece = UnsafeRawBufferPointer(start: bytes, count: count)
      return HTTPPost.answer(pointer)?.read(piece) == true ? count : 0
    }
    return withExtendedLifetime(answer) {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CURL_ERROR_SIZE)) { text in
        text.initialize(repeating: 0)
        kinema_curl_set_pointer(curl, CURLOPT_ERRORBUFFER, text.baseAddress)
        let code = body.withUnsafeBytes { bytes in
          kinema_curl_set_pointer(
            curl, CURLOPT_POSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(pointer))
          return curl_easy_perform(curl)
        }
        let details = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        let reason = details.isEmpty ? String(cString: curl_easy_strerror(code)) : details
        return (code, reason, answer)
      }
    }
  }

  private static func answer(_ pointer: UnsafeMutableRawPointer?) -> HTTPAnswerHead? {
    pointer.map { Unmanaged<HTTPAnswerHead>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension HTTPPost.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noAnswer(let reason): reason
    case .status(let status): "it answers \(status): \(Self.meaning(of: status))"
    }
  }

  /// Whether the server refuses this request, and may take others (RFC 9110, section 15.5).
  var isRefusal: Bool {
    guard case .status(let status) = self else { return false }
    // Request Timeout and Too Many Requests are about all of them.
    return (400...499).contains(status) && ![408, 429].contains(status)
  }

  private static func meaning(of status: Int) -> String {
    switch status {
    case 300...399: "it wants a redirection, which is not followed; give its final address as “url”"
    case 401, 403, 407: "it asks for other rights"
    case 404, 410: "there is nothing at this address; check “url”"
    case 413: "the event is too large for it"
    case 408, 429: "it has too much to do"
    case 400...499: "it refuses the event"
    case 500...599: "it has an error of its own"
    default: "this is no answer to a request"
    }
  }
}

/// The head of an answer, line by line, and how much of it is read.
///
/// For one thread.
private final class HTTPAnswerHead {
  /// The most bytes that are read of a head, and of a body, which nobody needs.
  private static let limit = 64 << 10

  /// The status of the complete head; not of one that only announces it (RFC 9110, section 15.2).
  private(set) var status: Int?
  /// Whether there was a status line that is not of HTTP/1.
  private(set) var isStrange = false
  private var begun: Int?
  private var headCount = 0
  private var bodyCount = 0
  /// As much of the body as is kept.
  private(set) var body = Data()
  private let keptCount: Int

  init(keeping keptCount: Int) { self.keptCount = keptCount }

  /// Takes the next line; `false` ends the transfer.
  func add(_ line: String) -> Bool {
    headCount += line.utf8.count
    guard headCount <= Self.limit else { return false }
    // Lines after a chunked body are none of the head.
    guard status == nil else { return true }
    let line = line.trimmingCharacters(in: .newlines)
    if line.hasPrefix("HTTP/") {
      begun = line.wholeMatch(of: /HTTP\/1\.[01] ([0-9]{3})(?: .*)?/).flatMap { Int($0.output.1) }
      isStrange = begun == nil
      return !isStrange
    }
    if line.isEmpty {
      if let begun, begun >= 200 { status = begun }
      begun = nil
    }
    return true
  }

  /// Takes bytes of the body; `false` ends the transfer.
  func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bodyCount += bytes.count
    if bodyCount <= keptCount { body.append(contentsOf: bytes) }
    return bodyCount <= max(Self.limit, keptCount)
  }
}
