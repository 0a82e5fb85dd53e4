@_exported public import KinemaErrors

/// An error of reading or writing a pose file.
public typealias PoseError = KinemaError<PoseErrorCode>

/// The kinds of ``PoseError``.
public enum PoseErrorCode: Sendable {
  /// The file is missing or unreadable.
  case notFound
  /// The file is not a pose file, or damaged.
  case malformed
  /// The file could not be written.
  case writingFailed
}
