import Foundation
import KinemaHTTP
import KinemaServer
import KinemaStudio
import KinemaTestSupport
import Testing

@Suite struct UploadRoutesTests {
  private let fixture: StudioFixture
  private let project: Project
  private let file: Data

  init() throws {
    fixture = try StudioFixture()
    project = try fixture.project()
    let url = fixture.temporary.url("take.npz")
    try StudioFixture.writePoses(to: url, seconds: 5)
    file = try Data(contentsOf: url)
  }

  private func begin(_ name: String, label: String? = nil, size: Int? = nil) async throws -> String
  {
    let label = label.map { "\"\($0)\"" } ?? "null"
    let answer = try await fixture.json(
      "POST", "projects/golf/uploads",
      body: """
        {"name":"\(name)","size":\(size ?? file.count),"well":"validation","label":\(label)}
        """, status: 201)
    #expect(answer["chunk"] as? Int == 4_194_304)
    return try #require(answer["id"] as? String)
  }

  private func put(
    _ id: String, _ range: Range<Int>, status: Int = 200
  ) async throws -> [String: any Sendable] {
    try await fixture.object(
      "PUT", "projects/golf/uploads/\(id)", query: ["offset": String(range.lowerBound)],
      body: file.subdata(in: range), status: status)
  }

  /// Uploads a file as if the process had ended when it was complete, after it got its name.
  private func placeWithoutEnd(_ id: String, as name: String) async throws {
    _ = try await put(id, 0..<file.count - 1)
    let part = project.folder.uploads.appending(path: "\(id).part")
    let handle = try FileHandle(forWritingTo: part)
    try handle.seekToEnd()
    try handle.write(contentsOf: file.suffix(1))
    try handle.close()
    try FileManager.default.linkItem(at: part, to: project.folder.sources.appending(path: name))
  }

  @Test("a file comes in chunks, becomes a medium with an item, and continues after a break")
  func chunks() async throws {
    let id = try await begin("take.npz", label: "swing")
    let half = file.count / 2
    #expect(try await put(id, 0..<half)["offset"] as? Int == half)
    let repeated = try await put(id, 0..<half, status: 409)
    #expect(repeated.object("error")["offset"] as? Int == half)
    // Another server finds what is on the disk.
    let other = try StudioFixture(folder: fixture.temporary)
    let uploads = try await other.json("GET", "projects/golf/uploads").list("uploads")
    #expect(uploads.map { $0["offset"] as? Int } == [half])
    #expect(Set(uploads[0].keys) == ["id", "name", "size", "offset", "well", "label"])
    let done = try await put(id, half..<file.count)
    #expect(done["done"] as? Bool == true)
    #expect(done["file"] as? String == "take.npz")
    #expect(done.object("item")["well"] as? String == "validation")
    #expect(try Data(contentsOf: project.folder.sources.appending(path: "take.npz")) == file)
    #expect(try project.items().map(\.label) == ["swing"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: project.folder.uploads.path).isEmpty)
  }

  @Test("a name in use gets a number; an upload without a label makes no item")
  func names() async throws {
    for expected in ["take.npz", "take-2.npz", "take-3.npz"] {
      let id = try await begin("../x/take.npz")
      let done = try await put(id, 0..<file.count)
      #expect(done["file"] as? String == expected)
      #expect(done["item"] is NSNull)
    }
  }

