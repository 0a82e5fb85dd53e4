@_exported public import KinemaErrors

/// Why the server cannot do what it was asked for.
package typealias ServerError = KinemaError<ServerErrorCode>

/// The kinds of ``ServerError``.
package enum ServerErrorCode: String, Sendable {
  /// Settings are contradictory or out of range.
  case badConfiguration
  /// A client's request is invalid or not allowed.
  case badRequest
  case notFound
  /// What is saved would replace something that the client has not seen.
  case conflict
  case busy
  /// The history or an upload cannot be read or written.
  case storage
}
