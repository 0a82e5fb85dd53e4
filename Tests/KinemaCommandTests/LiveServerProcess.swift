import Foundation
import KinemaTestSupport
import Testing

/// A running `kinema live` with a data folder of its own.
final class LiveServerProcess {
  /// Its address, as it printed it.
  let address: String
  /// Where it keeps its history.
  let data: TemporaryFolder
  private let process: Process

  /// Starts a server on a free port and waits for its address.
  init(
    _ arguments: [String] = [], environment: [String: String] = [:], data: TemporaryFolder? = nil
  ) throws {
    self.data = try data ?? TemporaryFolder()
    let output = self.data.url("output")
    for url in [output, self.data.url("errors")] { try Data().write(to: url) }
    let process = try Tool.start(
      ["live", "--port", "0", "--data", self.data.path("data")] + arguments,
      environment: environment, output: try FileHandle(forWritingTo: output),
      errors: try FileHandle(forWritingTo: self.data.url("errors")))
    self.process = process
    var line = ""
    eventually(within: 600, every: 0.1) {
      line = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
      return line.hasSuffix("\n") || !process.isRunning
    }
    address = try #require(
      line.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix("http") }.map(String.init),
      "The server printed no address: \(line)")
  }

  /// What it has written on standard error.
  var errors: String { (try? String(contentsOf: data.url("errors"), encoding: .utf8)) ?? "" }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Asks the server to end, as Ctrl-C does.
  ///
  /// - Returns: Its exit status.
  func end(with signal: Int32 = SIGINT) -> Int32 {
    kill(process.processIdentifier, signal)
    process.waitForEnd()
    return process.terminationStatus
  }

  /// What a GET of a path gives; only the status where it is refused.
  func get(_ path: String) throws -> String { try ask("GET", path) }

  /// What a request gives; only the status where it is refused.
  func ask(_ method: String, _ path: String) throws -> String {
    let client = Process()
    let output = data.url(UUID().uuidString)
    try Data().write(to: output)
    client.executableURL = URL(filePath: "/usr/bin/env")
    client.arguments = [
      "python3", "-c",
      """
      import ssl, sys, urllib.request, urllib.error
      context = ssl.create_default_context()
      context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
      request = urllib.request.Request(sys.argv[1], method=sys.argv[2])
      if request.method != "GET": request.data = b""
      try: print(urllib.request.urlopen(request, context=context, timeout=60).read().decode())
      except urllib.error.HTTPError as error: print(error.code)
      """, address.split(separator: "?")[0].description + path, method,
    ]
    client.standardOutput = try FileHandle(forWritingTo: output)
    try client.run()
    client.waitForEnd()
    return try String(contentsOf: output, encoding: .utf8)
  }
}
