import Foundation
import KinemaTestSupport
import Testing

/// Python with the packages that `make test` has fetched, or the one that `KINEMA_PYTHON` names.
private enum Python {
  private static let environment = ProcessInfo.processInfo.environment
  private static let packages: [String] = {
    let home = environment["KINEMA_HOME"].map { URL(filePath: $0) }
    let folder = (home ?? SharedData.packageRoot.appending(path: ".kinema"))
      .appending(path: "tests/share/kinema/python")
    return FileManager.default.fileExists(atPath: folder.path) ? [folder.path] : []
  }()

  static let hasPackages: Bool = {
    let process = Self.process(["-c", "import numpy, pytest, fastjsonschema"])
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return false }
    process.waitForEnd()
    return process.terminationStatus == 0
  }()

  /// Runs a program in the folder of the package; other tests continue meanwhile.
  static func run(_ arguments: String...) async throws -> (status: Int32, output: String) {
    let process = Self.process(arguments)
    let folder = try TemporaryFolder()
    let output = folder.url("output")
    try Data().write(to: output)
    let file = try FileHandle(forWritingTo: output)
    (process.standardOutput, process.standardError) = (file, file)
    try await process.finish()
    return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
  }

  private static func process(_ arguments: [String]) -> Process {
    let folder = SharedData.packageRoot.appending(path: "Python")
    let process = Process()
    process.executableURL = URL(filePath: environment["KINEMA_PYTHON"] ?? "/usr/bin/python3")
    process.arguments = ["-B"] + arguments
    process.currentDirectoryURL = folder
    process.environment = environment.merging([
      "KINEMA": Tool.executable.path, "KINEMA_TEST_CACHE": Tool.cache,
      "PYTHONPATH": ([folder.path] + packages).joined(separator: ":"),
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }
}

@Suite(
  "The Python package", .enabled(if: Python.hasPackages, "Python's pytest and NumPy are not there"))
struct PythonPackageTests {
  @Test("the tests in Python/tests pass")
  func tests() async throws {
    let (status, output) = try await Python.run(
      "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    #expect(status == 0, "\(output)")
  }
}
