struct Option: Sendable {
  /// The long name without dashes, such as `model`.
  let name: String
  /// The name of the value in help texts; `nil` for a switch.
  let valueName: String?
  let help: String

  /// The option as written.
  var usage: String { "--\(name)" + (valueName.map { " \($0)" } ?? "") }

  /// The option of every command.
  static let help = Option(name: "help", valueName: nil, help: "Show this help.")

  /// Reads lines such as `--output FILE  The file to write.`; two spaces precede the help.
  static func table(_ text: String) -> [Option] {
    text.split(separator: "\n").map { line in
      let help = line.firstRange(of: "  ") ?? line.endIndex..<line.endIndex
      let words = line[..<help.lowerBound].dropFirst(2).split(separator: " ", maxSplits: 1)
      return Option(
        name: words.first.map(String.init) ?? "",
        valueName: words.dropFirst().first.map(String.init), help: String(line[help.upperBound...]))
    }
  }
}
