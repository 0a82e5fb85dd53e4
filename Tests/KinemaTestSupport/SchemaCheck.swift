package import Foundation

/// A schema of `docs/schemas` against which an answer is checked: draft 7, as far as they use it.
///
/// A member that an object's schema does not name is a fault: what is sent is described.
package struct SchemaCheck {
  private typealias Object = [String: Any]

  private let root: [String: Any]

  /// Reads a schema, such as `studio`.
  package init(_ name: String) throws {
    let url = SharedData.packageRoot.appending(path: "docs/schemas/\(name).json")
    root = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
  }

  /// What of a JSON does not fit one of the schema's definitions, with where it is.
  package func faults(in data: Data, as definition: String) throws -> [String] {
    let value = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    guard definitions[definition] != nil else { return ["There is no definition \(definition)."] }
    return faults(value, ["$ref": "#/definitions/\(definition)"], definition)
  }

  private var definitions: Object { root["definitions"] as? Object ?? [:] }

  private func faults(_ value: Any, _ schema: Object, _ place: String) -> [String] {
    if let reference = schema["$ref"] as? String {
      let name = reference.replacing("#/definitions/", with: "")
      guard let target = definitions[name] as? Object else { return ["\(place): no \(reference)"] }
      return faults(value, target, place)
    }
    if let choices = schema["anyOf"] as? [Object] {
      let all = choices.map { faults(value, $0, place) }
      return all.contains { $0.isEmpty } ? [] : all.min { $0.count < $1.count } ?? []
    }
    if let values = schema["enum"] as? [String] {
      return (value as? String).map(values.contains) ?? false
        ? [] : ["\(place): \(value) is none of \(values)"]
    }
    guard let type = schema["type"] as? String, Self.has(value, type) else {
      return ["\(place): \(value) is no \(schema["type"] ?? "value of a known type")"]
    }
    if schema["format"] as? String == "date-time" {
      let isDate = (value as? String).map { (try? Date($0, strategy: .iso8601)) != nil } ?? false
      return isDate ? [] : ["\(place): \(value) is no date"]
    }
    if let list = value as? [Any] {
      let bounds = (schema["minItems"] as? Int ?? 0)...(schema["maxItems"] as? Int ?? .max)
      let items = schema["items"] as? Object ?? [:]
      return (bounds.contains(list.count) ? [] : ["\(place): \(list.count) items"])
        + list.enumerated().flatMap { faults($1, items, "\(place)[\($0)]") }
    }
    return (value as? Object).map { members(of: $0, schema, place) } ?? []
  }

  private func members(of object: Object, _ schema: Object, _ place: String) -> [String] {
    let bounds =
      (schema["minProperties"] as? Int ?? 0)...(schema["maxProperties"] as? Int ?? .max)
    let known = schema["properties"] as? Object ?? [:]
    let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
    return missing.map { "\(place).\($0) is missing" }
      + (bounds.contains(object.count) ? [] : ["\(place): \(object.count) members"])
      + object.sorted { $0.key < $1.key }.flatMap { name, value in
        guard let schema = (known[name] ?? schema["additionalProperties"]) as? Object else {
          return ["\(place).\(name) is not described"]
        }
        return faults(value, schema, "\(place).\(name)")
      }
  }

  private static func has(_ value: Any, _ type: String) -> Bool {
    let number = value as? NSNumber
    // As Foundation keeps it: `c` is a truth value, and other numbers are not.
    let isBool = number.map { String(cString: $0.objCType) == "c" } ?? false
    return switch type {
    case "object": value is Object
    case "array": value is [Any]
    case "string": value is String
    case "null": value is NSNull
    case "boolean": isBool
    case "number": !isBool && number != nil
    case "integer": !isBool && number.map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    default: false
    }
  }
}
