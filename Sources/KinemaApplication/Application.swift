import Foundation
import Glibc
import Kinema
import KinemaFiles
import KinemaServer

/// The commands of `kinema`: finds the one that the words of a command line name, and runs it.
package enum Application {
  static let version = "0.1.0"
  static let commands: [any Command.Type] = [
    LiveCommand.self, StudioCommand.self, ClassifyCommand.self, CountCommand.self,
    CoachCommand.self, AnglesCommand.self, AssessCommand.self, WatchCommand.self, PoseCommand.self,
    ExtractCommand.self,
    TrainCommand.self, EvaluateCommand.self, ModelInfoCommand.self, ModelConvertCommand.self,
    ModelMakeCommand.self, WorkerCommand.self, SynthCommand.self, BenchCommand.self,
    ClipsBenchCommand.self, HardPosesBenchCommand.self, PoseErrorsBenchCommand.self,
    RoomsBenchCommand.self,
    PeopleBenchCommand.self,
    TrainingBenchCommand.self, FewShotBenchCommand.self, CountingBenchCommand.self,
    FormBenchCommand.self, FallBenchCommand.self, EntrancesBenchCommand.self,
    PostureBenchCommand.self, StressBenchCommand.self,
    RealPeopleBenchCommand.self, DepthBenchCommand.self, AssessBenchCommand.self,
    DoctorCommand.self, CompletionsCommand.self,
  ]

  /// Runs the command of this process's arguments and exits with its status.
  package static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    if words == [MediaChildren.argument] {
      _exit(MediaChild.run(checks: [ModelCheck.name: ModelCheck.run]))
    }
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
    if ["--version", "-V"].contains(first) { return StandardStreams.print("kinema \(version)\n") }
    if words == ["help", "--man"] { return StandardStreams.print(manual) }
    if words.count == 3, words.prefix(2) == ["help", "--man"] {
      return try writeManualPages(to: URL(filePath: words[2]))
    }
    if words == ["help", "--json"] { return StandardStreams.print(try description.jsonText()) }
    if first == "help" { return try await run(Array(words.dropFirst()) + ["--help"]) }
    let words = BenchCommand.modern(words)
    guard let command = command(for: words) else {
      let parts = commands.filter { $0.name.hasPrefix("\(first) ") }
      guard parts.isEmpty || words.count > 1 && words[1] != "--help" && words[1] != "-h" else {
        return StandardStreams.print(parts.map { $0.help }.joined(separator: "\n"))
      }
      let given = parts.isEmpty ? first : "\(first) \(words[1])"
      let names =
        parts.isEmpty
        ? commands.map { String($0.name.prefix { $0 != " " }) } : parts.map { $0.name }
      let nearest = Spelling.nearest(to: given, among: names)
      throw UsageError(
        "There is no command \(given)"
          + (nearest.map { "; did you mean kinema \($0)?" } ?? "; see kinema --help."))
    }
    let rest = words.dropFirst(command.name.split(separator: " ").count)
    if rest.contains("--help") || rest.contains("-h") { return StandardStreams.print(command.help) }
    do {
      let command = command.init()
      try command.take(Array(rest))
      try await run(command, by: Settings.user())
    } catch let error as UsageError {
      throw UsageError("\(error.message) See kinema \(command.name) --help.")
    }
  }

  private static func run(_ command: some Command, by settings: Settings?) async throws {
    let used = try settings?.apply(to: command) ?? []
    do {
      try await command.run()
    } catch let error as UsageError {
      throw UsageError(
        error.message + (settings?.origin(of: used, namedIn: error.message) ?? ""))
    }
  }

  private static func command(for words: [String]) -> (any Command.Type)? {
    commands.first { Array(words.prefix(2)).joined(separator: " ") == $0.name }
      ?? commands.first { words.first == $0.name }
  }
}
