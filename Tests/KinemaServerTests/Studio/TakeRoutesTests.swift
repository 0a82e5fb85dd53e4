import Foundation
import KinemaHTTP
import KinemaPose
import KinemaServer
import KinemaStudio
import KinemaSynth
import KinemaTestSupport
import Testing

@Suite struct TakeRoutesTests {
  private let fixture: StudioFixture
  private let project: Project

  init() throws {
    fixture = try StudioFixture()
    project = try fixture.project()
  }

  /// Writes the poses of somebody who does four jumping jacks, stands, and does three more.
  private func writeJacks(to url: URL) throws {
    let session = SyntheticSession(
      [
        .motion(.jumpingJacks, repetitions: 4), .standing(seconds: 6),
        .motion(.jumpingJacks, repetitions: 3),
      ], seed: 3)
    let viewpoint = Viewpoint.framing(session, aspectRatio: 1)
    try PoseSequence(frames: session.poses(frameRate: 30, from: viewpoint, aspectRatio: 1))
      .write(to: url)
  }

  @Test("suggestions are the sets of repetitions, once they are found")
  func suggestions() async throws {
    try writeJacks(to: project.folder.sources.appending(path: "a.npz"))
    var answer = try await fixture.ask(
      "GET", "projects/golf/suggestions", query: ["file": "a.npz"])
    #expect(answer.status == 202)
    while answer.status == 202 {
      try await Task.sleep(for: .milliseconds(50))
      answer = try await fixture.ask(
        "GET", "projects/golf/suggestions", query: ["file": "a.npz"])
    }
    let segments = try await fixture.json(
      "GET", "projects/golf/suggestions", query: ["file": "a.npz"]
    ).list("segments")
    #expect(segments.map { $0["count"] as? Int } == [4, 3])
    #expect(segments.allSatisfy { $0["kind"] as? String == "repetitions" })
    #expect(
      segments.allSatisfy {
        Set($0.keys) == ["start", "end", "label", "confidence", "count", "kind"]
      })
    _ = try await fixture.code(
      "GET", "projects/golf/suggestions", query: ["file": "a.npz", "model": "none"], status: 404)
    _ = try await fixture.code(
      "GET", "projects/golf/suggestions", query: ["file": "b.npz"], status: 404)
    // A run without a model.
    _ = try await fixture.code(
      "GET", "projects/golf/suggestions", query: ["file": "a.npz", "run": "1"], status: 409)
  }

  @Test("an uploaded take is cut where it repeats; the items have its label")
  func takes() async throws {
    let url = fixture.temporary.url("take.npz")
    try writeJacks(to: url)
    let file = try Data(contentsOf: url)
    let upload = try await fixture.json(
      "POST", "projects/golf/uploads", body: #"{"name":"take.npz","size":\#(file.count)}"#,
      status: 201)
    let id = try #require(upload["id"] as? String)
    let body = """
      {"upload":"\(id)","label":"jacks","keepVideo":false,"person":"Anna","well":"testing"}
      """
    _ = try await fixture.code("POST", "projects/golf/takes", body: body, status: 404)
    _ = try await fixture.object(
      "PUT", "projects/golf/uploads/\(id)", query: ["offset": "0"], body: file)
    let begun = try await fixture.json("POST", "projects/golf/takes", body: body, status: 202)
    await (try fixture.studio.workspace("golf")).takes.finish()
    let takes = try await fixture.json("GET", "projects/golf/takes").list("takes")
    #expect(takes.map { $0["id"] as? String } == [begun["take"] as? String])
    #expect(takes[0]["state"] as? String == "done")
    #expect(takes[0].list("repetitions").count == 2)
    let items = takes[0].list("items")
    #expect(items.map { $0["label"] as? String } == ["jacks", "jacks"])
    #expect(items.map { $0["person"] as? String } == ["Anna", "Anna"])
    #expect(items.map { $0["well"] as? String } == ["testing", "testing"])
    #expect(items.allSatisfy { $0["problem"] is NSNull })
    // A server that starts again lists the take, and cuts it no second time.
    let other = try StudioFixture(folder: fixture.temporary)
    await (try other.studio.workspace("golf")).takes.resume()
    #expect(try await other.json("GET", "projects/golf/takes").list("takes").count == 1)
    #expect(try project.items().count == 2)
    // Items that are thrown away and brought back get other ids, and still belong to the take.
    _ = try project.remove(try project.items().map(\.id))
    let empty = try await fixture.json("GET", "projects/golf/takes").list("takes")
    #expect(empty[0].list("items").isEmpty)
    let kept = try #require(takes[0]["file"] as? String)
    _ = try project.add([NewItem(file: kept, label: "jacks", start: 1, end: 2)])
    let restored = try await fixture.json("GET", "projects/golf/takes").list("takes")
    #expect(restored[0].list("items").count == 1)
  }
}
