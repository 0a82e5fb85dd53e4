import Foundation
import KinemaTestSupport

/// The built tool, run as a user runs it.
struct Tool {
  /// What a run gave.
  struct Result {
    let status: Int32
    let output: String
    let errors: String
  }

  /// The executable: the one `KINEMA` names, or the one beside the tests.
  static let executable: URL = {
    if let path = ProcessInfo.processInfo.environment["KINEMA"] { return URL(filePath: path) }
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appending(path: "kinema")
  }()

  /// The cache of the tests, in place of the user's: that of all test processes, if they have one.
  private static let ownCache = try? TemporaryFolder()
  static let cache =
    ProcessInfo.processInfo.environment["KINEMA_TEST_CACHE"] ?? ownCache?.url.path ?? "/nowhere"

  /// Starts the tool and does not wait for it.
  static func start(
    _ arguments: [String], environment: [String: String] = [:], input: Any? = nil,
    output: Any? = nil, errors: Any? = nil
  ) throws -> Process {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["XDG_CACHE_HOME": cache]) { $1 }
      .merging(environment) { $1 }
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = errors ?? FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Runs the tool to its end.
  @discardableResult
  static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
    try run(arguments, environment: environment)
  }

  /// Runs the tool to its end where standard output is on a full disk.
  static func runOnFullDisk(_ arguments: [String], input: Any? = nil) throws -> Result {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.url("errors"))
    let process = try start(
      arguments, input: input, output: try FileHandle(forWritingTo: URL(filePath: "/dev/full")),
      errors: try FileHandle(forWritingTo: folder.url("errors")))
    process.waitForEnd()
    return Result(
      status: process.terminationStatus, output: "",
      errors: try String(contentsOf: folder.url("errors"), encoding: .utf8))
  }

  /// Runs the tool to its end.
  @discardableResult
  static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Result {
    // Files in place of pipes: nothing can fill up.
    let folder = try TemporaryFolder()
    let outputURL = folder.url("output")
    let errorsURL = folder.url("errors")
    for url in [outputURL, errorsURL] {
      try Data().write(to: url)
    }
    let process = try start(
      arguments, environment: environment, output: try FileHandle(forWritingTo: outputURL),
      errors: try FileHandle(forWritingTo: errorsURL))
    process.waitForEnd()
    return Result(
      status: process.terminationStatus,
      output: try String(contentsOf: outputURL, encoding: .utf8),
      errors: try String(contentsOf: errorsURL, encoding: .utf8))
  }

  /// What the tool printed, as JSON.
  static func json(_ text: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }
}

extension Process {
  /// Runs the process to its end, and keeps no thread meanwhile.
  func finish() async throws {
    try await withCheckedThrowingContinuation { continuation in
      terminationHandler = { _ in continuation.resume() }
      do { try run() } catch { continuation.resume(throwing: error) }
    }
  }
}
