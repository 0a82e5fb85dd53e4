/// What went wrong with data, with a training or with a judgement of it.
public struct TrainingError: Error, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: Hashable, Sendable {
    /// There is no such file or folder.
    case missing
    /// The data or a file of it cannot be used as it is.
    case badData
    /// A parameter is out of its range or does not fit the data.
    case badParameter
    /// A file cannot be written.
    case unwritable
    /// The checkpoint is damaged or belongs to another training.
    case badCheckpoint
  }

  /// The kind of error.
  public let code: Code
  /// What was wrong, where, and what to do, in one sentence.
  public let message: String
  /// The error underneath, if there is one.
  public let cause: (any Error)?

  /// Creates an error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  /// ``message``
  public var description: String { message }
}
