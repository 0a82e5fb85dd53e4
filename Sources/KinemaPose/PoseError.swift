/// What went wrong with a file of poses.
public struct PoseError: Error, CustomStringConvertible {
  /// The kinds of failure.
  public enum Code: Sendable {
    /// There is no such file, or it may not be read.
    case notFound
    /// The file is not a file of poses, or a damaged one.
    case malformed
    /// The file could not be written.
    case writingFailed
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: what was wrong, in which file, and what to do.
  public let message: String
  /// The failure behind this one.
  public let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
