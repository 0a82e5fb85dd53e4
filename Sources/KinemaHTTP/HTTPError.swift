@_exported public import KinemaErrors

/// Why a web server cannot start.
package typealias HTTPError = KinemaError<HTTPErrorCode>

/// The kinds of ``HTTPError``.
package enum HTTPErrorCode: Sendable {
  /// The server cannot listen on the address.
  case cannotListen
  /// Settings are contradictory or out of range, or a certificate or the folder of the pages cannot
  /// be used.
  case badConfiguration
  /// A certificate cannot be stored.
  case storage
}
