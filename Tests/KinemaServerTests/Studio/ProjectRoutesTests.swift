import Foundation
import KinemaHTTP
import KinemaPose
import KinemaServer
import KinemaStudio
import KinemaSynth
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite struct ProjectRoutesTests {
  private let fixture: StudioFixture

  init() throws { fixture = try StudioFixture() }

  @Test("projects are made, described, changed, copied, deleted and restored")
  func wholeLife() async throws {
    let made = try await fixture.json(
      "POST", "projects", body: #"{"name":"Golf"}"#, status: 201)
    #expect(made["id"] as? String == "golf")
    #expect(
      Set(made.keys) == [
        "id", "name", "created", "modified", "parameters", "effective", "metadata", "wells",
        "checking", "media", "estimate", "readOnly",
      ])
    #expect(made.object("effective")["iterations"] as? Int == 80)
    #expect(Set(made.object("wells").keys) == ["training", "validation", "testing", "leftOut"])
    #expect(
      Set(made.object("wells").object("training").keys)
        == ["items", "seconds", "classes", "findings"])
    let changed = try await fixture.json(
      "PATCH", "projects/golf",
      body: #"{"name":"Golf 2","parameters":{"duration":3},"metadata":{"author":"A"}}"#)
    #expect(changed.object("effective")["duration"] as? Double == 3)
    #expect(changed["name"] as? String == "Golf 2")
    #expect(changed.object("parameters")["duration"] as? Double == 3)
    let copy = try await fixture.json(
      "POST", "projects/golf/duplicate", body: #"{"name":"Copy"}"#, status: 201)
    #expect(copy.object("parameters")["duration"] as? Double == 3)
    let deleted = try await fixture.json("DELETE", "projects/golf")
    let list = try await fixture.json("GET", "projects")
    #expect(list.list("projects").map { $0["id"] as? String } == ["copy"])
    #expect(
      Set(list.list("projects")[0].keys) == [
        "id", "name", "created", "modified", "classes", "kinds", "items", "seconds", "runs",
        "state",
      ])
    #expect(list.list("deleted").map { $0["id"] as? String } == [deleted["id"] as? String])
    let restored = try await fixture.json("POST", "projects/golf/restore")
    #expect(restored["name"] as? String == "Golf 2")
  }

  @Test("items, their seconds and problems are listed page by page")
  func items() async throws {
    _ = try fixture.project(["a.npz": 4, "b.npz": 6])
    let added = try await fixture.json(
      "POST", "projects/golf/items",
      body: """
        {"items":[{"file":"a.npz","label":"swing","well":"training"},
        {"file":"b.npz","label":"other","well":"training","start":1,"end":3.5,"person":"P"},
        {"file":"b.npz","label":"other","well":"testing","start":9,"end":12}]}
        """, status: 201
    ).list("items")
    #expect(added.map { $0["seconds"] as? Double } == [4, 2.5, 0])
    #expect(added.map { $0["problem"] is NSNull } == [true, true, false])
    #expect(
      Set(added[0].keys) == [
        "id", "well", "file", "label", "start", "end", "seconds", "person", "kind", "playable",
        "problem",
      ])
    #expect(added[0]["kind"] as? String == "poses")
    let page = try await fixture.json(
      "GET", "projects/golf/items", query: ["well": "training", "offset": "1", "limit": "1"])
    #expect(page["total"] as? Int == 2)
    #expect(page.list("items").map { $0["person"] as? String } == ["P"])
    let id = try #require(page.list("items")[0]["id"] as? String)
    let changed = try await fixture.json(
      "PATCH", "projects/golf/items",
      body: #"{"ids":["\#(id)"],"well":"leftOut","person":null,"end":null}"#)
    #expect(changed.list("items")[0]["end"] is NSNull)
    #expect(changed.list("items")[0]["person"] is NSNull)
    #expect(changed.list("items")[0]["start"] as? Double == 1)
    let described = try await fixture.json("GET", "projects/golf")
    let wells = described.object("wells")
    #expect(wells.object("leftOut")["seconds"] as? Double == 5)
    let findings = wells.object("testing").list("findings")
    #expect(findings.contains { $0["severity"] as? String == "error" })
    #expect(
      findings.contains { ($0["message"] as? String)?.contains("after the end") == true })
    let texts = findings.map { $0.object("text").object("badData").object("text") }
    #expect(texts.contains { $0["startsAfterVideo"] != nil })
    let removed = try await fixture.json(
      "DELETE", "projects/golf/items", body: #"{"ids":["\#(id)","x"]}"#)
    #expect(removed["removed"] as? Int == 1)
  }

  @Test("items of a table that have no label are listed by an empty one")
  func unlabelled() async throws {
    let project = try fixture.project(["a.npz": 4])
    let table = project.folder.table(.training)
    try Data("id,file_name,label\nx1,a.npz,swing\nx2,a.npz,\n".utf8).write(to: table)
    let page = try await fixture.json("GET", "projects/golf/items", query: ["label": ""])
    #expect(page.list("items").map { $0["id"] as? String } == ["x2"])
    #expect(try await fixture.json("GET", "projects/golf/items")["total"] as? Int == 2)
  }

  @Test("what cannot be used is refused with its status")
  func refusals() async throws {
    _ = try fixture.project(["a.npz": 4])
    func refused(
      _ status: Int, _ method: String, _ path: String, _ body: String = "",
      _ query: [String: String] = [:]
    ) async throws {
      _ = try await fixture.code(method, path, query: query, body: body, status: status)
    }
    try await refused(400, "POST", "projects", #"{"name":" "}"#)
    try await refused(404, "GET", "projects/none")
    try await refused(404, "GET", "projects/..")
    try await refused(404, "GET", "projects/golf/nothing")
    try await refused(400, "PATCH", "projects/golf", #"{"parameters":{"frameRate":-1}}"#)
    try await refused(404, "PATCH", "projects/golf/items", #"{"ids":["x"],"label":"a"}"#)
    try await refused(400, "POST", "projects/golf/items", #"{"items":[{"file":"a.npz"}]}"#)
    try await refused(400, "GET", "projects/golf/items", "", ["limit": "0"])
    try await refused(400, "GET", "projects/golf/items", "", ["well": "some"])
    for file in ["../projects/golf/project.json", "/etc/passwd", "none.npz", ".a.npz", "a.txt", ""]
    {
      try await refused(
        404, "POST", "projects/golf/items", #"{"items":[{"file":"\#(file)","label":"a"}]}"#)
    }
    try await refused(400, "GET", "projects/golf/poses", "", ["file": "a.npz", "end": "121"])
    try await refused(404, "GET", "projects/golf/poses", "", ["file": "b.npz"])
  }

  @Test("media are served from the project alone; links do not lead out of it")
  func media() async throws {
    let project = try fixture.project(["a.npz": 4])
    let secret = fixture.temporary.url("secret.npz")
    try StudioFixture.writePoses(to: secret, seconds: 1)
    try FileManager.default.createSymbolicLink(
      at: project.folder.sources.appending(path: "link.npz"), withDestinationURL: secret)
    let list = try await fixture.json("GET", "projects/golf/media").list("media")
    #expect(list.map { $0["file"] as? String } == ["a.npz"])
    #expect(list[0]["seconds"] as? Double == 4)
    #expect(list[0]["extracted"] as? Bool == true)
    let served = try await fixture.ask("GET", "projects/golf/media/a.npz")
    guard case .file(let url) = served.body else {
      Issue.record("no file")
      return
    }
    #expect(url.lastPathComponent == "a.npz")
    for (path, file) in [
      ("/link.npz", nil), ("", "link.npz"), ("", secret.path), ("", "../training.csv"),
      ("", "/etc/passwd"),
    ] as [(String, String?)] {
      _ = try await fixture.code(
        "GET", "projects/golf/media" + path, query: file.map { ["file": $0] } ?? [:], status: 404)
    }
    _ = try project.add([NewItem(file: "a.npz", label: "swing")])
    #expect(
      try await fixture.code("DELETE", "projects/golf/media/a.npz", status: 409) == "conflict")
    _ = try project.remove(project.items().map(\.id))
    #expect(try await fixture.ask("DELETE", "projects/golf/media/a.npz").status == 204)
    #expect(try project.media().isEmpty)
  }

  @Test("poses of a stretch are answered with the joints' names")
  func poses() async throws {
    _ = try fixture.project(["a.npz": 4])
    let answer = try await fixture.json(
      "GET", "projects/golf/poses", query: ["file": "a.npz", "start": "1", "end": "1.5"])
    #expect((answer["joints"] as? [String])?.count == 18)
    let frames = answer.list("frames")
    #expect(frames.map { $0["time"] as? Double } == [1, 1.1, 1.2, 1.3, 1.4])
    let points = frames[0].list("people")[0]["points"] as? [Double]
    #expect(points?.count == 54)
    #expect(points?.prefix(6) == [0.25, 0.5, 1, 0.26, 0.5, 1])
  }

  @Test("poses come with the largest person in three dimensions where that is asked for")
  func bodies() async throws {
    let project = try fixture.project(["a.npz": 1])
    let session = SyntheticSession(
      [.motion(.squats, repetitions: 2, repetitionDuration: 2)], seed: 3)
    let view = Viewpoint.framing(session, yawDegrees: 40, aspectRatio: 1)
    let url = try project.url(of: "a.npz")
    try PoseSequence(frames: session.poses(frameRate: 30, from: view, aspectRatio: 1)).write(
      to: url)
    let query = ["file": "a.npz", "start": "0", "end": "2", "bodies": "1"]
    let answer = try await fixture.json("GET", "projects/golf/poses", query: query)
    let bodies = answer.list("frames").compactMap { $0["body"] as? [String: Any] }
    #expect(bodies.count > 50)
    let joints = bodies.last?["joints"] as? [[Double]]
    #expect(joints?.count == 18 && joints?.allSatisfy { $0.count == 4 } == true)
    #expect((bodies.last?["floor"] as? Double).map { $0 < -0.3 } == true)
  }

  @Test("folders are offered below the allowed ones, and what is in them is imported in place")
  func imports() async throws {
    let offered = fixture.temporary.url("offered")
    for label in ["swing", "putt"] {
      let folder = offered.appending(path: "golf/\(label)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try StudioFixture.writePoses(to: folder.appending(path: "1.npz"), seconds: 3)
    }
    let project = try fixture.project()
    let top = try await fixture.json("GET", "folders")
    #expect(top["folders"] as? [String] == ["golf"])
    #expect(top["parent"] == nil || top["parent"] is NSNull)
    let path = try #require(top["path"] as? String) + "/golf"
    let inside = try await fixture.json("GET", "folders", query: ["path": path + "/swing"])
    #expect(inside["parent"] as? String == path)
    #expect(inside["files"] as? Int == 1)
    let file = try #require(inside.list("contents").first)
    #expect(file["name"] as? String == "1.npz" && file["kind"] as? String == "poses")
    #expect(file["path"] as? String == path + "/swing/1.npz")
    #expect((file["bytes"] as? Int ?? 0) > 0)
    for outside in ["/", "/etc", path + "/../..", fixture.temporary.path("projects"), "golf"] {
      _ = try await fixture.code("GET", "folders", query: ["path": outside], status: 404)
    }
    let body = #"{"path":"\#(path)","well":"training"}"#
    let imported = try await fixture.json("POST", "projects/golf/import", body: body)
    #expect(imported["items"] as? Int == 2)
    // What is there already is not added again.
    #expect(
      try await fixture.json("POST", "projects/golf/import", body: body)["items"] as? Int == 0)
    let items = try project.items()
    #expect(items.map(\.label) == ["putt", "swing"])
    #expect(items[0].file == path + "/putt/1.npz")
    let served = try await fixture.ask(
      "GET", "projects/golf/media", query: ["file": items[0].file])
    #expect(served.status == 200)
    // A single file becomes a medium without items.
    try StudioFixture.writePoses(to: offered.appending(path: "long.npz"), seconds: 9)
    let long = #"{"path":"\#(top["path"] as? String ?? "")/long.npz","well":"training"}"#
    #expect(
      try await fixture.json("POST", "projects/golf/import", body: long)["items"] as? Int == 0)
    #expect(try project.media().count == 3)
  }

  @Test("what is in a folder is listed with kind and size, without what leads out of it")
  func folderContents() async throws {
    let offered = fixture.temporary.url("offered")
    try StudioFixture.writePoses(to: offered.appending(path: "b.npz"), seconds: 1)
    for (name, text) in [
      ("a.mp4", "x"), ("c.csv", "file_name,label\n"), ("d.txt", "x"), (".e.mp4", "x"),
    ] {
      try Data(text.utf8).write(to: offered.appending(path: name))
    }
    let secret = fixture.temporary.url("secret.npz")
    try StudioFixture.writePoses(to: secret, seconds: 1)
    for (link, target) in [("f.npz", offered.appending(path: "b.npz")), ("g.npz", secret)] {
      try FileManager.default.createSymbolicLink(
        at: offered.appending(path: link), withDestinationURL: target)
    }
    let top = try await fixture.json("GET", "folders")
    let contents = top.list("contents")
    #expect(contents.map { $0["name"] as? String } == ["a.mp4", "b.npz", "c.csv", "f.npz"])
    #expect(
      contents.map { $0["kind"] as? String } == ["video", "poses", "annotations", "poses"])
    #expect(contents[3]["path"] as? String == contents[1]["path"] as? String)
    #expect(contents[0]["bytes"] as? Int == 1)
    // A listed file becomes an item by its path.
    _ = try fixture.project()
    let path = try #require(contents[3]["path"] as? String)
    let added = try await fixture.json(
      "POST", "projects/golf/items",
      body: #"{"items":[{"file":"\#(path)","label":"swing","well":"validation"}]}"#, status: 201)
    #expect(added.list("items").map { $0["well"] as? String } == ["validation"])
  }

  @Test("annotations of a file are read, replaced, imported and exported")
  func annotations() async throws {
    let project = try fixture.project(["a.npz": 20, "b.npz": 5])
    let csv = "file_name,label,start_time,end_time,note\na.npz,swing,1,2,x\nc.npz,putt,0,1,\n"
    let imported = try await fixture.json(
      "POST", "projects/golf/annotations/import", query: ["well": "training"], body: csv)
    #expect(imported["items"] as? Int == 1)
    #expect(imported.list("findings").count == 1)
    let first = try await fixture.json(
      "GET", "projects/golf/annotations", query: ["file": "a.npz"]
    ).list("segments")
    let id = try #require(first[0]["id"] as? String)
    let replaced = try await fixture.json(
      "PUT", "projects/golf/annotations", query: ["file": "a.npz"],
      body: """
        {"segments":[{"id":"\(id)","label":"drive","start":1.5,"end":2},
        {"label":"putt","start":4,"end":6,"well":"validation"}]}
        """
    ).list("segments")
    #expect(replaced.map { $0["label"] as? String } == ["drive", "putt"])
    #expect(replaced[0]["id"] as? String == id)
    #expect(replaced.map { $0["well"] as? String } == ["training", "validation"])
    // A change of what has become another is refused, with what it is now.
    let query = ["file": "a.npz"]
    let read = try await fixture.json("GET", "projects/golf/annotations", query: query)
    let version = try #require(read["version"] as? String)
    let refused = try await fixture.json(
      "PUT", "projects/golf/annotations", query: query,
      body: #"{"segments":[],"version":"0"}"#, status: 409
    ).object("error")
    #expect(refused["code"] as? String == "conflict" && refused["version"] as? String == version)
    #expect(
      refused.list("segments").map { $0["id"] as? String }
        == replaced.map { $0["id"] as? String })
    #expect(refused.object("text")["changedElsewhere"] != nil)
    let kept = try await fixture.json(
      "PUT", "projects/golf/annotations", query: query,
      body: """
        {"segments":[{"id":"\(id)","label":"drive","start":1.5,"end":2},
        {"label":"putt","start":4,"end":6,"well":"validation"}],"version":"\(version)"}
        """)
    #expect(kept["version"] as? String != version)
    let export = try await fixture.ask("GET", "projects/golf/annotations.csv")
    guard case .data(let data) = export.body else {
      Issue.record("no data")
      return
    }
    #expect(
      String(decoding: data, as: UTF8.self)
        == "id,file_name,label,start_time,end_time,person\n\(id),a.npz,drive,1.5,2,\n")
    // What is saved is what training reads.
    let listing = try #require(try project.source(.training)).listing()
    #expect(listing.annotations.map(\.label) == ["drive"])
    _ = try await fixture.code(
      "POST", "projects/golf/annotations/import", query: ["well": "training"], body: "{\"a\":",
      status: 422)
    _ = try await fixture.code(
      "PUT", "projects/golf/annotations", query: ["file": "a.npz"],
      body: #"{"segments":[{"label":"a","start":3,"end":2}]}"#, status: 400)
  }
}