  @Test("the item of an upload has the person that it came with")
  func person() async throws {
    let answer = try await fixture.json(
      "POST", "projects/golf/uploads",
      body: #"{"name":"1.npz","size":\#(file.count),"label":"swing","person":" Anna "}"#,
      status: 201)
    let done = try await put(try #require(answer["id"] as? String), 0..<file.count)
    #expect(done.object("item")["person"] as? String == "Anna")
    #expect(try project.items().map(\.person) == ["Anna"])
  }

  @Test("an upload that was asked to be a take is one when it ends, also when its answer was lost")
  func take() async throws {
    let request = """
      {"name":"1.npz","size":\(file.count),"label":"swing","person":"Anna","well":"testing",
       "take":{"keepVideo":false}}
      """
    let answer = try await fixture.json(
      "POST", "projects/golf/uploads", body: request, status: 201)
    let id = try #require(answer["id"] as? String)
    try await placeWithoutEnd(id, as: "1.npz")
    // As if the process had ended after the take had begun.
    let takes = try fixture.studio.workspace("golf").takes
    let begun = try await takes.begin(
      file: "1.npz", label: "swing", person: "Anna", well: .testing, keepsVideo: false, upload: id)
    await takes.finish()
    let done = try await put(id, file.count..<file.count)
    #expect(done["take"] as? String == begun.id && done["item"] is NSNull)
    #expect(try await put(id, file.count..<file.count)["take"] as? String == begun.id)
    #expect(try project.media().count == 1)
    #expect(await takes.all.map(\.id) == [begun.id])
    // A take needs a label, and is no item besides.
    _ = try await fixture.code(
      "POST", "projects/golf/uploads",
      body: #"{"name":"1.npz","size":10,"take":{}}"#, status: 400)
    let other = try await fixture.json(
      "POST", "projects/golf/uploads",
      body: #"{"name":"2.npz","size":\#(file.count),"label":"swing","take":{}}"#, status: 201)
    let number = try #require(other["id"] as? String)
    let ended = try await put(number, 0..<file.count)
    #expect(ended["item"] is NSNull && ended["take"] as? String != nil)
    await takes.finish()
    #expect(await takes.all.count == 2)
  }

  @Test("an upload that was killed when it was complete is finished once")
  func killedAtTheEnd() async throws {
    let id = try await begin("take.npz", label: "swing")
    try await placeWithoutEnd(id, as: "take.npz")
    // As if the process had ended after the item was there.
    _ = try project.add([NewItem(file: "take.npz", label: "swing")], to: .validation)
    let done = try await put(id, file.count..<file.count)
    #expect(done["file"] as? String == "take.npz")
    #expect(try project.items().count == 1)
    #expect(try project.media().count == 1)
  }

  @Test("files of uploads without a record go; one whose file is missing starts from its beginning")
  func leftovers() async throws {
    let id = try await begin("take.npz")
    _ = try await put(id, 0..<1)
    let folder = project.folder.uploads
    for name in ["gone.part", "gone.npz", "\(id).npz"] {
      try Data().write(to: folder.appending(path: name))
    }
    try FileManager.default.removeItem(at: folder.appending(path: "\(id).part"))
    let other = try StudioFixture(folder: fixture.temporary)
    let uploads = try await other.json("GET", "projects/golf/uploads").list("uploads")
    #expect(uploads.map { $0["offset"] as? Int } == [0])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy {
        $0.hasPrefix(id)
      })
    #expect(try await put(id, 0..<file.count)["done"] as? Bool == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("what is no video or pose file is refused: by its name at once, by its content at the end")
  func badFiles() async throws {
    for name in ["notes.txt", "a", ".npz", ""] {
      _ = try await fixture.code(
        "POST", "projects/golf/uploads", body: #"{"name":"\#(name)","size":10}"#, status: 422)
    }
    for size in ["0", "-1", "99999999999999999"] {
      _ = try await fixture.code(
        "POST", "projects/golf/uploads", body: #"{"name":"a.mp4","size":\#(size)}"#, status: 400)
    }
    let id = try await begin("take.mp4", label: "swing")
    let refused = try await put(id, 0..<file.count, status: 422)
    #expect((refused.object("error")["message"] as? String)?.contains("take.mp4") == true)
    let text = refused.object("error").object("text").object("unusableFile").object("text")
    #expect(text.object("foreignFile")["file"] as? String == "take.mp4")
    #expect(try project.media().isEmpty)
    #expect(try project.items().isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: project.folder.uploads.path).isEmpty)
  }

  @Test("chunks that do not fit are refused, and an upload can be removed")
  func badChunks() async throws {
    let id = try await begin("take.npz", size: 10)
    _ = try await put(id, 0..<11, status: 400)
    _ = try await fixture.code("PUT", "projects/golf/uploads/\(id)", status: 400)
    for unknown in ["none", "..", "a.b", "%2e"] {
      _ = try await fixture.code(
        "PUT", "projects/golf/uploads/\(unknown)", query: ["offset": "0"], body: "x", status: 404)
    }
    #expect(try await fixture.ask("DELETE", "projects/golf/uploads/\(id)").status == 204)
    #expect(try await fixture.ask("DELETE", "projects/golf/uploads/\(id)").status == 404)
  }

  @Test("a file for which there is no room is refused before it comes")
  func noRoom() async throws {
    #expect(
      try await fixture.code(
        "POST", "projects/golf/uploads", body: #"{"name":"a.mp4","size":1099511627776}"#,
        status: 503) == "storage")
  }
}
