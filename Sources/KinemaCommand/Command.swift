/// A command of the tool.
protocol Command: Sendable {
  /// The word or words that call it, such as `model info`.
  static var name: String { get }
  /// What it does, in one line.
  static var abstract: String { get }
  /// What is written behind the name.
  static var operands: String { get }
  /// How it behaves, beyond what the options say.
  static var discussion: String { get }
  /// Command lines to start from, with what they do.
  static var examples: [(line: String, meaning: String)] { get }
  /// The options it knows.
  static var options: [Option] { get }
  /// Does the work.
  static func run(_ arguments: Arguments) async throws
}

extension Command {
  /// The text that `--help` shows.
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
