import Foundation
import KinemaTestSupport
import Testing

// A short selection of what `make faults`, `make kills` and `make hostile` run.

@Suite(.serialized)
struct FaultTests {
  @Test(
    "a command whose writes fail leaves the right file or none, and says why",
    arguments: [
      ["pose-npz", "pose-annotate", "convert-onnx", "count-report", "classify-json", "train"]
    ])
  func faults(cases: [String]) async throws {
    try await run("Faults/faults.py", ["--points", "2", "--calls", "write,fsync,rename"] + cases)
  }

  @Test("of a video that cannot be read to its end no poses are kept, and the next run has all")
  func readingFaults() async throws {
    try await run("Faults/faults.py", ["--points", "16", "--calls", "read", "pose-read"])
  }

  @Test("a server whose writes fail serves on, and keeps what it has confirmed")
  func serverFaults() async throws {
    try await run("Faults/server_faults.py", ["--points", "1", "--calls", "write,rename"])
  }

  @Test("a command that is killed gives the same result when it is run again")
  func kills() async throws { try await run("Faults/kills.py", ["--moments", "2"]) }

  @Test("hostile connections lock out nobody")
  func hostile() async throws {
    try await run(
      "HostileClients/hostile.py",
      ["--survival", "--connections", "200", "--seconds", "3", "--rate", "3"]
        + ["idle", "half_tls", "churn", "expensive"])
  }
}

/// Runs a script of Tests, which mostly waits; other tests continue meanwhile.
private func run(_ script: String, _ arguments: [String]) async throws {
  let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  let folder = try TemporaryFolder()
  let output = folder.url("output")
  try Data().write(to: output)
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["python3", "-B", tests.appending(path: script).path] + arguments
  process.environment = ProcessInfo.processInfo.environment
    .merging(["KINEMA": Tool.executable.path]) { $1 }
  let file = try FileHandle(forWritingTo: output)
  (process.standardOutput, process.standardError) = (file, file)
  try await process.finish()
  #expect(
    process.terminationStatus == 0, "\((try? String(contentsOf: output, encoding: .utf8)) ?? "")")
}
