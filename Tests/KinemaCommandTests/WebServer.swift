import Foundation
import KinemaTestSupport

/// A web server of one file that refuses, is overloaded for some requests, or is silent, by the path:
/// `/denied`, `/missing`, `/busy/N/NAME` (503 to the first N requests) and `/silent`.
final class WebServer {
  private static let program = """
    import http.server, socketserver, sys, time
    data, counts = open(sys.argv[1], "rb").read(), {}
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *words): pass
        def do_GET(self):
            words = self.path.split("/")
            counts[self.path] = count = counts.get(self.path, 0) + 1
            if words[1] == "silent": time.sleep(1000)
            if words[1] == "denied": return self.send_error(401)
            if words[1] == "missing": return self.send_error(404)
            if words[1] == "busy" and count <= int(words[2]): return self.send_error(503)
            part, status = data, 200
            wanted = self.headers.get("Range", "bytes=0-")
            if wanted != "bytes=0-":
                first, last = wanted.split("=")[1].split("-")
                part, status = data[int(first) : int(last or len(data) - 1) + 1], 206
            self.send_response(status)
            if status == 206:
                self.send_header("Content-Range", f"bytes {first}-{last or len(data) - 1}/{len(data)}")
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Length", str(len(part)))
            self.end_headers()
            try: self.wfile.write(part)
            except OSError: pass
    class Server(socketserver.ThreadingMixIn, http.server.HTTPServer): daemon_threads = True
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    import threading
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    """

  let port: Int
  private let process = Process()
  private let input = Pipe()

  init(of file: URL) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.program, file.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitForEnd()
  }

  func address(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }
}
