import Foundation
import Kinema

/// The user's defaults of options, from a file in TOML.
///
/// ```toml
/// precision = "fast"           # of every command that has the option
///
/// [classify]
/// model = "Workout"
/// everybody = true
/// ```
///
/// What a command line gives goes before. Of TOML 1.0 there are tables, comments, strings on one line, numbers and
/// booleans: options have no other values.
struct Settings {
  /// The most bytes of a file.
  private static let largestSize = 1 << 20

  struct Entry: Equatable {
    /// The command; `nil` for all that have the option.
    var command: String?
    var option: String
    /// As in ``WorkerRequest/Option``.
    var value: Value
    /// The line of the file, from 1.
    var line: Int
  }

  enum Value: Equatable {
    case flag(Bool)
    case text(String)
  }

  let file: String
  private(set) var entries: [Entry] = []

  /// Where the file is, whether it is there or not: `$XDG_CONFIG_HOME`, else `~/.config`.
  static func url(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL {
    // The specification of base directories ignores a path that is not absolute.
    let folder = environment["XDG_CONFIG_HOME"].flatMap {
      $0.hasPrefix("/") ? URL(filePath: $0) : nil
    }
    let home = environment["HOME"].map { URL(filePath: $0) } ?? URL(filePath: "/")
    return (folder ?? home.appending(path: ".config")).appending(path: "kinema/config.toml")
  }

  /// The place of the file as help texts name it.
  static let shownPath = "$XDG_CONFIG_HOME/kinema/config.toml (~/.config)"

  /// The user's settings; `nil` without a file.
  ///
  /// - Throws: ``CommandFailure`` where it cannot be read, or a line is wrong.
  static func user() throws -> Settings? {
    let url = url()
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    do {
      let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      guard size <= largestSize else {
        throw CommandFailure(
          .badData, "\(url.path) has more than a megabyte: it is no settings file.")
      }
      let data = try Data(contentsOf: url)
      guard let text = String(validating: data, as: UTF8.self) else {
        throw CommandFailure(.badData, "\(url.path) is not in UTF-8: save it again.")
      }
      return try Settings(text, file: url.path)
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw CommandFailure(.noInput, "\(url.path) cannot be read: check its permissions.")
    }
  }

  /// - Throws: ``CommandFailure`` with the line that is wrong.
  init(_ text: String, file: String) throws {
    self.file = file
    var command: String?
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      var rest = line.drop(while: \.isWhitespace)
      if rest.isEmpty || rest.first == "#" { continue }
      if rest.first == "[" {
        command = try table(&rest, line: index + 1)
        continue
      }
      let option = String(rest.prefix { $0.isLetter || $0.isNumber || "-_".contains($0) })
      rest = rest.dropFirst(option.count).drop(while: \.isWhitespace)
      guard !option.isEmpty, rest.first == "=" else {
        throw wrong(index + 1, "is no line such as precision = \"fast\"")
      }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      guard let value = Self.value(&rest), Self.isOver(rest) else {
        throw wrong(index + 1, "has no text in quotation marks, number, true or false after =")
      }
      entries.append(
        Entry(
          command: command, option: option.replacing("_", with: "-"), value: value, line: index + 1)
      )
    }
    try check()
  }

  private func wrong(_ line: Int, _ what: String) -> CommandFailure {
    CommandFailure(.badData, "\(file), line \(line), \(what): mend or remove it.")
  }

  private static func isOver(_ rest: Substring) -> Bool {
    let rest = rest.drop(while: \.isWhitespace)
    return rest.isEmpty || rest.first == "#"
  }

  /// The name in a line such as `[model.info]` or `["model info"]`.
  private func table(_ rest: inout Substring, line: Int) throws -> String {
    rest = rest.dropFirst()
    let name = rest.prefix { $0 != "]" }
    rest = rest.dropFirst(name.count)
    guard rest.first == "]", Self.isOver(rest.dropFirst()) else {
      throw wrong(line, "is no line such as [classify]")
    }
    return name.trimmingCharacters(in: .whitespaces).replacing("\"", with: "").replacing(
      ".", with: " ")
  }

