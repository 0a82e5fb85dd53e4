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

  static let hasPackages = (try? run("-c", "import numpy, pytest, fastjsonschema"))?.status == 0

  /// Runs a program in the folder of the package.
  static func run(_ arguments: String...) throws -> (status: Int32, output: String) {
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
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}

@Suite(
  "The Python package", .enabled(if: Python.hasPackages, "Python's pytest and NumPy are not there"))
struct PythonPackageTests {
  @Test("the tests in Python/tests pass")
  func tests() throws {
    let (status, output) = try Python.run(
      "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    #expect(status == 0, "\(output)")
  }
}
