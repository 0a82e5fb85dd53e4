import Foundation
import KinemaTestSupport
import Testing

@Suite("kinema live", .serialized)
struct LiveCommandTests {
  @Test("a port that is in use is reported before anything is loaded")
  func port() throws {
    let server = try LiveServerProcess()
    let port = try #require(URL(string: server.address)?.port)
    let folder = try TemporaryFolder()
    let result = try Tool.run([
      "live", "--data", folder.path("data"), "--port", "\(port)",
    ])
    #expect(result.status != 0 && result.errors.contains("Port \(port) of 127.0.0.1 is in use"))
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

  @Test("the token is in a file or the environment; on the command line, others can see it")
  func token() throws {
    let folder = try TemporaryFolder()
    try Data("a-token-of-a-file\n".utf8).write(to: folder.url("token"))
    let file = ["--token-file", folder.path("token")]
    for (arguments, environment, expected) in [
      (file, ["KINEMA_TOKEN": "another"], "a-token-of-a-file"),
      ([], ["KINEMA_TOKEN": "a-token-of-the-environment"], "a-token-of-the-environment"),
      (["--token", "a-token-everybody-sees"], [:], "a-token-everybody-sees"),
    ] as [([String], [String: String], String)] {
      let server = try LiveServerProcess(["--tls"] + arguments, environment: environment)
      #expect(server.address.hasSuffix("?token=\(expected)"))
      #expect(server.errors.contains("other users") == arguments.contains("--token"))
      #expect(server.end() == 0)
    }
  }

  @Test(
    "errors are reported in one sentence",
    arguments: [
      (["--port", "70000"], 64, "--port"),
      (["--certificate", "there.pem"], 64, "--certificate and --key go together"),
      (["--token", "a", "--token-file", "b"], 64, "not both"),
      (["--token-file", "missing"], 66, "check --token-file"),
      (["--token-file", "/dev/null"], 64, "The token must have 16 characters"),
      (["--token-file", "/dev/zero"], 64, "The token must have 16 characters"),
      (["missing.mp4"], 66, "missing.mp4"),
      (["/dev/null"], 66, "null"),
      (["/dev/video909"], 66, "There is no camera /dev/video909"),
      (["rtsp://"], 66, "no host"),
      (["pattern:nonsense"], 66, "test pattern"),
      (["gopher://somewhere/"], 66, "gopher"),
      (["--model", "missing.mlmodel"], 64, "missing.mlmodel"),
      (["--sources", "missing.json"], 66, "missing.json cannot be read"),
      (["--rules", "missing.json"], 66, "missing.json cannot be read"),
      (["--rules", "/dev/null"], 66, "cannot be read"),
    ] as [([String], Int32, String)])
  func refusals(arguments: [String], status: Int32, words: String) throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run(["live", "--data", folder.path("data")] + arguments)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains(words))
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }
}
