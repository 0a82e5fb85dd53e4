package import Foundation

/// A JSON object as a dictionary literal; members that are `nil` are left out.
package struct JSONObject: Encodable, Sendable, ExpressibleByDictionaryLiteral {
  package typealias Value = (any Encodable & Sendable)?

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct Null: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }

  private let members: [(name: String, value: Value)]

  package init(dictionaryLiteral elements: (String, Value)...) {
    members = elements.map { ($0, $1) }
  }

  private init(_ members: [(name: String, value: Value)]) { self.members = members }

  /// An object with the members of both, which have different names.
  package func merging(_ other: JSONObject) -> JSONObject { JSONObject(members + other.members) }

  /// A value that is `null` rather than left out where there is none.
  package static func orNull(_ value: Value) -> any Encodable & Sendable { value ?? Null() }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for case (let name, let value?) in members {
      try container.encode(value, forKey: Name(stringValue: name))
    }
  }
}

extension Encodable {
  /// The value as JSON with sorted keys, ending with a line feed.
  package func jsonText(isPretty: Bool = true) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
