import Kinema

/// `kinema completions`: the commands and options for a shell, from their declarations.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let abstract = "Print what completes commands and options in a shell."
  static let usage = "bash|zsh|fish"
  static let discussion = ""
  static let examples = """
    kinema completions bash > ~/.local/share/bash-completion/completions/kinema
        Complete in bash from the next shell on.
    kinema completions zsh > ~/.zfunc/_kinema
        Complete in zsh, where ~/.zfunc is in fpath before compinit runs.
    kinema completions fish > ~/.config/fish/completions/kinema.fish
        Complete in fish.
    """
  @Operands(1...1, "Name the shell: bash, zsh or fish.")
  var shells: [String]

  func run() async throws {
    switch shells[0] {
    case "bash": StandardStreams.print(Self.bash)
    case "zsh": StandardStreams.print(Self.zsh)
    case "fish": StandardStreams.print(Self.fish)
    default: throw UsageError("Name the shell: bash, zsh or fish, not \(shells[0]).")
    }
  }

  private typealias Described = (name: String, option: any Declaration)

  private static func options(of command: any Command.Type) -> [Described] {
    command.init().declarations.map { ($0.name, $0.declaration) }
  }

  /// The words that can follow an option, or `nil` where files do.
  private static func words(_ option: any Declaration) -> [String]? {
    switch option.kind {
    case .choice(let words), .numberOrWord(let words): words
    case .model: BuiltInModel.allCases.map(\.rawValue)
    default: nil
    }
  }

  /// The first words of the commands, and the second ones of those that have two.
  private static var firstWords: [String] {
    Application.commands.map { String($0.name.prefix { $0 != " " }) }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } } + ["help"]
  }

  private static func secondWords(after first: String) -> [String] {
    Application.commands.filter { $0.name.hasPrefix("\(first) ") }
      .map { String($0.name.dropFirst(first.count + 1)) }
  }

  // MARK: - Shells

  private static var bash: String {
    let groups = firstWords.filter { !secondWords(after: $0).isEmpty }
    let cases = Application.commands.map { command in
      let names = (options(of: command).map { "--\($0.name)" } + ["--help"]).joined(separator: " ")
      let values = options(of: command).compactMap { name, option in
        words(option).map { "      --\(name)) words=\"\($0.joined(separator: " "))\" ;;\n" }
      }.joined()
      let choice = values.isEmpty ? "" : "    case \"$last\" in\n\(values)    esac\n"
      return "  \"\(command.name)\")\n    options=\"\(names)\"\n\(choice)    ;;\n"
    }
    return """
      # Completions of kinema for bash.
      _kinema() {
        local word="${COMP_WORDS[COMP_CWORD]}" last="${COMP_WORDS[COMP_CWORD-1]}"
        local command="${COMP_WORDS[1]}" options="" words="" seconds=""
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(firstWords.joined(separator: " "))" -- "$word"))
          return
        fi
        case "$command" in
      \(groups.map { "  \($0)) seconds=\"\(secondWords(after: $0).joined(separator: " "))\" ;;" }
        .joined(separator: "\n"))
        esac
        if [ -n "$seconds" ]; then
          case " $seconds " in *" ${COMP_WORDS[2]} "*)
            [ "$COMP_CWORD" -gt 2 ] && command="$command ${COMP_WORDS[2]}" ;;
          esac
        fi
        case "$command" in
      \(cases.joined())  esac
        if [ -n "$words" ]; then
          COMPREPLY=($(compgen -W "$words" -- "$word"))
        elif [[ "$word" == -* ]]; then
          COMPREPLY=($(compgen -W "$options" -- "$word"))
        else
          [ "$COMP_CWORD" -eq 2 ] && COMPREPLY=($(compgen -W "$seconds" -- "$word"))
          compopt -o filenames 2>/dev/null
          COMPREPLY+=($(compgen -f -- "$word"))
        fi
      }
      complete -F _kinema kinema

      """
  }

  private static var zsh: String {
    let names = firstWords.map { word in
      "    '\(word):\(escaped(abstract(of: word)))'\n"
    }
    let cases = Application.commands.map { command in
      let options = options(of: command).map { name, option in
        "      '--\(name)[\(escaped(option.help))]\(zshValue(option))' \\\n"
      }
      return "    '\(command.name)') _arguments \\\n\(options.joined())      '*:file:_files' ;;\n"
    }
    let groups = firstWords.filter { !secondWords(after: $0).isEmpty }
    return """
      #compdef kinema
      # Completions of kinema for zsh.
      _kinema() {
        local -a commands=(
      \(names.joined())  )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        local command=$words[2]
        local -a seconds
        case $command in
      \(groups.map { word in
        "    \(word)) seconds=(\(secondWords(after: word).joined(separator: " ")))" }
        .joined(separator: " ;;\n")) ;;
        esac
        if (( CURRENT == 3 && ${#seconds} )); then
          compadd -a seconds
        elif (( ${seconds[(I)$words[3]]} )); then
          command="$command $words[3]"
        fi
        case $command in
      \(cases.joined())  esac
      }
      _kinema "$@"

      """
  }

  private static func zshValue(_ option: any Declaration) -> String {
    guard let name = option.valueName else { return "" }
    switch option.kind {
    case .choice(let words), .numberOrWord(let words):
      return ":\(escaped(name)):(\(words.joined(separator: " ")))"
    case .model, .file: return ":\(escaped(name)):_files"
    case .folder: return ":\(escaped(name)):_files -/"
    default: return ":\(escaped(name)):"
    }
  }

  private static var fish: String {
    let first = firstWords.map { word in
      let seconds = secondWords(after: word)
      return
        "complete -c kinema -n __fish_use_subcommand -a \(word) -d '\(escaped(abstract(of: word)))'\n"
        + (seconds.isEmpty
          ? ""
          : "complete -c kinema -n '__fish_seen_subcommand_from \(word)' "
            + "-a '\(seconds.joined(separator: " "))'\n")
    }
    let others = Application.commands.map { command -> String in
      let parts = command.name.split(separator: " ")
      var condition = "__fish_seen_subcommand_from \(parts[0])"
      if parts.count == 2 { condition += "; and __fish_seen_subcommand_from \(parts[1])" }
      var text = ""
      for (name, option) in options(of: command) {
        let value =
          switch option.kind {
          case .switch: ""
          case .choice(let words), .numberOrWord(let words):
            " -x -a '\(words.joined(separator: " "))'"
          case .file, .folder, .model: " -r"
          default: " -x"
          }
        text +=
          "complete -c kinema -n '\(condition)' -l \(name)\(value) -d '\(escaped(option.help))'\n"
      }
      return text
    }
    return "# Completions of kinema for fish.\n" + first.joined() + others.joined()
  }

  private static func abstract(of word: String) -> String {
    if word == "help" { return "Show the help of a command." }
    let command = Application.commands.first { $0.name == word || $0.name.hasPrefix("\(word) ") }
    return command.map { $0.abstract } ?? ""
  }

  /// A text within single quotes, without the signs that zsh gives a meaning.
  private static func escaped(_ text: String) -> String {
    text.filter { !"'[]\\".contains($0) }.replacing(":", with: ",")
  }
}
