@_exported public import KinemaErrors

/// An error of data, training or evaluation.
public typealias TrainingError = KinemaError<TrainingErrorCode>

/// The kinds of ``TrainingError``.
public enum TrainingErrorCode: Sendable {
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
