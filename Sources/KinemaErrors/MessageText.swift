/// What a message says: a stable name with values, so that a page can put it into words of its own.
///
/// In JSON `{"onlySound":{"file":"a.mp4"}}`. A name and its values never change their meaning; new
/// ones may be added.
public struct MessageText: Hashable, Sendable {
  /// The name, unique among all modules.
  public let name: String
  /// What a sentence quotes, by name: files, numbers, words of a foreign library.
  public let values: [String: String]

  /// Creates a text.
  public init(_ name: String, _ values: [String: any CustomStringConvertible] = [:]) {
    self.name = name
    self.values = values.mapValues(\.description)
  }

  /// The sentence in English; the name where ``MessageTable`` has none, as for one of a newer version.
  public var sentence: String { MessageTable.sentence(name, values) ?? name }

  /// The same with more values.
  package func adding(_ more: [String: any CustomStringConvertible]) -> MessageText {
    MessageText(name, values.merging(more.mapValues(\.description)) { value, _ in value })
  }

  /// The same with other values.
  package func mapValues(_ change: (String) -> String) -> MessageText {
    MessageText(name, values.mapValues(change))
  }
}

extension MessageText: Reported {
  /// The sentence in English.
  public var message: String { sentence }
  /// Itself.
  public var text: MessageText? { self }
}

extension MessageText: Codable {
  /// Reads `{name:{values}}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let (name, values) = try container.decode([String: [String: String]].self).first else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "It has no name.")
    }
    self.init(name, values)
  }

  /// Writes `{name:{values}}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode([name: values])
  }
}
