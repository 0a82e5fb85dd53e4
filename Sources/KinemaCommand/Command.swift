/// A command of `kinema`.
protocol Command: Sendable {
  /// The name, such as `model info`.
  static var name: String { get }
  /// The purpose, in one line.
  static var abstract: String { get }
  /// The operands in the usage line.
  static var operands: String { get }
  /// The description.
  static var discussion: String { get }
  /// Example command lines and what they do.
  static var examples: [(line: String, meaning: String)] { get }
  static var options: [Option] { get }
  /// Runs the command.
  static func run(_ arguments: Arguments) async throws
}

extension Command {
  /// The text of `--help`.
  static var help: String {
    var text = "\(abstract)\n\nUsage: kinema \(name) \(operands)\n"
    if !discussion.isEmpty { text += "\n\(discussion)\n" }
    text += "\nOptions:\n"
    let all = options + [.help]
    let width = all.map(\.usage.count).max() ?? 0
    for option in all {
      let padding = String(repeating: " ", count: width - option.usage.count + 2)
      text += "  \(option.usage)\(padding)\(option.help)\n"
    }
    text += "\nExamples:\n"
    for example in examples {
      text += "  \(example.line)\n      \(example.meaning)\n"
    }
    return text
  }
}
