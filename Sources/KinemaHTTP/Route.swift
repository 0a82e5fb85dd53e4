/// A row of a ``RoutingTable``: what answers one method at the addresses of a pattern.
package struct Route: Sendable {
  package typealias Handler =
    @Sendable (_ request: HTTPRequest, _ path: PathValues) async throws -> HTTPResponse

  package let method: String
  /// The address; `{name}` stands for one component of a path, `{name#}` for a number from 1 on as
  /// the server writes it, `{name*}` at its end for one or more components.
  package let pattern: String
  /// The largest body in bytes.
  package let bodyLimit: Int
  let handler: Handler
  private let parts: [Part]

  private enum Part {
    case literal(Substring)
    case value(String)
    case number(String)
    case rest(String)

    init(_ text: Substring) {
      guard text.hasPrefix("{") else {
        self = .literal(text)
        return
      }
      let name = text.dropFirst().dropLast()
      self =
        switch name.last {
        case "#": .number(String(name.dropLast()))
        case "*": .rest(String(name.dropLast()))
        default: .value(String(name))
        }
    }
  }

  package init(
    _ method: String, _ pattern: String, bodyLimit: Int = 0, handler: @escaping Handler
  ) {
    self.method = method
    self.pattern = pattern
    self.bodyLimit = bodyLimit
    self.handler = handler
    parts = pattern.split(separator: "/").map(Part.init)
  }

  /// What stands in a path in place of the names; `nil` where the path is another.
  func match(_ path: [Substring]) -> PathValues? {
    var values: [String: String] = [:]
    for (index, part) in parts.enumerated() {
      guard index < path.count else { return nil }
      switch part {
      case .literal(let text): guard path[index] == text else { return nil }
      case .value(let name): values[name] = String(path[index])
      case .number(let name):
        guard let number = Int(path[index]), number > 0, String(number) == path[index] else {
          return nil
        }
        values[name] = String(number)
      case .rest(let name):
        values[name] = path[index...].joined(separator: "/")
        return PathValues(values)
      }
    }
    return path.count == parts.count ? PathValues(values) : nil
  }
}

/// What stands in a request's path in place of the names of a route's pattern.
package struct PathValues: Sendable {
  private let values: [String: String]

  init(_ values: [String: String]) { self.values = values }

  /// The text of a name, which the pattern must have.
  package subscript(name: String) -> String {
    guard let value = values[name] else { preconditionFailure("The pattern has no {\(name)}.") }
    return value
  }

  /// The number of a name, which the pattern must have as `{name#}`.
  package func number(_ name: String) -> Int {
    guard let number = Int(self[name]) else { preconditionFailure("{\(name)} is not a number.") }
    return number
  }
}
