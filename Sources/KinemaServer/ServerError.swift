public import Foundation

/// What went wrong in the live server.
public struct ServerError: Error, LocalizedError, CustomStringConvertible, Sendable {
  /// What kind of failure it was.
  public enum Code: String, Sendable {
    /// The address cannot be listened on, or a certificate cannot be used.
    case cannotListen
    /// A setting contradicts another, or is out of its range.
    case badConfiguration
    /// A client sent what is not understood or not allowed.
    case badRequest
    /// What was asked for is not there.
    case notFound
    /// All places are taken.
    case busy
    /// The history or an uploaded file cannot be read or written.
    case storage
  }

  /// What kind of failure it was.
  public let code: Code
  /// What was wrong, where, and what to do: one sentence.
  public let message: String
  /// What failed underneath.
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