  private static func value(_ rest: inout Substring) -> Value? {
    guard let first = rest.first else { return nil }
    if first == "'" {
      let text = rest.dropFirst().prefix { $0 != "'" }
      guard text.endIndex < rest.endIndex else { return nil }
      rest = rest[rest.index(after: text.endIndex)...]
      return .text(String(text))
    }
    if first == "\"" { return quoted(&rest).map { .text($0) } }
    let word = rest.prefix { !$0.isWhitespace && $0 != "#" }
    rest = rest.dropFirst(word.count)
    if word == "true" || word == "false" { return .flag(word == "true") }
    // TOML allows underscores between digits.
    let number = String(word.replacing("_", with: ""))
    return Double(number).flatMap { $0.isFinite ? .text(number) : nil }
  }

  private static let escapes: [Character: Character] = [
    "\"": "\"", "\\": "\\", "t": "\t", "n": "\n", "r": "\r",
  ]

  private static func quoted(_ rest: inout Substring) -> String? {
    var text = ""
    rest = rest.dropFirst()
    while let letter = rest.popFirst() {
      if letter == "\"" { return text }
      guard letter == "\\" else {
        text.append(letter)
        continue
      }
      guard let next = rest.popFirst(), let escaped = escapes[next] else { return nil }
      text.append(escaped)
    }
    return nil
  }

  /// Refuses the names of commands and options that there are not: a misspelt one would do nothing.
  private func check() throws {
    let commands = Application.commands
    for entry in entries {
      let named = entry.command.map { name in commands.filter { $0.name == name } } ?? commands
      guard !named.isEmpty else {
        let nearest = Spelling.nearest(to: entry.command ?? "", among: commands.map { $0.name })
        throw wrong(
          entry.line,
          "is of a command that there is not"
            + (nearest.map { "; did you mean [\($0)]?" } ?? ""))
      }
      let names = Set(named.flatMap { $0.init().declarations.map(\.name) })
      guard names.contains(entry.option) else {
        let nearest = Spelling.nearest(to: entry.option, among: names.sorted())
        throw wrong(
          entry.line,
          "sets \(entry.option), which is no option"
            + (entry.command.map { " of kinema \($0)" } ?? "")
            + (nearest.map { "; did you mean \($0)?" } ?? ""))
      }
    }
  }

  /// Sets what was not given, the command's own entries before those of all.
  ///
  /// - Returns: The entries that were used.
  func apply(to command: some Command) throws -> [Entry] {
    var used: [Entry] = []
    let given = Set(command.declarations.filter { $0.declaration.isGiven }.map(\.name))
    let name = type(of: command).name
    let all = entries.filter { $0.command == nil } + entries.filter { $0.command == name }
    let last = Dictionary(all.map { ($0.option, $0) }) { $1 }
    for (name, declaration) in command.declarations where !given.contains(name) {
      guard let entry = last[name] else { continue }
      do {
        switch (entry.value, declaration.valueName) {
        case (.flag(false), nil): break
        case (.flag(true), nil): try declaration.take("", for: name)
        case (.flag, .some):
          throw wrong(entry.line, "gives true or false to an option with a value")
        case (.text, nil):
          throw wrong(entry.line, "gives a value to a switch, which is true or false")
        case (.text(let text), .some): try declaration.take(text, for: name)
        }
        used.append(entry)
      } catch let error as UsageError {
        throw CommandFailure(.badData, "\(file), line \(entry.line): \(error.message)")
      }
    }
    return used
  }

  /// Where the options come from that an error names and the command line does not give; empty where none is.
  func origin(of entries: [Entry], namedIn message: String) -> String {
    entries.filter { message.contains("--\($0.option)") }.map { entry in
      let remedy =
        entry.value == .flag(true)
        ? "--\(entry.option)=false goes before it" : "remove it there for this"
      return " --\(entry.option) is from \(file), line \(entry.line); \(remedy)."
    }.joined()
  }
}
