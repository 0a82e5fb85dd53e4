/// An option of a command, as it is written and explained.
struct Option: Sendable {
  /// The long name without dashes, such as `model`.
  let name: String
  /// What stands for the value in help texts; `nil` for a switch.
  let valueName: String?
  /// What the option does, in one line.
  let help: String

  init(_ name: String, value: String? = nil, _ help: String) {
    self.name = name
    valueName = value
    self.help = help
  }

  /// How the option is written.
  var usage: String {
    "--\(name)" + (valueName.map { " \($0)" } ?? "")
  }

  /// The option that every command has.
  static let help = Option("help", "Show this help.")
}
