import Foundation
import KinemaTestSupport
import Testing

@Suite("kinema live", .serialized)
struct LiveCommandTests {
  /// Whether the tests can drive a browser.
  static let hasBrowser = ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Steps whose results depend on the machine's load, or that are for visual inspection.
  static let steps = [
    "permission", "overlay", "hands", "label", "count", "summary", "camera", "reconnect",
    "model", "challenge", "pause", "lock", "settings", "history", "access", "slow", "two",
  ]

  @Test("the page does what it says in a real browser", .enabled(if: hasBrowser, "no Chromium"))
  func browser() async throws {
    let folder = try TemporaryFolder()
    // A film of the camera's: a synthetic person doing jumping jacks.
    let made = try Tool.run(
      "synth", "--output", folder.path("person.mp4"), "--actions", "jumping_jacks",
      "--repetitions", "20")
    try #require(made.status == 0, "\(made.errors)")
    try Self.run(
      "ffmpeg", "-v", "error", "-i", folder.path("person.mp4"), "-vf", "scale=640:480,fps=30",
      "-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p", folder.path("person.mjpeg"))
    let server = try LiveServerProcess()
    let output = folder.url("steps.json")
    try Data().write(to: output)
    let script = SharedData.packageRoot.appending(
      path: "Tests/KinemaServerTests/Browser/drive.py")
    let pictures = SharedData.packageRoot.appending(path: ".build/live-pictures")
    let driver = Process()
    driver.executableURL = URL(filePath: "/usr/bin/python3")
    driver.arguments =
      [
        "-B", script.path, server.address, "--camera", folder.path("person.mjpeg"), "--label",
        "Jumping Jacks", "--out", pictures.path,
      ] + Self.steps
    driver.standardOutput = try FileHandle(forWritingTo: output)
    // Other tests continue meanwhile.
    try await withCheckedThrowingContinuation { continuation in
      driver.terminationHandler = { _ in continuation.resume() }
      do { try driver.run() } catch { continuation.resume(throwing: error) }
    }
    let report = try Tool.json(try String(contentsOf: output, encoding: .utf8))
    let results = try #require(report["steps"] as? [[String: Any]])
    #expect(results.compactMap { $0["step"] as? String } == Self.steps)
    for result in results {
      #expect(
        result["isPassed"] as? Bool == true,
        "\(result["step"] ?? ""): \(result["message"] ?? "")")
    }
    #expect(server.end() == 0)
  }

  @Test("Ctrl-C ends the server in good order, and the history is there at the next start")
  func ending() throws {
    let first = try LiveServerProcess()
    #expect(try first.get("healthz").contains(#""status":"ok""#))
    #expect(try first.get("metrics").contains("kinema_"))
    #expect(try first.get("api/v1/info").contains(#""id":"synthetic""#))
    #expect(first.end() == 0)
    let second = try LiveServerProcess(data: first.data)
    #expect(try second.get("api/v1/history").contains(#""total":"#))
    #expect(second.end(with: SIGTERM) == 0)
  }

  @Test("other computers need TLS and the token that is printed")
  func elsewhere() throws {
    let server = try LiveServerProcess(["--host", "0.0.0.0"])
    #expect(server.address.hasPrefix("https://"))
    let token = try #require(server.address.split(separator: "=").last)
    #expect(token.count >= 32)
    #expect(server.end() == 0)
  }

  @Test(
    "errors are reported in one sentence",
    arguments: [
      (["--port", "70000"], 64, "--port"),
      (["--certificate", "there.pem"], 64, "--certificate and --key go together"),
      (["missing.mp4"], 66, "missing.mp4"),
      (["gopher://somewhere/"], 66, "gopher"),
      (["--model", "missing.mlmodel"], 64, "missing.mlmodel"),
    ] as [([String], Int32, String)])
  func refusals(arguments: [String], status: Int32, words: String) throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run(["live", "--data", folder.path("data")] + arguments)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains(words))
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }

  private static func run(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}
