/// A page as a browser reads it, strictly: every element is closed in order, every attribute is quoted
/// and every character of the markup is written as an entity.
struct PageDocument {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  final class Element {
    let name: String
    let attributes: [String: String]
    fileprivate(set) var children: [Element] = []
    /// The text directly in the element.
    fileprivate(set) var ownText = ""

    init(_ name: String, _ attributes: [String: String]) {
      (self.name, self.attributes) = (name, attributes)
    }

    /// The element and all within it.
    var all: [Element] { [self] + children.flatMap(\.all) }
    /// The text in the element and all within it.
    var text: String { all.map(\.ownText).joined() }
    var classes: Set<Substring> { Set((attributes["class"] ?? "").split(separator: " ")) }

    func number(_ name: String) -> Double? { attributes[name].flatMap(Double.init) }

    /// All elements within of a name and a class.
    func all(_ name: String, _ kind: Substring? = nil) -> [Element] {
      all.filter { element in
        element.name == name && kind.map { element.classes.contains($0) } ?? true
      }
    }
  }

  let root = Element("", [:])

  private static let void: Set = ["meta", "br"]
  private static let raw: Set = ["style"]
  private static let entities: [Substring: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'", "#10": "\n",
  ]

  init(_ html: String) throws {
    let start = "<!doctype html>\n"
    guard html.hasPrefix(start) else { throw Failure(description: "no document type") }
    var rest = html.dropFirst(start.count)
    var open = [root]
    while let next = rest.firstIndex(of: "<") {
      open[open.count - 1].ownText += try Self.unescaped(rest[..<next])
      guard let end = rest[next...].firstIndex(of: ">") else {
        throw Failure(description: "a tag without an end: \(rest[next...].prefix(40))")
      }
      let tag = rest[rest.index(after: next)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("/") {
        guard open.count > 1, open.removeLast().name == tag.dropFirst() else {
          throw Failure(description: "<\(tag)> closes another element")
        }
        continue
      }
      let element = try Self.element(tag.hasSuffix("/") ? tag.dropLast() : tag)
      open[open.count - 1].children.append(element)
      if tag.hasSuffix("/") || Self.void.contains(element.name) { continue }
      open.append(element)
      guard Self.raw.contains(element.name) else { continue }
      guard let close = rest.firstRange(of: "</\(element.name)>") else {
        throw Failure(description: "<\(element.name)> is not closed")
      }
      element.ownText = String(rest[..<close.lowerBound])
      rest = rest[close.lowerBound...]
    }
    guard open.count == 1, rest.allSatisfy(\.isWhitespace) else {
      throw Failure(description: "<\(open[open.count - 1].name)> is not closed")
    }
  }

  private static func element(_ tag: Substring) throws -> Element {
    let name = tag.prefix { !$0.isWhitespace }
    guard let first = name.first, first.isASCII, first.isLetter else {
      throw Failure(description: "<\(tag)> has no name")
    }
    var attributes: [String: String] = [:]
    var rest = tag.dropFirst(name.count).drop(while: \.isWhitespace)
    while !rest.isEmpty {
      let key = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
      rest = rest.dropFirst(key.count)
      guard !key.isEmpty, rest.hasPrefix("=\""),
        let end = rest.dropFirst(2).firstIndex(of: "\"")
      else { throw Failure(description: "an attribute without quotes in <\(tag)>") }
      let value = try unescaped(rest[rest.index(rest.startIndex, offsetBy: 2)..<end])
      guard attributes.updateValue(value, forKey: String(key)) == nil else {
        throw Failure(description: "\(key) twice in <\(tag)>")
      }
      rest = rest[rest.index(after: end)...].drop(while: \.isWhitespace)
    }
    return Element(String(name), attributes)
  }

  private static func unescaped(_ text: Substring) throws -> String {
    var result = ""
    var rest = text
    while let next = rest.firstIndex(of: "&") {
      result += rest[..<next]
      rest = rest[rest.index(after: next)...]
      guard let end = rest.firstIndex(of: ";"), let character = entities[rest[..<end]] else {
        throw Failure(description: "an unknown entity: &\(rest.prefix(10))")
      }
      result += character
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}

extension PageDocument {
  /// All elements of a name and a class.
  func all(_ name: String, _ kind: Substring? = nil) -> [Element] { root.all(name, kind) }

  /// The rows of the first table of a class, each the texts of its cells.
  func table(_ kind: Substring) -> [[String]] {
    (all("table", kind).first?.all("tr") ?? []).map { $0.children.map(\.text) }
  }

  /// The large figures, by name.
  var tiles: [String: String] {
    Dictionary(
      all("div", "tile").map { tile in
        (tile.all("dt").first?.text ?? "", tile.all("dd").first?.text ?? "")
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The titles of the sections.
  var sections: [String] { all("h2").map(\.text) }

  /// The points of a line or an area; `nil` where it has other commands than M, L and Z.
  static func points(_ path: Element?) -> [(x: Double, y: Double)]? {
    guard let data = path?.attributes["d"] else { return nil }
    var points: [(Double, Double)] = []
    for part in data.split(whereSeparator: { "MLZ".contains($0) }) {
      let numbers = part.split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 2 else { return nil }
      points.append((numbers[0], numbers[1]))
    }
    return points
  }
}
