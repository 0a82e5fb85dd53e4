/// An error of data, training or evaluation.
public struct TrainingError: Error, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: Hashable, Sendable {
    /// A file or folder is missing.
    case missing
    /// The data or a file cannot be used.
    case badData
    /// A parameter is out of range or does not fit the data.
    case badParameter
    /// A file cannot be written.
    case unwritable
    /// The checkpoint is damaged or belongs to another training.
    case badCheckpoint
  }

  /// The kind of error.
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
