import Foundation
import Kinema
import KinemaFiles

struct Arguments: Sendable {
  /// Words that are not options, in order.
  private(set) var operands: [String] = []
  private var values: [String: String] = [:]
  private var switches: Set<String> = []

  /// Parses words; `--name value` and `--name=value` are equal, and all words after `--` are
  /// operands; throws ``UsageError`` for an unknown option or a missing value.
  init(_ words: [String], options: [Option]) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        return
      }
      if word == "-h" {
        switches.insert(Option.help.name)
      } else if word.hasPrefix("--") {
        try take(word.dropFirst(2), rest: &rest, options: options + [.help])
      } else if word.hasPrefix("-"), word.count > 1, Double(word) == nil {
        throw UsageError("There is no option \(word); options have long names, such as --help.")
      } else {
        operands.append(word)
      }
    }
  }

  private mutating func take(
    _ word: Substring, rest: inout ArraySlice<String>, options: [Option]
  ) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = options.first(where: { $0.name == name }) else {
      let nearest = Self.nearest(to: name, among: options.map(\.name))
      throw UsageError(
        "There is no option --\(name)" + (nearest.map { "; did you mean --\($0)?" } ?? "."))
    }
    guard let valueName = option.valueName else {
      guard parts.count == 1 else { throw UsageError("--\(name) takes no value.") }
      switches.insert(name)
      return
    }
    guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
      throw UsageError("--\(name) needs a value: --\(name) \(valueName).")
    }
    values[name] = value
  }

  func has(_ name: String) -> Bool { switches.contains(name) }

  func value(_ name: String) -> String? { values[name] }

  func url(_ name: String) -> URL? { values[name].map { URL(filePath: $0) } }

  /// The file that an option names to write, where that is possible.
  func outputURL(_ name: String) throws -> URL? {
    guard let url = url(name) else { return nil }
    try WholeFile.checkWritable(url)
    return url
  }

  /// The value of `--model` or another option: a file, or the name of a built-in model.
  func model(_ option: String = "model") throws -> URL? {
    try values[option].map { try Self.model(named: $0) }
  }

  /// A model's file, or the built-in model of a name.
  static func model(named name: String) throws -> URL {
    let url = URL(filePath: name)
    guard !FileManager.default.fileExists(atPath: url.path),
      let model = BuiltInModel(rawValue: name)
    else { return url }
    return try model.url
  }

  func number(_ name: String, within limits: ClosedRange<Double>) throws -> Double? {
    guard let text = values[name] else { return nil }
    guard let number = Double(text), limits.contains(number) else {
      throw UsageError(
        "--\(name) takes a number from \(limits.lowerBound) to \(limits.upperBound), not \(text).")
    }
    return number
  }

  func integer(_ name: String, within limits: ClosedRange<Int>) throws -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), limits.contains(number) else {
      throw UsageError(
        "--\(name) takes an integer from \(limits.lowerBound) to \(limits.upperBound), "
          + "not \(text).")
    }
    return number
  }

  /// Sets a number to the value of an option, if it was given.
  func set(_ number: inout Int, from name: String, within limits: ClosedRange<Int>) throws {
    number = try integer(name, within: limits) ?? number
  }

  func seed() throws -> UInt64? { try integer("seed", within: 0...Int.max).map { UInt64($0) } }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, default: Choice
  ) throws -> Choice where Choice.RawValue == String {
    guard let text = values[name] else { return `default` }
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("--\(name) takes one of \(words), not \(text).")
    }
    return choice
  }

  /// The word with the smallest edit distance, if plausible.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { (distance(word, $0), $0) }.min { $0.0 < $1.0 }
    return ranked.flatMap { $0.0 <= max(1, word.count / 3) ? $0.1 : nil }
  }

  /// Levenshtein's distance between two words.
  private static func distance(_ first: String, _ second: String) -> Int {
    var row = Array(0...second.count)
    for (index, character) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in second.enumerated() {
        let substituted = diagonal + (character == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, row[column] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
