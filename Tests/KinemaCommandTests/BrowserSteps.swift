import Foundation
import KinemaTestSupport
import Testing

/// Scripts of `Tests/KinemaServerTests/Browser`, which operate pages in a real browser.
enum BrowserSteps {
  /// Whether the tests can drive a browser.
  static let isAvailable = ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The option with axe-core, where `make test` has fetched it.
  private static let axe: [String] = {
    let home =
      ProcessInfo.processInfo.environment["KINEMA_HOME"].map { URL(filePath: $0) }
      ?? SharedData.packageRoot.appending(path: ".kinema")
    let file = home.appending(path: "tests/share/kinema/axe.min.js")
    return FileManager.default.fileExists(atPath: file.path) ? ["--axe", file.path] : []
  }()

  /// What the browsers' cameras play, a synthetic person doing jumping jacks: the path of the Motion
  /// JPEG file.
  static func film() throws -> String { try made.get().path("person.mjpeg") }

  /// The same of another person.
  static func otherFilm() throws -> String { try madeOther.get().path("person.mjpeg") }

  private static let made = Result { try film(seed: 1) }
  private static let madeOther = Result { try film(seed: 5) }

  private static func film(seed: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let made = try Tool.run(
      "synth", "--output", folder.path("person.mp4"), "--actions", "jumping_jacks",
      "--repetitions", "20", "--seed", "\(seed)")
    try #require(made.status == 0, "\(made.errors)")
    let converter = Process()
    converter.executableURL = URL(filePath: "/usr/bin/env")
    converter.arguments = [
      "ffmpeg", "-v", "error", "-i", folder.path("person.mp4"), "-vf", "scale=640:480,fps=30",
      "-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p", folder.path("person.mjpeg"),
    ]
    try converter.run()
    converter.waitForEnd()
    try #require(converter.terminationStatus == 0)
    return folder
  }

  /// The path of a script.
  static func path(of script: String) -> String {
    SharedData.packageRoot.appending(path: "Tests/KinemaServerTests/Browser/\(script)").path
  }

  /// Runs steps of a script and expects that all of them pass; other tests continue meanwhile.
  static func expect(
    _ steps: [String], of script: String, at address: String? = nil, arguments: [String]
  ) async throws {
    let folder = try TemporaryFolder()
    let output = folder.url("steps.json")
    try Data().write(to: output)
    let pictures = SharedData.packageRoot.appending(path: ".build/live-pictures")
    let driver = Process()
    driver.executableURL = URL(filePath: "/usr/bin/python3")
    let prefix = ["-B", path(of: script)] + [address].compactMap(\.self)
    driver.arguments = prefix + ["--out", pictures.path] + axe + arguments + steps
    driver.standardOutput = try FileHandle(forWritingTo: output)
    try await driver.finish()
    let report = try Tool.json(try String(contentsOf: output, encoding: .utf8))
    let results = try #require(report["steps"] as? [[String: Any]])
    #expect(results.compactMap { $0["step"] as? String } == steps)
    for result in results {
      let (step, seconds) = (result["step"] ?? "", result["seconds"] ?? "")
      // As the runner of the tests reports a test, for its list of the slowest.
      print("Step \(step) of \(script) ended after \(seconds) seconds.")
      #expect(
        result["isPassed"] as? Bool == true,
        "\(step): \(result["message"] ?? "")")
    }
  }
}
