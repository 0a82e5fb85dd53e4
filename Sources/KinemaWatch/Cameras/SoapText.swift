import Foundation

/// The elements of a SOAP answer by their names, whatever prefix their namespace has.
///
/// Answers of devices are untrusted and short; what is no XML has no elements.
struct SoapText {
  struct Element {
    /// What is in the start tag behind the name.
    let attributes: String
    let content: Substring
  }

  private let text: Substring

  init(_ data: Data) { text = Substring(String(decoding: data, as: UTF8.self)) }
  private init(_ text: Substring) { self.text = text }

  /// The outermost elements of a name, in order.
  func elements(_ name: String) -> [Element] {
    var found: [Element] = []
    var rest = text
    while let start = rest.firstMatch(of: /<(?:[\w.-]+:)?([\w.-]+)((?:\s[^<>]*?)?)(\/?)>/) {
      rest = rest[start.range.upperBound...]
      guard start.output.1 == name else { continue }
      let attributes = String(start.output.2)
      guard start.output.3.isEmpty, let end = Self.end(of: name, in: rest) else {
        found.append(Element(attributes: attributes, content: ""))
        continue
      }
      found.append(Element(attributes: attributes, content: rest[..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    return found
  }

  /// The end tag of an element, beyond others of its name inside.
  private static func end(of name: String, in text: Substring) -> Range<Substring.Index>? {
    var depth = 1
    var rest = text
    while let tag = rest.firstMatch(of: /<(\/?)(?:[\w.-]+:)?([\w.-]+)(?:\s[^<>]*?)?(\/?)>/) {
      rest = rest[tag.range.upperBound...]
      guard tag.output.2 == name else { continue }
      if !tag.output.1.isEmpty {
        depth -= 1
        if depth == 0 { return tag.range }
      } else if tag.output.3.isEmpty {
        depth += 1
      }
    }
    return nil
  }

  /// What is inside of the first element of a name.
  func inside(_ name: String) -> SoapText? { elements(name).first.map { SoapText($0.content) } }

  /// The text of the first element of a name, without markup and spaces around it; `nil` for none.
  func value(_ name: String) -> String? {
    guard let content = elements(name).first?.content, !content.contains("<") else { return nil }
    let text = Self.plain(String(content)).trimmingCharacters(in: .whitespacesAndNewlines)
    return text.isEmpty ? nil : text
  }

  /// The value of an attribute; `nil` for none.
  static func attribute(_ name: String, of element: Element) -> String? {
    let pattern = element.attributes.matches(of: /(?:^|\s)([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/)
    return pattern.first { $0.output.1 == name }.map {
      plain(String($0.output.2 ?? $0.output.3 ?? ""))
    }
  }

  private static let marks = [
    ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
  ]

  private static func plain(_ text: String) -> String {
    marks.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }

  /// A text as content of an element.
  static func escaped(_ text: String) -> String {
    marks.reversed().reduce(text) { $0.replacingOccurrences(of: $1.1, with: $1.0) }
  }
}
