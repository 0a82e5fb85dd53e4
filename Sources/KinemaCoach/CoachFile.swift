package import Foundation
import KinemaFiles

/// The files of the coach: they come with Kinema, and people may write their own in place of the first two.
package enum CoachFile: String, CaseIterable, Sendable {
  /// Good form of each exercise: a ``Rulebook``.
  case form = "Form.json"
  /// Clinical tests: a ``TestBook``.
  case tests = "Tests.json"
  /// How right executions differ from wrong ones: a ``QualityModel`` for each exercise.
  case quality = "Quality.json"

  /// Where the file that comes with Kinema is.
  package var url: URL {
    get throws(CoachError) {
      guard let url = InstalledResource(rawValue).located() else {
        throw CoachError(
          .notFound, "\(rawValue), which comes with Kinema, is missing; install Kinema again.")
      }
      return url
    }
  }

  /// The bytes of such a file, of Kinema's or of one's own.
  func data(at url: URL) throws(CoachError) -> Data {
    do {
      return try Data(contentsOf: url)
    } catch {
      let kind =
        switch self {
        case .form: "rulebook"
        case .tests: "file of tests"
        case .quality: "file of quality models"
        }
      throw CoachError(.notFound, "The \(kind) \(url.path) cannot be read; check the name.")
    }
  }

  /// The value that JSON describes; `name` is what errors call the file.
  static func value(of data: Data, name: String) throws(CoachError) -> Any {
    do {
      return try JSONSerialization.jsonObject(with: data)
    } catch {
      let reason = (error as NSError).userInfo[NSDebugDescriptionErrorKey].map { " (\($0))" } ?? ""
      throw CoachError(.malformed, "\(name) is not valid JSON\(reason).")
    }
  }
}
