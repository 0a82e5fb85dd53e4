/// An option of a command and its help.
struct Option: Sendable {
  /// The long name without dashes, such as `model`.
  let name: String
  /// The name of the value in help texts; `nil` for a switch.
  let valueName: String?
  /// The help, in one line.
  let help: String

  init(_ name: String, value: String? = nil, _ help: String) {
    self.name = name
    valueName = value
    self.help = help
  }

  /// The option as written.
  var usage: String {
    "--\(name)" + (valueName.map { " \($0)" } ?? "")
  }

  /// The option of every command.
  static let help = Option("help", "Show this help.")
}
