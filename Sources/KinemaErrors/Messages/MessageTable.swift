/// The sentences of what Kinema reports, by name: the one source of what the terminal and the pages say.
///
/// In a template, `{name}` stands for a value; `{n:clip|clips}` is the first word where the value `n` is
/// one, and the second otherwise. A value may have a word in the table: `{set}` is that of `set.test`
/// where the value is `test`.
package enum MessageTable {
  /// The templates by name, in English.
  package static let templates: [String: String] = {
    let lines = [media, kinds, server, data, studio].joined(separator: "\n").split(separator: "\n")
    var templates: [String: String] = [:]
    for line in lines where !line.hasPrefix("#") {
      guard let (name, template) = pair(in: line, at: ": ") else {
        preconditionFailure("“\(line)” is not NAME: TEMPLATE.")
      }
      precondition(
        templates.updateValue(String(template), forKey: String(name)) == nil,
        "\(name) is there twice.")
    }
    return templates
  }()

  /// What stands in braces in a template: a value's name, with words for one and many where it is a
  /// number.
  private struct Placeholder {
    let name: Substring
    let words: (one: Substring, many: Substring)?

    init(_ text: Substring) {
      let words = pair(in: text, at: ":")
      name = words?.0 ?? text
      self.words = words.flatMap { pair(in: $0.1, at: "|") }
    }
  }

  /// The names of the values in a template.
  package static func valueNames(in template: String) -> Set<String> {
    Set(pieces(of: template).compactMap { $0.placeholder.map { String($0.name) } })
  }

  /// The sentence of a name with its values; `nil` where the table has none.
  static func sentence(_ name: String, _ values: [String: String]) -> String? {
    templates[name].map { template in
      pieces(of: template).reduce("") { sentence, piece in
        guard let placeholder = piece.placeholder else { return sentence + piece.text }
        let value = values[String(placeholder.name)] ?? ""
        let word = placeholder.words.map { value == "1" ? String($0.one) : String($0.many) }
        return sentence + piece.text + (word ?? templates["\(placeholder.name).\(value)"] ?? value)
      }
    }
  }

  /// A template in pieces: a text, and the placeholder behind it.
  private static func pieces(of template: String) -> [(text: Substring, placeholder: Placeholder?)]
  {
    var pieces: [(Substring, Placeholder?)] = []
    var rest = template[...]
    while let (text, behind) = pair(in: rest, at: "{"), let (name, next) = pair(in: behind, at: "}")
    {
      pieces.append((text, Placeholder(name)))
      rest = next
    }
    return pieces + [(rest, nil)]
  }

  /// What stands before and behind the first separator.
  private static func pair(
    in text: Substring, at separator: String
  ) -> (Substring, Substring)? {
    text.firstRange(of: separator).map { (text[..<$0.lowerBound], text[$0.upperBound...]) }
  }
}
