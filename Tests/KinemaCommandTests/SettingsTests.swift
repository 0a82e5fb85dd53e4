import Foundation
import KinemaTestSupport
import Testing

@Suite("The settings file")
struct SettingsTests {
  /// A folder with a settings file, as `XDG_CONFIG_HOME`.
  private func configured(_ text: String) throws -> (TemporaryFolder, [String: String]) {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("kinema"), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.url("kinema/config.toml"))
    return (folder, ["XDG_CONFIG_HOME": folder.url.path])
  }

  @Test("options have the defaults of the file, the command's own before those of all")
  func defaults() throws {
    let (folder, environment) = try configured(
      """
      # For all commands.
      fps = 10
      [synth]
      size = "64x48"   # small
      actions = 'squats'
      repetitions = 2
      """)
    func frames(_ words: String...) throws -> Int {
      let poses = folder.path("poses.jsonl")
      let result = try Tool.run(
        ["synth", "--poses", poses] + words, environment: environment)
      #expect(result.status == 0, "\(result.errors)")
      return try String(contentsOfFile: poses, encoding: .utf8).split(separator: "\n").count
    }
    let slow = try frames()
    let fast = try frames("--fps", "20")
    #expect(slow > 5 && abs(fast - 2 * slow) <= 2)
    let first = try String(contentsOfFile: folder.path("poses.jsonl"), encoding: .utf8)
      .split(separator: "\n").first
    #expect(first?.contains("\"size\":[64,48]") == true)
  }

  @Test("switches are true or false, and doctor names the file")
  func switches() throws {
    let (folder, environment) = try configured("[synth]\nlist = true\n")
    #expect(try Tool.run("synth", environment: environment).output.contains("squats"))
    let doctor = try Tool.run("doctor", environment: environment).output
    #expect(doctor.contains("Settings: \(folder.url.path)/kinema/config.toml\n"))
    let none = try Tool.run("doctor", environment: ["XDG_CONFIG_HOME": "/nowhere"]).output
    #expect(none.contains("Settings: /nowhere/kinema/config.toml (not there)"))
  }

  @Test("what the command line gives goes before, and what does not go with it is named")
  func conflicts() throws {
    let (folder, environment) = try configured("[classify]\n\neverybody = true\n")
    let poses = folder.path("squats.npz")
    try Tool.run("synth", "--poses", poses, "--actions", "squats", "--repetitions", "1")
    let refused = try Tool.run(["classify", poses, "--person", "1"], environment: environment)
    #expect(refused.status == 64)
    #expect(
      refused.errors.contains(
        "--everybody is from \(folder.path("kinema/config.toml")), line 3; "
          + "--everybody=false goes before it."), "\(refused.errors)")
    let words = ["classify", poses, "--person", "1", "--everybody=false"]
    let result = try Tool.run(words, environment: environment)
    #expect(result.status == 0, "\(result.errors)")
    let wrong = try Tool.run("classify", poses, "--everybody=3")
    #expect(wrong.status == 64 && wrong.errors.contains("takes no value but true or false, not 3"))
  }

  @Test(
    "what is wrong is named with its line",
    arguments: [
      ("fps = ", "line 1, has no text"), ("fps 10", "line 1, is no line"),
      ("\n[synht]\nfps = 10", "did you mean [synth]?"), ("[synth]\nfsp = 10", "did you mean fps?"),
      ("persoms = 2", "did you mean persons?"),
      ("[synth]\nfps = \"fast\"", "line 2: --fps takes a number"),
      ("[synth]\nfps = true", "true or false to an option"),
      ("[synth]\nlist = 3", "a value to a switch"),
      ("[synth", "no line such as [classify]"), ("[synth]\nactions = \"a", "has no text"),
      ("[synth]\nfps = 10 20", "has no text"),
    ])
  func refusals(text: String, words: String) throws {
    let (folder, environment) = try configured(text)
    let result = try Tool.run("synth", "--poses", folder.path("a.npz"), environment: environment)
    #expect(result.status == 65)
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(result.errors.contains("config.toml"))
  }
}
