import Foundation
import KinemaTestSupport
import Testing

/// Programs that a test starts, and ends with it.
final class Helpers: @unchecked Sendable {
  static let mosquitto = "/usr/sbin/mosquitto"
  static let hasMosquitto = [mosquitto, "/usr/bin/mosquitto_sub", "/usr/bin/python3"]
    .allSatisfy(FileManager.default.isExecutableFile)
  static let reason: Comment = "mosquitto and mosquitto-clients are not installed"
  static let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
  static let hasOpenSSL = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  let folder: TemporaryFolder
  private var processes: [Process] = []

  init() throws { folder = try TemporaryFolder() }

  deinit {
    for process in processes { process.endAtOnce() }
  }

  func start(
    _ path: String, _ arguments: [String], output: String? = nil, in namespace: Namespace? = nil
  ) throws -> Process {
    let process = Process()
    // The threads of tests block signals, and their children would.
    let unblocked =
      "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); "
      + "os.execv(sys.argv[1], sys.argv[1:])"
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments =
      ["-c", unblocked] + (namespace?.command ?? []) + [path] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    if let output {
      try Data().write(to: folder.url(output))
      process.standardOutput = try FileHandle(forWritingTo: folder.url(output))
    }
    try process.run()
    processes.append(process)
    return process
  }

  static func end(_ process: Process, by signal: Int32 = SIGTERM) {
    kill(process.processIdentifier, signal)
    process.waitForEnd()
  }

  /// A broker that keeps its sessions on disk, and accepts connections.
  func broker(
    port: Int, settings: String = "", in namespace: Namespace? = nil
  ) async throws -> Process {
    let file = folder.url("mosquitto.conf")
    try Data(
      """
      listener \(port) \(namespace == nil ? "127.0.0.1" : "0.0.0.0")
      allow_anonymous true
      persistence true
      persistence_location \(folder.url.path)/
      autosave_interval 1
      user root
      \(settings)

      """.utf8
    ).write(to: file)
    let process = try start(Self.mosquitto, ["-c", file.path], in: namespace)
    try #require(await Self.wait { Self.isOpen(port, at: namespace?.address) })
    return process
  }

  /// Writes the messages of a topic to a file; the broker keeps what comes while it is away.
  func subscribe(
    _ topic: String, port: Int, output: String, options: [String] = [],
    isNew: Bool = true, in namespace: Namespace? = nil
  ) throws {
    let arguments =
      ["-h", "127.0.0.1", "-p", "\(port)", "-i", "test", "-c", "-q", "2", "-t", topic] + options
    if isNew {
      let first = try start("/usr/bin/mosquitto_sub", arguments + ["-E"], in: namespace)
      first.waitForEnd()
      try #require(first.terminationStatus == 0)
    }
    _ = try start("/usr/bin/mosquitto_sub", arguments, output: output, in: namespace)
  }

  /// A certificate authority, and a certificate of it for this machine.
  ///
  /// - Returns: The authority's file, and the settings of a broker that has the certificate.
  func certificate(_ name: String) throws -> (authority: String, settings: String) {
    let (authority, own) = (folder.path("\(name)-ca"), folder.path(name))
    let extensions = folder.url("\(name).ext")
    try Data("subjectAltName = DNS:localhost, IP:127.0.0.1".utf8).write(to: extensions)
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    let outputs = [
      ["-keyout", "\(authority).key", "-out", "\(authority).pem", "-subj", "/CN=\(name) CA"],
      ["-keyout", "\(own).key", "-out", "\(own).csr", "-subj", "/CN=localhost"],
    ]
    let signing = [
      "x509", "-req", "-in", "\(own).csr", "-CA", "\(authority).pem", "-CAkey", "\(authority).key",
      "-CAcreateserial", "-out", "\(own).pem", "-extfile", extensions.path,
    ]
    for arguments in [["req", "-x509"] + key + outputs[0], ["req"] + key + outputs[1], signing] {
      let process = try start("/usr/bin/openssl", arguments)
      process.waitForEnd()
      try #require(process.terminationStatus == 0)
    }
    return ("\(authority).pem", "certfile \(own).pem\nkeyfile \(own).key")
  }

  /// Passes connections on until it is ended: the network between sender and receiver.
  func network(from port: Int, to other: Int) async throws -> Process {
    let process = try python(
      """
      import socket, threading, sys
      def pump(a, b):
          try:
              while (data := a.recv(65536)):
                  b.sendall(data)
          except OSError: pass
          for s in (a, b):
              try: s.shutdown(socket.SHUT_RDWR)
              except OSError: pass
      server = socket.socket()
      server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      server.bind(("127.0.0.1", \(port))); server.listen()
      while True:
          one, _ = server.accept()
          try: other = socket.create_connection(("127.0.0.1", \(other)))
          except OSError: one.close(); continue
          for pair in ((one, other), (other, one)):
              threading.Thread(target=pump, args=pair, daemon=True).start()
      """)
    try #require(await Self.wait { Self.isOpen(port) })
    return process
  }

  /// A web server that writes each body it acknowledges as a line with its signature; it fails the
  /// first requests.
  func webServer(
    port: Int, failures: Int, output: String, in namespace: Namespace? = nil
  ) async throws -> Process {
    let process = try python(
      """
      import http.server, sys
      failures = \(failures)
      class Handler(http.server.BaseHTTPRequestHandler):
          def do_POST(self):
              global failures
              body = self.rfile.read(int(self.headers["content-length"])).decode()
              failures -= 1
              if failures >= 0: return self.send_error(503)
              with open("\(folder.path(output))", "a") as file:
                  file.write("%s %s %s\\n" % (self.headers["x-kinema-timestamp"],
                      self.headers["x-kinema-signature"], body))
              self.send_response(204); self.end_headers()
          def log_message(self, *arguments): pass
      http.server.ThreadingHTTPServer.allow_reuse_address = True
      http.server.ThreadingHTTPServer(("", \(port)), Handler).serve_forever()
      """, in: namespace)
    try #require(await Self.wait { Self.isOpen(port, at: namespace?.address) })
    return process
  }

  func python(_ program: String, in namespace: Namespace? = nil) throws -> Process {
    try start("/usr/bin/python3", ["-c", program], in: namespace)
  }

  func lines(_ name: String) -> [String] {
    let text = (try? String(contentsOf: folder.url(name), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// Waits for a condition, at most two minutes or as many as are given.
  static func wait(minutes: Int = 2, for condition: () -> Bool) async -> Bool {
    for _ in 0..<1200 * minutes {
      if condition() { return true }
      try? await Task.sleep(for: .milliseconds(50))
    }
    return false
  }

  /// A port that was free a moment ago.
  static func freePort() -> Int {
    withSocket(port: 0) { descriptor, address, length in
      var length = length
      _ = bind(descriptor, address, length)
      _ = getsockname(descriptor, address, &length)
    }.port
  }

  /// Whether a port accepts connections, of this machine unless an address is given.
  static func isOpen(_ port: Int, at address: String? = nil) -> Bool {
    withSocket(address ?? "127.0.0.1", port: port) { connect($0, $1, $2) == 0 }.result
  }

  private static func withSocket<R>(
    _ place: String = "127.0.0.1", port: Int,
    _ body: (Int32, UnsafeMutablePointer<sockaddr>, socklen_t) -> R
  ) -> (result: R, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr(place)
    address.sin_port = UInt16(port).bigEndian
    return withUnsafeMutablePointer(to: &address) { pointer in
      let result = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        body(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
      return (result, Int(UInt16(bigEndian: pointer.pointee.sin_port)))
    }
  }
}
