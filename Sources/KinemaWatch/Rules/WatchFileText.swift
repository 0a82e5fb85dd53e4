import Foundation
import KinemaFiles

/// The text of a watch file, in which one source gets other areas, or is added, and all else stays as somebody
/// wrote it.
struct WatchFileText {
  private struct Member {
    let name: String
    /// From the name to the end of the value.
    let range: Range<Int>
    let value: Range<Int>
  }

  private let bytes: [UInt8]

  /// - Parameter data: Valid JSON.
  init(_ data: Data) { bytes = Array(data) }

  /// The text in which a source has areas; `nil` where it has no such source.
  func replacing(areas: SourceAreas, of source: String) throws -> Data? {
    let file = members(of: skipSpace(0))
    guard let list = file.first(where: { $0.name == "sources" })?.value.lowerBound else {
      return nil
    }
    for element in elements(of: list) where bytes[element.lowerBound] == UInt8(ascii: "{") {
      let members = members(of: element.lowerBound)
      let name = members.first { $0.name == "name" }.flatMap { text(of: $0.value) }
      guard name == source else { continue }
      let object = try replacing(areas, in: element, members)
      return Data(bytes[..<element.lowerBound]) + object + Data(bytes[element.upperBound...])
    }
    return nil
  }

  /// The text with another source behind the last one.
  ///
  /// - Throws: ``WatchError`` where it has no list of sources.
  func adding(source: String, at address: String) throws -> Data {
    let list = members(of: skipSpace(0)).first { $0.name == "sources" }?.value.lowerBound
    let sources = list.map(elements) ?? []
    guard let last = sources.last else {
      throw WatchError(.malformed, "There is no list of “sources” to which one can be added.")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let name = try encoder.encode(source)
    let text =
      Data("{\"name\": ".utf8) + name + Data(", \"address\": ".utf8) + (try encoder.encode(address))
      + Data("}".utf8)
    return Data(bytes[..<last.upperBound]) + Data(",".utf8) + space(before: last) + text
      + Data(bytes[last.upperBound...])
  }

  /// The space before a value, such as a line feed and its indentation; one space where there is none.
  private func space(before value: Range<Int>) -> Data {
    var place = value.lowerBound
    while place > 0, skipSpace(place - 1) > place - 1 { place -= 1 }
    return place < value.lowerBound ? Data(bytes[place..<value.lowerBound]) : Data(" ".utf8)
  }

  private func replacing(
    _ areas: SourceAreas, in object: Range<Int>, _ members: [Member]
  ) throws -> Data {
    // A member's own space before it, such as a line feed and its indentation.
    var parts: [(space: Data, text: Data)] = []
    var before = object.lowerBound + 1
    for member in members {
      let space = Data(bytes[before..<member.range.lowerBound])
      before = min(skipSpace(member.range.upperBound) + 1, object.upperBound)
      guard !SourceAreas.members.contains(member.name) else { continue }
      parts.append((space, Data(bytes[member.range])))
    }
    let space = parts.dropFirst().last?.space ?? Data(" ".utf8)
    for (name, text) in try areas.memberTexts {
      parts.append((space, Data("\"\(name)\": ".utf8) + text))
    }
    let end = members.last?.range.upperBound ?? object.lowerBound + 1
    let tail = Data(bytes[end..<object.upperBound - 1])
    var result = Data("{".utf8)
    for (index, part) in parts.enumerated() {
      if index > 0 { result += Data(",".utf8) }
      result += part.space + part.text
    }
    return result + tail + Data("}".utf8)
  }

  // MARK: - Scanning

  private func skipSpace(_ start: Int) -> Int {
    var place = start
    while place < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[place]) { place += 1 }
    return place
  }

  /// Where the value ends that begins at a place.
  private func end(of start: Int) -> Int {
    var (place, depth, isText) = (start, 0, false)
    while place < bytes.count {
      let byte = bytes[place]
      if isText {
        if byte == UInt8(ascii: "\\") {
          place += 1
        } else if byte == UInt8(ascii: "\"") {
          isText = false
          if depth == 0 { return place + 1 }
        }
      } else if byte == UInt8(ascii: "\"") {
        isText = true
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        // The end of what a number or a word is in.
        if depth == 0 { return place }
        depth -= 1
        if depth == 0 { return place + 1 }
      } else if depth == 0, byte == UInt8(ascii: ",") || skipSpace(place) > place {
        return place
      }
      place += 1
    }
    return bytes.count
  }

  private func elements(of start: Int) -> [Range<Int>] {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "[") else { return [] }
    var found: [Range<Int>] = []
    var place = skipSpace(start + 1)
    while place < bytes.count, bytes[place] != UInt8(ascii: "]") {
      let end = max(end(of: place), place + 1)
      found.append(place..<end)
      place = skipSpace(end)
      if place < bytes.count, bytes[place] == UInt8(ascii: ",") { place = skipSpace(place + 1) }
    }
    return found
  }

  private func members(of start: Int) -> [Member] {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "{") else { return [] }
    var found: [Member] = []
    var place = skipSpace(start + 1)
    while place < bytes.count, bytes[place] == UInt8(ascii: "\"") {
      let name = place..<end(of: place)
      // Behind the colon.
      let value = skipSpace(skipSpace(name.upperBound) + 1)
      let valueEnd = max(end(of: value), value)
      guard let text = text(of: name), valueEnd <= bytes.count else { return found }
      found.append(Member(name: text, range: place..<valueEnd, value: value..<valueEnd))
      place = skipSpace(valueEnd)
      guard place < bytes.count, bytes[place] == UInt8(ascii: ",") else { return found }
      place = skipSpace(place + 1)
    }
    return found
  }

  private func text(of range: Range<Int>) -> String? {
    // Anything but a text has none.
    try? JSONDecoder().decodeForeign(String.self, from: Data(bytes[range]))
  }
}
