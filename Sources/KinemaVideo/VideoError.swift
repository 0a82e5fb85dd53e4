package import Foundation

/// What went wrong with a video or picture file.
public struct VideoError: Error, CustomStringConvertible {
  /// The kinds of failure.
  public enum Code: Sendable, CaseIterable {
    /// There is no such file.
    case fileNotFound
    /// The file is a folder or a device, or may not be read.
    case unreadableFile
    /// The file is not a video or picture in a format that is read.
    case unknownFormat
    /// The file has no video track.
    case noVideo
    /// The file is empty or ends before what is needed to read it.
    case truncated
    /// The file's content is damaged.
    case damaged
    /// There is no decoder or encoder for what is asked.
    case unsupportedCodec
    /// A picture is larger than is accepted.
    case tooLarge
    /// Opening the file, or waiting for a stream, took too long.
    case timedOut
    /// A camera or stream cannot be reached, or has stopped.
    case sourceUnavailable
    /// The frames were read before: a sequence of frames is read once.
    case alreadyRead
    /// The file cannot be written.
    case cannotWrite
    /// The writer is finished or was cancelled.
    case writerClosed
    /// The system refused memory or a thread.
    case outOfResources
  }

  /// The kind of failure.
  public let code: Code
  /// What was wrong, with which file, and what to do, as one sentence.
  public let message: String
  /// The error beneath, where there is one.
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

extension VideoError {
  /// What a file is said to be of which not one picture can be decoded.
  package static func nothingDecoded(at url: URL, _ damage: DamageReport) -> VideoError {
    VideoError(
      .damaged,
      "\(url.path) holds no picture that can be decoded, it is damaged or cut off: copy "
        + "or record it again.", cause: damage.firstError)
  }
}
