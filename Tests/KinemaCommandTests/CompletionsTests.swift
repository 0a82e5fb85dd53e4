import Foundation
import KinemaTestSupport
import Testing

@Suite("What the declarations of the options give")
struct CompletionsTests {
  /// What bash offers for the last of the words.
  private func offered(_ words: String...) throws -> [String] {
    let script = """
      source <('\(Tool.executable.path)' completions bash)
      COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
      _kinema; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["--norc", "-c", script]
    process.currentDirectoryURL = SharedData.packageRoot
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitForEnd()
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("bash completes commands, options and their values, and else names of files")
  func bash() throws {
    #expect(try offered("kinema", "cl") == ["classify"])
    #expect(try offered("kinema", "model", "con") == ["convert"])
    #expect(try offered("kinema", "count", "--pa") == ["--pairs"])
    #expect(try offered("kinema", "model", "convert", "x", "--ou") == ["--output"])
    #expect(try offered("kinema", "bench", "people", "--ki") == ["--kind"])
    #expect(try offered("kinema", "bench", "people", "--kind", "gr") == ["groups"])
    #expect(try offered("kinema", "count", "--method", "") == ["auto", "network", "signal"])
    #expect(try offered("kinema", "train", "--from", "Ex") == ["Exercise"])
    #expect(try offered("kinema", "pose", "README") == ["README.md"])
  }

  @Test("zsh and fish know every option", arguments: ["zsh", "fish"])
  func otherShells(_ shell: String) throws {
    let text = try Tool.run("completions", shell).output
    for (command, option) in try options() {
      let spelled = shell == "zsh" ? "'--\(option)[" : " -l \(option) "
      #expect(text.contains(spelled), "\(command) --\(option)")
    }
    guard
      let path = ["/usr/bin", "/bin"].map({ "\($0)/\(shell)" })
        .first(where: FileManager.default.isExecutableFile(atPath:))
    else { return }
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: folder.url("kinema"))
    let process = try Process.run(URL(filePath: path), arguments: ["-n", folder.path("kinema")])
    process.waitForEnd()
    #expect(process.terminationStatus == 0)
  }

  @Test("a shell that is not known ends with status 64")
  func unknown() throws {
    let result = try Tool.run("completions", "tcsh")
    #expect(result.status == 64 && result.errors.contains("bash, zsh or fish"))
  }

  private func options() throws -> [(command: String, option: String)] {
    let commands = try #require(
      Tool.json(Tool.run("help", "--json").output)["commands"] as? [[String: Any]])
    return try commands.flatMap { command in
      let options = try #require(command["options"] as? [[String: Any]])
      return try options.map {
        (try #require(command["name"] as? String), try #require($0["name"] as? String))
      }
    }
  }

  @Test("help names each option and all words that it takes, in lines that fit a terminal")
  func help() throws {
    let commands = try #require(
      Tool.json(Tool.run("help", "--json").output)["commands"] as? [[String: Any]])
    #expect(commands.count > 20)
    for command in commands {
      let name = try #require(command["name"] as? String)
      let help = try Tool.run(name.split(separator: " ").map(String.init) + ["--help"]).output
      #expect(help.split(separator: "\n").allSatisfy { $0.count <= 110 }, "\(name)")
      for option in try #require(command["options"] as? [[String: Any]]) {
        let spelled = try #require(option["name"] as? String)
        let line = help.split(separator: "\n").first {
          $0.hasPrefix("  --\(spelled) ") || $0.hasPrefix("  -o, --\(spelled) ")
        }
        let text = try #require(line, "\(name) --\(spelled)")
        for word in option["choices"] as? [String] ?? [] where option["value"] as? String != "KIND"
        {
          #expect(text.contains(word), "\(name) --\(spelled) \(word)")
        }
      }
    }
  }

  @Test("each command has a manual page, which groff reads without a warning")
  func manualPages() throws {
    let folder = try TemporaryFolder()
    #expect(try Tool.run("help", "--man", folder.path("man")).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("man"))
    let commands = try #require(
      Tool.json(Tool.run("help", "--json").output)["commands"] as? [[String: Any]])
    #expect(names.count == commands.count + 1)
    #expect(names.contains("kinema.1") && names.contains("kinema-model-info.1"))
    let page = try String(contentsOfFile: folder.path("man/kinema-pose.1"), encoding: .utf8)
    #expect(page.hasPrefix(".TH KINEMA\\-POSE 1") && page.contains(".B \\-\\-persons N"))
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/groff") else { return }
    for name in names {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/groff")
      process.arguments = ["-man", "-ww", "-Kutf8", "-Tutf8", folder.path("man/\(name)")]
      let errors = folder.url("errors")
      try Data().write(to: errors)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
      process.waitForEnd()
      #expect(try Data(contentsOf: errors).isEmpty, "\(name)")
    }
  }

  @Test("the manual page is in the language of man")
  func manual() throws {
    let page = try Tool.run("help", "--man").output
    #expect(page.hasPrefix(".TH KINEMA 1"))
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/groff") else { return }
    let folder = try TemporaryFolder()
    try Data(page.utf8).write(to: folder.url("kinema.1"))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/groff")
    process.arguments = ["-man", "-ww", "-Kutf8", "-Tutf8", folder.path("kinema.1")]
    let (output, errors) = (Pipe(), folder.url("errors"))
    try Data().write(to: errors)
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitForEnd()
    #expect(process.terminationStatus == 0)
    #expect(try Data(contentsOf: errors).isEmpty)
    #expect(text.contains("kinema bench people"))
  }

  @Test(
    "a benchmark takes its own options only, also in the spelling of earlier versions",
    arguments: [
      (["bench", "falls", "--kind", "groups"], "There is no option --kind"),
      (["bench", "--falls", "--kind", "groups"], "There is no option --kind"),
      (["bench", "counting", "--rules", "x"], "There is no option --rules"),
      (["bench", "training"], "stgcn or tcn"),
    ])
  func ownOptions(_ words: [String], _ hint: String) throws {
    let result = try Tool.run(words)
    #expect(result.status == 64 && result.errors.contains(hint), "\(result.errors)")
  }

  @Test("the spelling of earlier versions gives the same figures")
  func earlierSpelling() throws {
    let old = try Tool.run("bench", "--form", "--sequences", "2", "--format", "json")
    let new = try Tool.run("bench", "form", "--sequences", "2", "--format=json")
    #expect(new.status == 0)
    let (first, second) = try (Tool.json(old.output), Tool.json(new.output))
    #expect(!first.isEmpty && first as NSDictionary == second as NSDictionary)
    for (layout, status) in [("auto", 66), ("automatic", 66), ("automatik", 64)] as [(_, Int32)] {
      let result = try Tool.run("train", "/nonexistent", "--check", "--layout", layout)
      #expect(result.status == status, "\(layout): \(result.errors)")
    }
  }
}
