/// Why people could not be looked for.
public struct VisionError: Error, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Code: Sendable, Hashable {
    /// A library or a file of weights is not where it is looked for.
    case missingPart
    /// A library or a file of weights is there and is not what it should be.
    case unusablePart
    /// The network could not be run.
    case inferenceFailed
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was wrong, where, and what to do, in one sentence.
  public let message: String
  /// The error behind this one, where there is one.
  public let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
