import Foundation

/// A simulated camera that answers as ONVIF devices do, `Tests/Cameras/onvif_device.py`; it ends with this object.
package final class OnvifDevice: @unchecked Sendable {
  /// Whether one can be simulated.
  package static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

  /// Its port for probes and requests, on the loopback interface.
  package let port: Int
  private let folder: TemporaryFolder
  private let process: Process

  /// Starts a camera and waits until it answers.
  ///
  /// - Parameter password: What it asks the user “viewer” for; empty for nothing.
  package init(password: String) throws {
    let (folder, process) = (try TemporaryFolder(), Process())
    let file = folder.url("port")
    let script = SharedData.packageRoot.appending(path: "Tests/Cameras/onvif_device.py")
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [script.path, file.path, password]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Until the camera has written it, there is no file.
    func port() -> Int? {
      (try? String(contentsOf: file, encoding: .utf8)).flatMap {
        $0.hasSuffix("\n") ? Int($0.dropLast()) : nil
      }
    }
    eventually { port() != nil || !process.isRunning }
    guard let port = port() else {
      throw Command.Failure(description: "onvif_device.py ended with \(process.terminationStatus)")
    }
    (self.port, self.folder, self.process) = (port, folder, process)
  }

  deinit { process.endAtOnce() }
}
