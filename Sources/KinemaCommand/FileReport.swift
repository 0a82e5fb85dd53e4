import Foundation

protocol FileReport: Encodable {}

extension FileReport {
  func json(isPretty: Bool) throws -> Data {
    try Self.encoder(isPretty: isPretty).encode(self)
  }

  /// One report as an object, several as an array.
  static func json(of reports: [Self]) throws -> Data {
    let encoder = encoder(isPretty: true)
    let data = try reports.count == 1 ? encoder.encode(reports[0]) : encoder.encode(reports)
    return data + Data("\n".utf8)
  }

  private static func encoder(isPretty: Bool) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return encoder
  }
}
