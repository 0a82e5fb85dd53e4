@_exported public import KinemaErrors

/// An error of detecting people.
public typealias VisionError = KinemaError<VisionErrorCode>

/// The kinds of ``VisionError``.
public enum VisionErrorCode: Sendable {
  /// A library or file of weights is missing.
  case missingPart
  /// A library or file of weights is not the expected one.
  case unusablePart
  /// A network could not be run.
  case inferenceFailed
  /// The cache of poses could not be written.
  case unwritable
}
