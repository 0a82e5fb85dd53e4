import Foundation
import KinemaFiles

/// What is printed as JSON.
protocol FileReport {
  var json: JSONObject { get }
}

extension FileReport {
  /// One input's report as an object, those of several as an array, even where only one could be used.
  static func text(of reports: [Self], inputCount: Int) throws -> Data {
    if inputCount == 1, let report = reports.first { return try report.json.jsonText() }
    return try reports.map(\.json).jsonText()
  }
}
