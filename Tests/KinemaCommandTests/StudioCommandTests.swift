import Foundation
import KinemaTestSupport
import Testing

@Suite("kinema studio", .serialized)
struct StudioCommandTests {
  /// The status and JSON of an answer.
  private func ask(
    _ server: LiveServerProcess, _ method: String, _ path: String, body: Data = Data()
  ) throws -> (status: Int, object: [String: Any]) {
    let sent = server.data.url("sent")
    let received = server.data.url("received")
    try body.write(to: sent)
    let client = Process()
    client.executableURL = URL(filePath: "/usr/bin/env")
    client.arguments = [
      "python3", "-c",
      """
      import sys, urllib.request, urllib.error
      method, address, sent, received = sys.argv[1:]
      data = open(sent, "rb").read() if method != "GET" else None
      request = urllib.request.Request(address, data=data, method=method)
      try: answer = urllib.request.urlopen(request, timeout=60)
      except urllib.error.HTTPError as error: answer = error
      open(received, "wb").write(str(answer.status).encode() + b"\\n" + answer.read())
      """, method, server.address + "api/v1/studio/" + path, sent.path, received.path,
    ]
    try client.run()
    client.waitForEnd()
    let text = try String(contentsOf: received, encoding: .utf8)
    let parts = text.split(separator: "\n", maxSplits: 1)
    let status = try #require(parts.first.flatMap { Int($0) })
    return (status, parts.count < 2 ? [:] : try Tool.json(String(parts[1])))
  }

  @Test(
    "an upload that kill -9 interrupts continues where it was, and plays",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func killedUpload() throws {
    let file = try Data(contentsOf: SharedData.url("clips/cesta_jacks.mp4"))
    let folder = try TemporaryFolder()
    var server = try LiveServerProcess(data: folder)
    #expect(try ask(server, "POST", "projects", body: Data(#"{"name":"Golf"}"#.utf8)).status == 201)
    let begun = try ask(
      server, "POST", "projects/golf/uploads",
      body: Data(#"{"name":"jacks.mp4","size":\#(file.count),"label":"jacks"}"#.utf8))
    let id = try #require(begun.object["id"] as? String)
    let half = file.count / 2
    let first = try ask(
      server, "PUT", "projects/golf/uploads/\(id)?offset=0", body: file.prefix(half))
    #expect(first.object["offset"] as? Int == half)
    _ = server.end(with: SIGKILL)

    server = try LiveServerProcess(data: folder)
    let uploads = try ask(server, "GET", "projects/golf/uploads").object["uploads"]
    #expect((uploads as? [[String: Any]])?.first?["offset"] as? Int == half)
    let last = try ask(
      server, "PUT", "projects/golf/uploads/\(id)?offset=\(half)", body: file.dropFirst(half))
    #expect(last.status == 200)
    #expect(last.object["done"] as? Bool == true)
    let stored = folder.url("data/projects/golf/sources/jacks.mp4")
    #expect(try Data(contentsOf: stored) == file)
    let items = try ask(server, "GET", "projects/golf/items").object
    #expect(items["total"] as? Int == 1)
  }

  @Test("a folder that is neither empty nor a project is left alone")
  func noProject() throws {
    let folder = try TemporaryFolder()
    try Data("x".utf8).write(to: folder.url("notes.txt"))
    let result = try Tool.run("studio", folder.url.path, "--port", "0")
    #expect(result.status == 65)
    #expect(folder.names == ["notes.txt"])
  }

  @Test("a project is trained with its own parameters and evaluated on its testing items")
  func trains() throws {
    let folder = try TemporaryFolder()
    _ = try WaveProject.make(at: folder.url("waves"), iterations: 40)
    let trained = try Tool.run("train", folder.path("waves"), "--format", "json")
    #expect(trained.status == 0, "\(trained.errors)")
    let report = try Tool.json(trained.output)
    #expect((report["labels"] as? [String] ?? ["down", "up"]) == ["down", "up"])
    let model = folder.path("waves/waves.mlmodel")
    #expect(FileManager.default.fileExists(atPath: model))
    #expect(FileManager.default.fileExists(atPath: folder.path("waves/poses")))
    let evaluated = try Tool.run(
      "evaluate", model, folder.path("waves"), "--format", "json")
    #expect(evaluated.status == 0, "\(evaluated.errors)")
    #expect(evaluated.errors.contains("testing items of waves"))
    // Alone, it is evaluated with the exported model, else with that of its newest run.
    let alone = try Tool.run("evaluate", folder.path("waves"), "--format", "json")
    #expect(alone.output == evaluated.output)
    let run = folder.url("waves/runs/3")
    try FileManager.default.createDirectory(at: run, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: URL(filePath: model), to: run.appending(path: "model.mlmodel"))
    let newest = try Tool.run("evaluate", folder.path("waves"), "--format", "json")
    #expect(newest.status == 0 && newest.errors.contains("runs/3/model.mlmodel"))
    try FileManager.default.removeItem(at: run)
    let none = try Tool.run("evaluate", folder.path("waves"))
    #expect(none.status == 64 && none.errors.contains("has no model yet"))
  }
}
