package struct ServerError: Error, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The server cannot listen on the address, or use a certificate.
    case cannotListen
    /// Settings are contradictory or out of range.
    case badConfiguration
    /// A client's request is invalid or not allowed.
    case badRequest
    case notFound
    case busy
    /// The history or an upload cannot be read or written.
    case storage
  }

  package let code: Code
  /// What is wrong, where, and what to do, in one sentence.
  package let message: String
  package let cause: (any Error)?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { message }
}
