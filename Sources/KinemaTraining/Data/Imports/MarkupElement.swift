import Foundation
import KinemaFiles

/// An element of an XML file: a reader of the part of XML 1.0 that annotation tools write.
///
/// Foundation's reader needs libxml2, which Swift's static libraries lack. Definitions of entities and
/// processing instructions are skipped unread, so that nothing is expanded or opened; namespaces are part of names.
final class MarkupElement {
  /// The deepest nesting and the most elements of a file.
  static let deepest = 32
  static let largestCount = 2_000_000

  let name: String
  let attributes: [String: String]
  private(set) var children: [MarkupElement] = []
  /// The text directly in it.
  private(set) var text = ""

  fileprivate init(_ name: String, _ attributes: [String: String]) {
    (self.name, self.attributes) = (name, attributes)
  }

  func elements(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }
  func element(_ name: String) -> MarkupElement? { children.first { $0.name == name } }

  /// The element at a path of names.
  func element(at path: String...) -> MarkupElement? {
    path.reduce(self as MarkupElement?) { $0?.element($1) }
  }

  struct Malformed: Error {}

  /// The root of a file.
  static func root(of bytes: [UInt8]) throws(Malformed) -> MarkupElement {
    var reader = MarkupReader(bytes)
    return try reader.root()
  }

  fileprivate func add(_ child: MarkupElement) { children.append(child) }
  fileprivate func add(_ text: String) { self.text += text }
}

private struct MarkupReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func root() throws(MarkupElement.Malformed) -> MarkupElement {
    var open: [MarkupElement] = []
    var count = 0
    while place < bytes.count {
      if bytes[place] != UInt8(ascii: "<") {
        let text = try Self.decoded(bytes[place..<next("<", orEnd: true)])
        open.last?.add(text)
        place = next("<", orEnd: true)
      } else if begins("<!--") {
        try skip(to: "-->")
      } else if begins("<![CDATA[") {
        let start = place + 9
        try skip(to: "]]>")
        open.last?.add(String(decoding: bytes[start..<place - 3], as: UTF8.self))
      } else if begins("<?") {
        try skip(to: "?>")
      } else if begins("<!") {
        // A document type with definitions could stand for anything.
        try skip(to: ">")
        guard !bytes[..<place].contains(UInt8(ascii: "[")) else { throw MarkupElement.Malformed() }
      } else if begins("</") {
        place += 2
        let name = try takeName()
        try skip(to: ">")
        guard let last = open.popLast(), last.name == name else { throw MarkupElement.Malformed() }
        if open.isEmpty { return last }
      } else {
        let (element, isEmpty) = try takeTag()
        count += 1
        guard count <= MarkupElement.largestCount, open.count < MarkupElement.deepest else {
          throw MarkupElement.Malformed()
        }
        open.last?.add(element)
        if !isEmpty { open.append(element) } else if open.isEmpty { return element }
      }
    }
    throw MarkupElement.Malformed()
  }

  private func begins(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[place...].starts(with: $0) }
  }

  private func next(_ byte: Unicode.Scalar, orEnd: Bool) -> Int {
    bytes[place...].firstIndex(of: UInt8(ascii: byte)) ?? bytes.count
  }

  private mutating func skip(to end: StaticString) throws(MarkupElement.Malformed) {
    while place < bytes.count {
      if begins(end) {
        place += end.utf8CodeUnitCount
        return
      }
      place += 1
    }
    throw MarkupElement.Malformed()
  }

  private mutating func takeName() throws(MarkupElement.Malformed) -> String {
    let start = place
    while place < bytes.count, !" \t\r\n/>=".utf8.contains(bytes[place]) { place += 1 }
    guard place > start else { throw MarkupElement.Malformed() }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func skipSpaces() {
    while place < bytes.count, " \t\r\n".utf8.contains(bytes[place]) { place += 1 }
  }

  private mutating func takeTag() throws(MarkupElement.Malformed) -> (MarkupElement, Bool) {
    place += 1
    let name = try takeName()
    var attributes: [String: String] = [:]
    while true {
      skipSpaces()
      guard place < bytes.count else { throw MarkupElement.Malformed() }
      if begins("/>") {
        place += 2
        return (MarkupElement(name, attributes), true)
      }
      if begins(">") {
        place += 1
        return (MarkupElement(name, attributes), false)
      }
      let key = try takeName()
      skipSpaces()
      guard begins("=") else { throw MarkupElement.Malformed() }
      place += 1
      skipSpaces()
      guard place < bytes.count, "\"'".utf8.contains(bytes[place]) else {
        throw MarkupElement.Malformed()
      }
      let mark = bytes[place]
      place += 1
      guard let end = bytes[place...].firstIndex(of: mark) else { throw MarkupElement.Malformed() }
      attributes[key] = try Self.decoded(bytes[place..<end])
      place = end + 1
    }
  }

  private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  /// A text with its entities replaced; throws for one that the file would have to define.
  private static func decoded(_ bytes: ArraySlice<UInt8>) throws(MarkupElement.Malformed) -> String
  {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("&") else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[rest.index(after: start)...]
      guard let end = rest.firstIndex(of: ";") else { throw MarkupElement.Malformed() }
      let name = rest[..<end]
      rest = rest[rest.index(after: end)...]
      if let known = entities[String(name)] {
        result += known
      } else if name.hasPrefix("#"), let scalar = scalar(name.dropFirst()) {
        result.unicodeScalars.append(scalar)
      } else {
        throw MarkupElement.Malformed()
      }
    }
    return result + rest
  }

  private static func scalar(_ digits: Substring) -> Unicode.Scalar? {
    let number =
      digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return number.flatMap(Unicode.Scalar.init)
  }
}
