import Foundation

/// Options that several commands have.
protocol OptionGroup: Sendable {
  init()
}

/// A command of `kinema`: its properties declare what can be given to it, in the order of its help.
protocol Command: OptionGroup {
  /// The name, such as `model info`.
  static var name: String { get }
  /// The purpose, in one line.
  static var abstract: String { get }
  /// The operands in the usage line.
  static var usage: String { get }
  static var discussion: String { get }
  /// Example command lines, each with its meaning in the next line, indented.
  static var examples: String { get }
  func run() async throws
}

extension OptionGroup {
  /// The letters that stand for options, in every command that has them.
  static var shortNames: [String: Character] { ["output": "o"] }

  /// The options and switches by their names, in the order of their declarations.
  var declarations: [(name: String, declaration: any Declaration)] {
    Mirror(reflecting: self).children.flatMap { label, value in
      if let group = value as? any OptionGroup { return group.declarations }
      return (value as? any Declaration).map { [(Self.optionName(label ?? ""), $0)] } ?? []
    }
  }

  private var operands: Operands? {
    for (_, value) in Mirror(reflecting: self).children {
      if let own = value as? Operands ?? (value as? any OptionGroup)?.operands { return own }
    }
    return nil
  }

  /// Takes the words of a command line: `--name value` and `--name=value` are equal, and all words after
  /// `--` are operands; throws ``UsageError`` for an unknown option or a value that an option doesn't take.
  func take(_ words: [String]) throws {
    var (operands, rest): ([String], _) = ([], words[...])
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        rest = []
      } else if word.hasPrefix("--") {
        let parts = word.dropFirst(2).split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let option = try declaration(name)
        guard let valueName = option.valueName else {
          try option.take(parts.count == 2 ? String(parts[1]) : "", for: name)
          continue
        }
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
          throw UsageError("--\(name) needs a value: --\(name) \(valueName).")
        }
        try option.take(value, for: name)
      } else if let (name, option, value) = shortOption(word) {
        guard let value = value ?? rest.popFirst() else {
          throw UsageError("\(word) needs a value: \(word) \(option.valueName ?? "").")
        }
        try option.take(value, for: name)
      } else if word.hasPrefix("-"), word.count > 1, Double(word) == nil {
        throw UsageError("There is no option \(word); options have long names, such as --help.")
      } else {
        operands.append(word)
      }
    }
    try take(operands: operands)
  }

  /// Takes the options of a worker's job.
  func take(_ options: [String: WorkerRequest.Option], operands: [String]) throws {
    for (name, value) in options.sorted(by: { $0.key < $1.key }) {
      let option = try declaration(name)
      switch (value, option.valueName) {
      case (.flag(false), _): break
      case (.flag(true), nil): try option.take("", for: name)
      case (.flag(true), let valueName?):
        throw UsageError("--\(name) needs a value: --\(name) \(valueName).")
      case (.value, nil): throw UsageError("--\(name) takes no value.")
      case (.value(let text), _): try option.take(text, for: name)
      }
    }
    try take(operands: operands)
  }

  private func take(operands words: [String]) throws {
    guard let operands else {
      guard words.isEmpty else { throw UsageError("\(words[0]) is one word too many.") }
      return
    }
    try operands.take(words)
  }

  /// The option that a word such as `-o` or `-opeople.npz` is short for, and its value in the word.
  private func shortOption(
    _ word: String
  ) -> (name: String, option: any Declaration, value: String?)? {
    guard word.hasPrefix("-"), let letter = word.dropFirst().first,
      let option = declarations.first(where: { Self.shortNames[$0.name] == letter })
    else { return nil }
    let value = word.dropFirst(2)
    return (option.name, option.declaration, value.isEmpty ? nil : String(value))
  }

  private func declaration(_ name: String) throws -> any Declaration {
    let all = declarations
    guard let found = all.first(where: { $0.name == name }) else {
      let nearest = Spelling.nearest(to: name, among: all.map(\.name))
      throw UsageError(
        "There is no option --\(name)" + (nearest.map { "; did you mean --\($0)?" } ?? "."))
    }
    return found.declaration
  }

  /// `_maxHands` is `max-hands`.
  private static func optionName(_ label: String) -> String {
    label.drop { $0 == "_" }.reduce(into: "") { name, letter in
      name += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
    }
  }
}

enum Spelling {
  /// The candidate that a word was probably meant to be: the nearest one in any case, or the only one
  /// that it begins; never the word itself, which was refused for another reason.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let candidates = candidates.filter { $0 != word }
    let word = word.lowercased()
    let ranked = candidates.map { (distance(word, $0.lowercased()), $0) }.min { $0.0 < $1.0 }
    if let ranked, ranked.0 <= max(1, word.count / 3) { return ranked.1 }
    let longer = Set(candidates.filter { word.count > 1 && $0.lowercased().hasPrefix(word) })
    return longer.count == 1 ? longer.first : nil
  }

  /// The number of letters that are changed, added, left out or exchanged with the next one
  /// (Damerau and Levenshtein's distance, of letters that are exchanged once).
  private static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var rows = [Array(0...second.count)]
    for (index, letter) in first.enumerated() {
      var row = [index + 1]
      for (column, other) in second.enumerated() {
        var least = min(
          rows[index][column] + (letter == other ? 0 : 1), rows[index][column + 1] + 1,
          row[column] + 1)
        if index > 0, column > 0, letter == second[column - 1], first[index - 1] == other {
          least = min(least, rows[index - 1][column - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[first.count][second.count]
  }
}
