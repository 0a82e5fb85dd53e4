@_exported public import KinemaErrors

/// Why a model could not be loaded, used or written.
public typealias ModelFileError = KinemaError<ModelFileErrorCode>

/// The kinds of ``ModelFileError``.
public enum ModelFileErrorCode: Sendable {
  /// There is no file at this place.
  case notFound
  /// A model that comes with Kinema is not where it should be.
  case notInstalled
  /// The file cannot be read.
  case unreadable
  /// The file is not a model at all, or a damaged one.
  case malformedModel
  /// The file is a lawful model, but no action classifier, or uses what is not implemented.
  case unsupportedModel
  /// The file needs more memory or work than any action classifier.
  case tooLarge
  /// A window does not have the model's shape, or has values that are not finite.
  case invalidWindow
  /// The model gives numbers that are no probabilities.
  case invalidPrediction
  /// The model cannot be written.
  case unwritable
}
