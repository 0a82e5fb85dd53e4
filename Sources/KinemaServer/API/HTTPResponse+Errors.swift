import KinemaErrors
import KinemaFiles
import KinemaHTTP
import KinemaStudio

extension HTTPResponse {
  /// The answer to a request that failed.
  init(_ error: any Error) {
    if let error = error as? ServerError {
      self = .failure(Self.status(of: error.code), code: error.code.rawValue, error)
    } else if let error = StudioError(work: error) {
      // The data or a model, not the request, may be the cause.
      let detail: JSONObject = [
        "code": error.code.rawValue, "message": error.message, "text": error.text,
      ]
      self = .failure(Self.status(of: error.code), message: error.message, detail: detail)
    } else {
      self = .failure(503, code: "internal", MessageText("internal"))
    }
  }

  private static func status(of code: ServerErrorCode) -> Int {
    switch code {
    case .badRequest, .badConfiguration: 400
    case .notFound: 404
    case .conflict: 409
    case .busy: 429
    case .storage: 503
    }
  }

  private static func status(of code: StudioErrorCode) -> Int {
    switch code {
    case .badRequest: 400
    case .notFound: 404
    case .conflict, .notExtracted: 409
    case .badFile: 422
    case .busy: 429
    case .storage: 503
    }
  }
}
