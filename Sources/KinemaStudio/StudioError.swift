import KinemaAction
@_exported public import KinemaErrors
import KinemaPose
import KinemaTraining
import KinemaVideo
import KinemaVision

/// Why a project cannot be used as asked.
package typealias StudioError = KinemaError<StudioErrorCode>

/// The kinds of ``StudioError``.
package enum StudioErrorCode: String, Sendable {
  /// What was sent is unusable.
  case badRequest
  /// There is no such project, item, file or run.
  case notFound
  /// It contradicts the present state, such as a name that is in use.
  case conflict
  /// The poses of a video are not in the cache.
  case notExtracted
  /// A file cannot be read as what it should be.
  case badFile
  /// Too much work is under way.
  case busy
  /// A folder or file cannot be written.
  case storage
}

extension StudioError {
  /// What work on data or a model failed with; `nil` for other errors.
  package init?(work error: any Error) {
    switch error {
    case let error as StudioError: self = error
    case let error as TrainingError: self.init(.badFile, error.message)
    case let error as VisionError: self.init(.badFile, error.message)
    case let error as VideoError: self.init(.badFile, error.message)
    case let error as ActionError: self.init(.badFile, error.message)
    case let error as PoseError: self.init(.badFile, error.message)
    default: return nil
    }
  }

  /// An error of work as a sentence.
  static func message(of error: any Error) -> String {
    StudioError(work: error)?.message ?? "The work has failed: \(error)"
  }
}
