public import Foundation

/// An error of the live server.
public struct ServerError: Error, LocalizedError, CustomStringConvertible, Sendable {
  /// The kind of failure.
  public enum Code: String, Sendable {
    /// The server cannot listen on the address, or use a certificate.
    case cannotListen
    /// Settings are contradictory or out of range.
    case badConfiguration
    /// A client's request is invalid or not allowed.
    case badRequest
    /// The requested item does not exist.
    case notFound
    /// All sessions are taken.
    case busy
    /// The history or an upload cannot be read or written.
    case storage
  }

  /// The kind of failure.
  public let code: Code
  /// What is wrong, where, and what to do, in one sentence.
  public let message: String
  /// The underlying error.
  public let cause: (any Error)?

  /// Creates an error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The sentence.
  public var description: String { message }
  /// The sentence.
  public var errorDescription: String? { message }
}
