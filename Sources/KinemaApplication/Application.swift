import Foundation
import Glibc
import Kinema

/// The commands of `kinema`: finds the one that the words of a command line name, and runs it.
package enum Application {
  static let version = "0.1.0"
  static let commands: [any Command.Type] = [
    LiveCommand.self, StudioCommand.self, ClassifyCommand.self, CountCommand.self,
    CoachCommand.self, WatchCommand.self, PoseCommand.self, ExtractCommand.self,
    TrainCommand.self, EvaluateCommand.self, ModelInfoCommand.self, ModelConvertCommand.self,
    ModelMakeCommand.self, WorkerCommand.self,
    SynthCommand.self, BenchCommand.self, DoctorCommand.self,
  ]

  /// Runs the command of this process's arguments and exits with its status.
  package static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    // A closed pipe (`| head`) must not end the process by a signal.
    signal(SIGPIPE, SIG_IGN)
    let work = Task { try await run(words) }
    let interruption = Interruption { work.cancel() }
    do {
      try await work.value
      try StandardStreams.close()
      end(.done)
    } catch is ClosedOutput {
      end(.done)
    } catch {
      StandardStreams.finishProgress()
      var failure = CommandFailure(error)
      // Commands that can resume print their own message.
      if interruption.hasHappened, !(error is CommandFailure && failure.status == .interrupted) {
        failure = CommandFailure(.interrupted, "Interrupted; no partial files were left behind.")
      }
      StandardStreams.printMessage("kinema: \(failure.message)")
      end(failure.status)
    }
  }

  /// Exits without the libraries' clean-up, which crashes while other threads still use them.
  private static func end(_ status: ExitStatus) -> Never {
    StandardStreams.flush()
    _exit(status.rawValue)
  }

  private static func run(_ words: [String]) async throws {
    guard let first = words.first, first != "--help", first != "-h", words != ["help"] else {
      return StandardStreams.print(help)
    }
    if first == "--version" { return StandardStreams.print("kinema \(version)\n") }
    if first == "help" { return try await run(Array(words.dropFirst()) + ["--help"]) }
    guard let command = command(for: words) else {
      if commands.contains(where: { $0.name.hasPrefix("\(first) ") }) {
        return StandardStreams.print(help(forGroup: first))
      }
      let names = commands.map { String($0.name.prefix { $0 != " " }) }
      let nearest = Arguments.nearest(to: first, among: names)
      throw UsageError(
        "There is no command \(first)"
          + (nearest.map { "; did you mean kinema \($0)?" } ?? "; see kinema --help."))
    }
    let rest = words.dropFirst(command.name.split(separator: " ").count)
    if rest.contains("--help") || rest.contains("-h") { return StandardStreams.print(command.help) }
    do {
      try await command.run(try Arguments(Array(rest), options: Option.table(command.options)))
    } catch let error as UsageError {
      throw UsageError("\(error.message) See kinema \(command.name) --help.")
    }
  }

  private static func command(for words: [String]) -> (any Command.Type)? {
    commands.first { Array(words.prefix(2)).joined(separator: " ") == $0.name }
      ?? commands.first { words.first == $0.name }
  }

  private static func help(forGroup group: String) -> String {
    commands.filter { $0.name.hasPrefix("\(group) ") }.map { $0.help }.joined(separator: "\n")
  }

  static var help: String {
    var text = """
      Kinema recognises what people do in video: poses, actions and repetitions.

      Usage: kinema COMMAND …

      Commands:

      """
    let width = commands.map { $0.name.count }.max() ?? 0
    for command in commands {
      let padding = String(repeating: " ", count: width - command.name.count + 2)
      text += "  \(command.name)\(padding)\(command.abstract)\n"
    }
    text += """

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

      kinema COMMAND --help explains a command; kinema doctor checks the installation.

      """
    return text
  }
}
