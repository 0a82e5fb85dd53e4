/// Something with a sentence for people, and what the sentence says by name where a page may meet it.
public protocol Reported: Sendable {
  /// What is wrong, where, and what to do, in one sentence.
  var message: String { get }
  /// The same by name; `nil` where there is only the sentence.
  var text: MessageText? { get }
}

/// An error of a module of Kinema, such as ``KinemaVideo/VideoError``: the kind of failure, a sentence
/// and the error below.
public struct KinemaError<Kind: Sendable>: Error, Reported, CustomStringConvertible {
  /// The kinds of failure.
  public typealias Code = Kind

  /// The kind of failure.
  public let code: Code
  /// What is wrong, where, and what to do, in one sentence.
  public let message: String
  /// The same by name; `nil` where there is only the sentence.
  public let text: MessageText?
  /// The underlying error.
  public let cause: (any Error)?

  /// Creates an error with the sentence that ``MessageTable`` has for its text.
  public init(_ code: Code, _ text: MessageText, cause: (any Error)? = nil) {
    self.init(code, text.sentence, text: text, cause: cause)
  }

  /// Creates an error with a sentence of its own, such as one that names options of the command line.
  public init(
    _ code: Code, _ message: String, text: MessageText? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.text = text
    self.cause = cause
  }

  /// Creates an error that says what the one below says.
  public init(_ code: Code, reporting error: any Error) {
    let reported = error as? any Reported
    self.init(code, reported?.message ?? "\(error)", text: reported?.text, cause: error)
  }

  /// The message.
  public var description: String { message }
}
