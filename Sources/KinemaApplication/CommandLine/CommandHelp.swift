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
      if case .choice(let words) = option.kind { (choices, kind) = (words, "choice") }
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
    completes commands and options in a shell; kinema help --man is a manual page, kinema help --json the
    commands and options for other programs.

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
