/// An error of detecting people.
public struct VisionError: Error, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: Sendable, Hashable {
    /// A library or file of weights is missing.
    case missingPart
    /// A library or file of weights is not the expected one.
    case unusablePart
    /// A network could not be run.
    case inferenceFailed
    /// The cache of poses could not be written.
    case unwritable
  }

  /// The kind of failure.
  public let code: Code
  /// What is wrong, where, and what to do, in one sentence.
  public let message: String
  /// The underlying error.
  public let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
