import Foundation
import Testing

// A short selection of what `make faults`, `make kills` and `make hostile` run.

@Suite(.serialized)
struct FaultTests {
  @Test(
    "a command whose writes fail leaves the right file or none, and says why",
    arguments: [
      ["pose-npz", "pose-annotate", "convert-onnx", "count-report", "classify-json", "train"]
    ])
  func faults(cases: [String]) throws {
    try run("Faults/faults.py", ["--points", "2", "--calls", "write,fsync,rename"] + cases)
  }

  @Test("a server whose writes fail serves on, and keeps what it has confirmed")
  func serverFaults() throws {
    try run("Faults/server_faults.py", ["--points", "1", "--calls", "write,rename"])
  }

  @Test("a command that is killed gives the same result when it is run again")
  func kills() throws { try run("Faults/kills.py", ["--moments", "4"]) }

  @Test("hostile connections lock out nobody")
  func hostile() throws {
    try run(
      "HostileClients/hostile.py",
      ["--survival", "--connections", "200", "--seconds", "3", "--rate", "3"]
        + ["idle", "half_tls", "churn", "expensive"])
  }
}

/// Runs a script of Tests.
private func run(_ script: String, _ arguments: [String]) throws {
  let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["python3", "-B", tests.appending(path: script).path] + arguments
  process.environment = ProcessInfo.processInfo.environment
    .merging(["KINEMA": Tool.executable.path]) { $1 }
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0, "\(String(decoding: output, as: UTF8.self))")
}
