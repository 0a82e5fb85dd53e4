import Kinema
import KinemaCoach
import KinemaFiles
import KinemaHTTP
import KinemaPose
import KinemaServer
import KinemaStudio
import KinemaWatch

/// The exit status: the codes of `sysexits.h`, and 130 for an interruption.
enum ExitStatus: Int32 {
  case done = 0
  case usage = 64
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case `internal` = 70
  case inputOutput = 74
  case tryAgain = 75
  case interrupted = 130

  /// Whether the same request fails again: the input is wrong, not the circumstances.
  var isPermanent: Bool { [.usage, .badData, .noInput].contains(self) }
}

struct UsageError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

struct CommandFailure: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  init(_ error: any Error) {
    switch error {
    case let error as CommandFailure: self = error
    case let error as UsageError: self.init(.usage, error.message)
    case is CancellationError: self.init(.interrupted, "Interrupted.")
    case let error as WholeFile.Failure: self.init(.inputOutput, error.description)
    case let error as PoseError:
      switch error.code {
      case .notFound: self.init(.noInput, error.message)
      case .malformed: self.init(.badData, error.message)
      case .writingFailed: self.init(.inputOutput, error.message)
      }
    case let error as VideoError: self.init(Self.status(of: error.code), error.message)
    case let error as VisionError: self.init(Self.status(of: error.code), error.message)
    case let error as ActionError: self.init(Self.status(of: error.code), error.message)
    case let error as TrainingError: self.init(Self.status(of: error.code), error.message)
    case let error as HTTPError:
      self.init(error.code == .badConfiguration ? .usage : .inputOutput, error.message)
    case let error as ServerError: self.init(Self.status(of: error.code), error.message)
    case let error as StudioError: self.init(Self.status(of: error.code), error.message)
    case let error as WatchError: self.init(Self.status(of: error.code), error.message)
    case let error as CoachError:
      self.init(error.code == .notFound ? .noInput : .badData, error.message)
    case let error as NumPyArchive.Failure: self.init(.tryAgain, error.message)
    default: self.init(.internal, "Something went wrong: \(error)")
    }
  }

  private static func status(of code: TrainingError.Code) -> ExitStatus {
    switch code {
    case .missing: .noInput
    case .badData, .badCheckpoint: .badData
    case .badParameter: .usage
    case .unwritable: .inputOutput
    }
  }

  private static func status(of code: ServerError.Code) -> ExitStatus {
    switch code {
    case .storage: .inputOutput
    case .badConfiguration: .usage
    case .badRequest: .badData
    case .notFound: .unavailable
    case .conflict, .busy: .tryAgain
    }
  }

  private static func status(of code: StudioError.Code) -> ExitStatus {
    switch code {
    case .badRequest, .badFile, .notExtracted: .badData
    case .notFound: .noInput
    case .conflict, .busy: .tryAgain
    case .storage: .inputOutput
    }
  }

  private static func status(of code: WatchError.Code) -> ExitStatus {
    switch code {
    case .notFound: .noInput
    case .malformed: .badData
    case .storage: .inputOutput
    case .unavailable: .unavailable
    }
  }

  private static func status(of code: VideoError.Code) -> ExitStatus {
    switch code {
    case .fileNotFound, .unreadableFile: .noInput
    case .unknownFormat, .noVideo, .truncated, .damaged, .unsupportedCodec, .tooLarge, .timedOut:
      .badData
    case .cannotWrite: .inputOutput
    case .outOfResources: .tryAgain
    case .sourceUnavailable: .unavailable
    case .alreadyRead, .writerClosed: .internal
    }
  }

  private static func status(of code: VisionError.Code) -> ExitStatus {
    switch code {
    case .missingPart, .unusablePart: .unavailable
    case .inferenceFailed: .internal
    case .unwritable: .inputOutput
    }
  }

  private static func status(of code: ActionError.Code) -> ExitStatus {
    switch code {
    case .notFound, .unreadable: .noInput
    case .notInstalled: .unavailable
    case .malformedModel, .unsupportedModel, .tooLarge, .invalidWindow, .invalidPrediction: .badData
    case .unwritable: .inputOutput
    }
  }
}
