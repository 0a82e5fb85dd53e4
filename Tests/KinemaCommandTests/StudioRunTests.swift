import Foundation
import KinemaStudio
import KinemaTestSupport
import Testing

@Suite("Training runs of a server")
struct StudioRunTests {
  private func state(_ server: LiveServerProcess, _ run: Int) throws -> (name: String, epoch: Int) {
    let answer = try server.get("api/v1/studio/projects/waves/runs/\(run)")
    let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
    let progress = object?["progress"] as? [String: Any]
    return (
      try #require(object?["state"] as? String, "\(answer)"),
      try #require(progress?["iteration"] as? Int)
    )
  }

  private func waitForEnd(_ server: LiveServerProcess, _ run: Int) throws {
    while !["done", "failed"].contains(try state(server, run).name) { usleep(50_000) }
    #expect(try state(server, run).name == "done")
  }

  @Test("a server that is killed while it trains continues at its next start, to the same model")
  func killed() throws {
    let data = try TemporaryFolder()
    let project = try WaveProject.make(
      at: data.url("data/projects/waves"), iterations: 30, seconds: 10)
    let first = try LiveServerProcess(data: data)
    _ = try first.ask("POST", "api/v1/studio/projects/waves/runs")
    try waitForEnd(first, 1)
    _ = try first.ask("POST", "api/v1/studio/projects/waves/runs")
    while try state(first, 2).epoch < 2 { usleep(10_000) }
    #expect(first.end(with: SIGKILL) == SIGKILL)
    let second = try LiveServerProcess(data: data)
    try waitForEnd(second, 2)
    let models = try (1...2).map { try Data(contentsOf: RunFolder(project.folder.run($0)).model) }
    #expect(models[0] == models[1])
    #expect(second.end() == 0)
  }
}
