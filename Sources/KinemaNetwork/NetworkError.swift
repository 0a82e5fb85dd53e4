@_exported public import KinemaErrors

/// Why a network could not be built; the message begins without a capital letter.
package typealias NetworkError = KinemaError<NetworkErrorCode>

/// The kinds of ``NetworkError``.
package enum NetworkErrorCode: Sendable {
  /// A blob has a shape that a layer does not take, or too many elements or dimensions.
  case shape
  /// A layer's parameters contradict themselves or its weights.
  case parameters
  /// The layers do not fit together: an input that no layer makes, a name made twice.
  case graph
  /// The network is valid, but needs something that is not implemented.
  case unsupported
  /// The network needs more memory or work than allowed.
  case limit
}

extension NetworkError {
  /// The same error with the place where it happened in front.
  func located(in place: String) -> NetworkError { NetworkError(code, "\(place) \(message)") }
}
