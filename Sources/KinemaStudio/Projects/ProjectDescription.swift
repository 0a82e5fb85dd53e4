package import Foundation
import KinemaFiles

/// What `project.json` says: name, parameters and metadata.
package struct ProjectDescription: Codable, Hashable, Sendable {
  /// What a model that is made here says about itself.
  package struct Metadata: Codable, Hashable, Sendable {
    package var author: String?
    package var license: String?
    package var description: String?
    package var version: String?

    package init() {}
  }

  static let format = "kinema-project"
  static let version = 1
  /// The most characters of a name, and of a text of the metadata.
  package static let longestName = 200
  static let longestText = 10_000

  private var format = Self.format
  private var version = Self.version
  package var name: String
  /// To the second.
  package var created: Date
  package var parameters = ProjectParameters()
  package var metadata = Metadata()
  /// Absolute paths of videos and pose files that are used where they are, also without items.
  package var media: [String]?

  package init(name: String, created: Date = Date()) {
    self.name = name
    self.created = Date(timeIntervalSince1970: created.timeIntervalSince1970.rounded())
  }

  /// Reads `project.json`; throws ``StudioError``.
  init(_ data: Data, path: String) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    do {
      self = try decoder.decodeForeign(Self.self, from: data)
    } catch {
      throw StudioError(.badProjectFile(file: path, fault: JSONFault.sentence(of: error)))
    }
    guard format == Self.format, version == Self.version else {
      throw StudioError(.otherVersion(file: path, format: format, version: version))
    }
  }

  /// Throws ``StudioError`` where a name, text or parameter is out of range.
  package func check() throws {
    guard Self.isLine(name), name.count <= Self.longestName else {
      throw StudioError(.badName(limit: Self.longestName))
    }
    let texts = [metadata.author, metadata.license, metadata.description, metadata.version]
    guard texts.allSatisfy({ ($0?.utf8.count ?? 0) <= Self.longestText }) else {
      throw StudioError(.longText(limit: Self.longestText))
    }
    _ = try parameters.training()
  }

  /// Whether a text has something in it and no line break or other control character.
  static func isLine(_ text: String) -> Bool {
    // Nearly all are plain.
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    if isPlain { return text.utf8.contains { $0 != 0x20 } }
    return !text.allSatisfy(\.isWhitespace)
      && !text.unicodeScalars.contains {
        [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
      }
  }

  var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }

  // MARK: - Changes

  /// Merges `{"name"?, "parameters"?, "metadata"?}`; a parameter or text that is `null` is reset.
  ///
  /// - Throws: ``StudioError`` where it is something else or out of range.
  package mutating func merge(_ patch: Data) throws {
    guard let members = try? JSONSerialization.jsonObject(with: patch) as? [String: Any] else {
      throw StudioError(.badBody(fault: "it is not a JSON object."))
    }
    for (key, value) in members {
      switch key {
      case "name":
        guard let text = value as? String else {
          throw StudioError(.badBody(fault: "“name” is not a text."))
        }
        name = text.trimmingCharacters(in: .whitespacesAndNewlines)
      case "parameters": parameters = try Self.merged(parameters, value, "parameters")
      case "metadata": metadata = try Self.merged(metadata, value, "metadata")
      default:
        throw StudioError(
          .badBody(
            fault: "“\(key.prefix(50))” cannot be changed: give name, parameters or metadata."))
      }
    }
    try check()
  }

  private static func merged<Value: Codable>(
    _ value: Value, _ patch: Any, _ name: String
  ) throws -> Value {
    guard let patch = patch as? [String: Any],
      var members = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
        as? [String: Any]
    else { throw StudioError(.badBody(fault: "“\(name)” is not a JSON object.")) }
    for (key, value) in patch { members[key] = value is NSNull ? nil : value }
    do {
      let merged = try JSONDecoder().decodeForeign(
        Value.self, from: JSONSerialization.data(withJSONObject: members))
      let known = try JSONSerialization.jsonObject(with: JSONEncoder().encode(merged))
      if let unknown = members.keys.filter({ (known as? [String: Any])?[$0] == nil }).min() {
        throw StudioError(
          .badBody(fault: "there is no “\(unknown.prefix(50))” among the \(name)."))
      }
      return merged
    } catch let error as DecodingError {
      throw StudioError(.badBody(fault: "in the \(name), \(JSONFault.sentence(of: error))"))
    }
  }
}

/// What a decoder found wrong, as the end of a sentence.
package enum JSONFault {
  package static func sentence(of error: any Error) -> String {
    func name(_ path: [any CodingKey]) -> String {
      path.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: ".")
    }
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      return "“\(name(context.codingPath + [key]))” is missing."
    case .typeMismatch(let type, let context):
      return "“\(name(context.codingPath))” is not a \(text(for: type))."
    case .valueNotFound(let type, let context):
      return "“\(name(context.codingPath))” is null, not a \(text(for: type))."
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      return "“\(name(context.codingPath))” has a value that is not possible there."
    default: return "it is not valid JSON."
    }
  }

  private static func text(for type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text"
    case is Bool.Type: "true or false"
    case is Double.Type, is Int.Type, is UInt64.Type: "number"
    case is [String: Any].Type: "JSON object"
    default: "value of the right kind"
    }
  }
}
