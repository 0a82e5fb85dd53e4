/// An error of reading or writing a pose file.
public struct PoseError: Error, CustomStringConvertible {
  /// The kinds of failure.
  public enum Code: Sendable {
    /// The file is missing or unreadable.
    case notFound
    /// The file is not a pose file, or damaged.
    case malformed
    /// The file could not be written.
    case writingFailed
  }

  /// The kind of failure.
  public let code: Code
  /// What is wrong, in which file, and what to do, in one sentence.
  public let message: String
  /// The underlying error.
  public let cause: (any Error)?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
