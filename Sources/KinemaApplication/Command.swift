protocol Command: Sendable {
  /// The name, such as `model info`.
  static var name: String { get }
  /// The purpose, in one line.
  static var abstract: String { get }
  /// The operands in the usage line.
  static var operands: String { get }
  static var discussion: String { get }
  /// Example command lines, each with its meaning in the next line, indented.
  static var examples: String { get }
  /// A line for each option; see ``Option/table(_:)``.
  static var options: String { get }
  static func run(_ arguments: Arguments) async throws
}

extension Command {
  static var help: String {
    var text = "\(abstract)\n\nUsage: kinema \(name)\(operands.isEmpty ? "" : " ")\(operands)\n"
    if !discussion.isEmpty { text += "\n\(discussion)\n" }
    text += "\nOptions:\n"
    let all = Option.table(options) + [.help]
    let width = all.map(\.usage.count).max() ?? 0
    for option in all {
      let padding = String(repeating: " ", count: width - option.usage.count + 2)
      text += "  \(option.usage)\(padding)\(option.help)\n"
    }
    return text + "\nExamples:\n" + examples.split(separator: "\n").map { "  \($0)\n" }.joined()
  }
}
