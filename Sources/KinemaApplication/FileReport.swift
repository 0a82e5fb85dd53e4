import Foundation
import KinemaFiles

/// What is printed as JSON.
protocol FileReport {
  var json: JSONObject { get }
}

extension FileReport {
  /// One report as an object, several as an array.
  static func text(of reports: [Self]) throws -> Data {
    try reports.count == 1 ? reports[0].json.jsonText() : reports.map(\.json).jsonText()
  }
}
