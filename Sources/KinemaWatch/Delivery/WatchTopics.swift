/// The topics of a source.
package struct WatchTopics {
  package let prefix: String
  package let source: String

  package init(prefix: String, source: String) { (self.prefix, self.source) = (prefix, source) }

  var events: String { topic("events") }
  var clips: String { topic("clips") }
  var state: String { topic("state") }
  /// The picture of the newest event with one, retained.
  var picture: String { topic("picture") }

  private func topic(_ name: String) -> String { "\(prefix)/\(Self.word(of: source))/\(name)" }

  /// A name as a level of a topic: lower case, with - for all but ASCII letters and digits.
  static func word(of name: String) -> String {
    String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }
}
