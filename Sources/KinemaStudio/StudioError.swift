import KinemaAction
import KinemaPose
import KinemaTraining
import KinemaVideo
import KinemaVision

/// Why a project cannot be used as asked.
package struct StudioError: Error, CustomStringConvertible {
  package typealias Code = StudioErrorCode

  package let text: StudioMessage

  package init(_ text: StudioMessage) { self.text = text }

  /// The kind of failure.
  package var code: StudioErrorCode { text.code }
  /// What is wrong and what to do, in one sentence.
  package var message: String { text.sentence }
  package var description: String { message }
}

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
    case let error as TrainingError: self.init(.badData(error))
    case let error as VisionError: self.init(.badData(error))
    case let error as VideoError: self.init(.badData(error))
    case let error as ActionError: self.init(.badData(error))
    case let error as PoseError: self.init(.badData(error))
    default: return nil
    }
  }

  /// What is reported of an error of work.
  static func text(of error: any Error) -> StudioMessage {
    StudioError(work: error)?.text
      ?? .failed(reason: "\(error)", text: (error as? any Reported)?.text)
  }
}
