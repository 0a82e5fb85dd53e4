/// An error of a module of Kinema, such as ``KinemaVideo/VideoError``: the kind of failure, a sentence
/// and the error below.
public struct KinemaError<Kind: Sendable>: Error, CustomStringConvertible {
  /// The kinds of failure.
  public typealias Code = Kind

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

  /// The message.
  public var description: String { message }
}
