import Foundation
import KinemaFiles

extension Command {
  /// The options with their help, as lines of a table.
  private static var options: [(usage: String, help: String)] {
    Self().declarations.map { name, option in
      let short = shortNames[name].map { "-\($0), " } ?? ""
      return (short + "--\(name)" + (option.valueName.map { " \($0)" } ?? ""), option.help)
    } + [("-h, --help", "Show this help.")]
  }

  static var help: String {
    var text = "\(abstract)\n\nUsage: kinema \(name)\(usage.isEmpty ? "" : " ")\(usage)\n"
    if !discussion.isEmpty { text += "\n\(discussion)\n" }
    text += "\nOptions:\n"
    let width = options.map(\.usage.count).max() ?? 0
    for (usage, help) in options {
      text += "  \(usage.padded(to: width))  \(help)\n"
    }
    let parts = Application.commands.filter { $0.name.hasPrefix("\(name) ") }
    if !parts.isEmpty { text += "\n" + Application.table(of: parts, titled: "Commands:") }
    return text + "\nExamples:\n" + examples.split(separator: "\n").map { "  \($0)\n" }.joined()
  }

  /// The section of the manual page, in the language of man(7).
  fileprivate static var manual: String {
    var text = ".SS kinema \(name.roff) \(usage.roff)\n\(abstract.roff)\n"
    if !discussion.isEmpty { text += ".PP\n.nf\n\(discussion.roff)\n.fi\n" }
    for (usage, help) in options { text += ".TP\n.B \(usage.roff)\n\(help.roff)\n" }
    return text + ".PP\nExamples:\n.PP\n.nf\n\(examples.roff)\n.fi\n"
  }

  /// The name of the manual page, such as `kinema-model-info`.
  static var pageName: String { "kinema-" + name.replacing(" ", with: "-") }

  /// The command as a page of `man`, in the language of man(7).
  static var page: String {
    var text = """
      .TH \(pageName.uppercased().roff) 1 "" "kinema \(Application.version)"
      .SH NAME
      \(pageName.roff) \\- \(abstract.roff)
      .SH SYNOPSIS
      .B kinema \(name.roff)
      \(usage.roff)

      """
    if !discussion.isEmpty { text += ".SH DESCRIPTION\n.nf\n\(discussion.roff)\n.fi\n" }
    text += ".SH OPTIONS\n"
    for (usage, help) in options { text += ".TP\n.B \(usage.roff)\n\(help.roff)\n" }
    text += ".SH EXAMPLES\n.nf\n\(examples.roff)\n.fi\n"
    let others = Application.commands.filter {
      $0.name.hasPrefix("\(name) ") || name.hasPrefix("\($0.name) ")
    }
    let pages = ["kinema"] + others.map { $0.pageName }
    return text + ".SH SEE ALSO\n" + pages.map { ".BR \($0.roff) (1)\n" }.joined()
  }

  /// What can be given to the command, for other languages.
  fileprivate static var description: JSONObject {
    [
      "name": name, "abstract": abstract, "usage": usage, "discussion": discussion,
      "options": Self().optionDescriptions(),
    ]
  }
}

extension OptionGroup {
  func optionDescriptions(without others: Set<String> = []) -> [JSONObject] {
    declarations.filter { !others.contains($0.name) }.map { name, option in
      var choices: [String]?
      var kind = "\(option.kind)"
      switch option.kind {
      case .choice(let words): (choices, kind) = (words, "choice")
      case .numberOrWord(let words): (choices, kind) = (words, "number")
      default: break
      }
      return [
        "name": name, "value": option.valueName, "kind": kind, "choices": choices,
        "help": option.help,
      ]
    }
  }
}

extension Application {
  static func table(of commands: [any Command.Type], titled title: String) -> String {
    let width = commands.map { $0.name.count }.max() ?? 0
    return "\(title)\n"
      + commands.map { "  \($0.name.padded(to: width))  \($0.abstract)\n" }.joined()
  }

  /// The commands of the overview: what `kinema bench` does has a table of its own.
  static var mainCommands: [any Command.Type] {
    commands.filter { command in
      !commands.contains { command.name.hasPrefix("\($0.name) ") }
    }
  }

  static var help: String {
    """
    Kinema recognises what people do in video: poses, actions and repetitions.

    Usage: kinema COMMAND …

    \(table(of: mainCommands, titled: "Commands:"))
    Examples:
      kinema live
          Recognise, time and count actions in the browser.
      kinema synth --output people.mp4
          Render a synthetic person doing exercises, to try things out.
      kinema pose people.mp4 --output people.npz
          Extract the poses of a video for NumPy.
      kinema classify people.mp4 --model MyActions.mlmodel --annotate annotated.mp4
          Recognise the actions, and draw them on the video.
      kinema count people.mp4
          Count the repetitions of any movement.

    kinema COMMAND --help explains a command; kinema doctor checks the installation; kinema completions
    completes commands and options in a shell; kinema help --man is a manual page, kinema help --man FOLDER
    writes one for each command, and kinema help --json the commands and options for other programs.

    Defaults of options can be set in \(Settings.shownPath); see docs/settings.md.

    """
  }

  /// All commands as a page of `man`.
  static var manual: String {
    """
    .TH KINEMA 1 "" "kinema \(version)"
    .SH NAME
    kinema \\- recognises what people do in video
    .SH SYNOPSIS
    .B kinema
    COMMAND \\&...
    .SH COMMANDS
    \(commands.map { $0.manual }.joined())
    """
  }

  /// The manual pages by their file names: one of all commands, and one of each.
  static var manualPages: [String: String] {
    var index = """
      .TH KINEMA 1 "" "kinema \(version)"
      .SH NAME
      kinema \\- recognises what people do in video
      .SH SYNOPSIS
      .B kinema
      COMMAND \\&...
      .SH COMMANDS

      """
    for command in commands {
      index += ".TP\n.BR \(command.pageName.roff) (1)\n\(command.abstract.roff)\n"
    }
    index += """
      .SH FILES
      .TP
      .I $XDG_CONFIG_HOME/kinema/config.toml
      Defaults of options; without the variable ~/.config/kinema/config.toml.
      .SH SEE ALSO
      \(commands.map { ".BR \($0.pageName.roff) (1)" }.joined(separator: "\n"))

      """
    return commands.reduce(into: ["kinema.1": index]) { pages, command in
      pages["\(command.pageName).1"] = command.page
    }
  }

  /// Writes the manual pages into a folder.
  static func writeManualPages(to folder: URL) throws {
    try OutputTarget.makeFolder(folder)
    for (name, text) in manualPages {
      try WholeFile.write(Data(text.utf8), to: folder.appending(path: name))
    }
  }

  /// All commands, and the worker's jobs, with their options.
  static var description: JSONObject {
    let jobs = WorkerJobs.all.map { job -> JSONObject in
      ["name": job.name, "options": job.optionDescriptions]
    }
    return [
      "schema": 1, "version": version, "commands": commands.map { $0.description }, "jobs": jobs,
    ]
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  /// The text with the signs escaped that `man` gives a meaning.
  fileprivate var roff: String {
    replacing("\\", with: "\\e").replacing("-", with: "\\-").split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { [".", "'"].contains($0.prefix(1)) ? "\\&\($0)" : $0 }.joined(separator: "\n")
  }
}
