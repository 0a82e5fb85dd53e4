import Foundation
import Glibc
import KinemaFiles
import KinemaPose
import KinemaStudio
import KinemaTestSupport
import Testing

@Suite("Uploads") struct UploadStoreTests {
  private let temporary: TemporaryFolder
  private let project: Project
  private let uploads: UploadStore
  private let poses: Data

  init() throws {
    temporary = try TemporaryFolder()
    let studio = Studio(
      library: ProjectLibrary(folder: temporary.url("projects")), folders: ImportFolders([]),
      runs: RunCenter(.init(folder: temporary.url("data"))))
    project = try studio.library.create(name: "Golf")
    uploads = try studio.workspace(project.id).uploads
    let file = temporary.url("swing.jsonl")
    try PoseSequence(
      frames: (0..<20).map { PoseSequence.Frame(time: Double($0) / 10, poses: []) }
    ).write(to: file)
    poses = try Data(contentsOf: file)
  }

  private func begin(
    _ name: String = "swing.jsonl", label: String? = "swing"
  ) throws -> UploadStore.Upload {
    try uploads.begin(name: name, size: Int64(poses.count), well: .testing, label: label)
  }

  @Test("an upload that comes in pieces becomes a medium with its item")
  func pieces() async throws {
    let upload = try begin()
    let half = poses.count / 2
    guard case .more(let offset) = try await uploads.append(poses[..<half], to: upload.id, at: 0)
    else {
      Issue.record("Half of it is not enough.")
      return
    }
    #expect(offset == Int64(half))
    #expect(uploads.uploads.map(\.offset) == [offset])
    let rest = Data(poses[half...])
    guard
      case .done(let file, let item, let take) = try await uploads.append(
        rest, to: upload.id, at: offset)
    else {
      Issue.record("It is complete.")
      return
    }
    #expect(file == "swing.jsonl" && item?.label == "swing" && item?.well == .testing)
    #expect(take == nil)
    #expect(try Data(contentsOf: project.url(of: file)) == poses)
    #expect(uploads.uploads.isEmpty)
    #expect(try uploads.file(of: upload.id) == file)
  }

  @Test("what an upload is was read once: the file is not decoded again for its item")
  func header() async throws {
    let upload = try begin()
    _ = try await uploads.append(poses, to: upload.id, at: 0)
    let url = try project.url(of: upload.name)
    // Other bytes in a file of the same number, size and date.
    var status = stat()
    try #require(stat(url.path, &status) == 0)
    let handle = try FileHandle(forWritingTo: url)
    try handle.write(contentsOf: Data(repeating: 32, count: poses.count))
    let dates = [status.st_atim, status.st_mtim]
    #expect(futimens(handle.fileDescriptor, dates) == 0)
    try handle.close()
    #expect(try await project.headers.headers(of: [url])[url]?.problem == nil)
    // So it is for a process that opens the project later.
    let later = try Project(opening: project.folder.url)
    #expect(try await later.headers.headers(of: [url])[url]?.problem == nil)
    let cache = project.folder.poses.appending(path: "headers.json")
    try FileManager.default.removeItem(at: cache)
    let other = try Project(opening: project.folder.url)
    #expect(try await other.headers.headers(of: [url])[url]?.problem != nil)
  }

  @Test("names that look alike and have other bytes are files of their own, each with its item")
  func lookalikes() async throws {
    let names = ["caf\u{E9}.jsonl", "cafe\u{301}.jsonl"]
    var ids: [String] = []
    for name in names {
      let upload = try begin(name)
      guard
        case .done(let file, let item, _) = try await uploads.append(poses, to: upload.id, at: 0)
      else {
        Issue.record("It is complete.")
        return
      }
      #expect(Array(file.utf8) == Array(name.utf8))
      #expect(item.map { Array($0.file.utf8) } == Array(name.utf8))
      ids.append(item?.id ?? "")
    }
    #expect(Set(ids).count == 2)
    let summary = try await project.summary()
    #expect(summary.media.files.count == 2 && summary.wells[.testing]?.items == 2)
    for (name, id) in zip(names, ids) {
      #expect(try project.items(of: name).map(\.id) == [id])
      #expect(try Array(project.url(of: name).lastPathComponent.utf8) == Array(name.utf8))
    }
    // So it is after both were read again.
    let again = try Project(opening: project.folder.url)
    #expect(try again.items(of: names[1]).map(\.id) == [ids[1]])
    _ = try again.remove([ids[1]])
    try again.removeMedium(names[1])
    #expect(try again.media().keys.map { Array($0.text.utf8) } == [Array(names[0].utf8)])
  }

  @Test("a piece that does not begin where the last one ended is refused with the place")
  func wrongOffset() async throws {
    let upload = try begin()
    _ = try await uploads.append(poses.prefix(10), to: upload.id, at: 0)
    for offset in [0, 9, 11] as [Int64] {
      guard
        case .wrongOffset(10) = try await uploads.append(Data(count: 1), to: upload.id, at: offset)
      else {
        Issue.record("Offset \(offset) is accepted.")
        continue
      }
    }
    #expect(uploads.uploads.map(\.offset) == [10])
  }

  @Test("pieces that are empty or too long are refused")
  func badPieces() async throws {
    let upload = try begin()
    for piece in [Data(), Data(count: poses.count + 1)] {
      let error = await expectAsyncError(StudioError.self) {
        try await uploads.append(piece, to: upload.id, at: 0)
      }
      #expect(error?.code == .badRequest)
    }
    #expect(uploads.uploads.map(\.offset) == [0])
  }

  @Test("two uploads of one name are two media")
  func sameName() async throws {
    for name in ["swing.jsonl", "swing-2.jsonl"] {
      let upload = try begin(label: nil)
      guard case .done(let file, nil, nil) = try await uploads.append(poses, to: upload.id, at: 0)
      else {
        Issue.record("\(name) is not complete.")
        continue
      }
      #expect(file.hasPrefix("swing") && file.hasSuffix(".jsonl"))
    }
    let sources = try FileManager.default.contentsOfDirectory(
      atPath: project.folder.sources.path)
    #expect(sources.count == 2)
  }

  @Test(
    "names that are not those of media are refused",
    arguments: ["", ".mp4", "notes.txt", "swing", "a\u{0}.mp4"])
  func badNames(name: String) throws {
    let error = expectError(StudioError.self) { try begin(name) }
    #expect(error?.code == .badFile)
    #expect(uploads.uploads.isEmpty)
  }

  @Test(
    "a file of another tool's poses is a medium by its content, a table of something else is not")
  func foreignPoses() async throws {
    let joints = ["left_shoulder", "right_shoulder", "left_hip", "right_hip", "nose"]
    let table = Data(
      (joints.map { "\($0)_x,\($0)_y" }.joined(separator: ",") + "\n"
        + joints.map { _ in "0.5,0.25" }.joined(separator: ",") + "\n").utf8)
    let upload = try uploads.begin(
      name: "landmarks.csv", size: Int64(table.count), well: .training, label: nil)
    guard
      case .done("landmarks.csv", nil, nil) = try await uploads.append(table, to: upload.id, at: 0)
    else {
      Issue.record("The upload is not complete.")
      return
    }
    let other = Data("file_name,label\na.mp4,squats\n".utf8)
    let refused = try uploads.begin(
      name: "labels.csv", size: Int64(other.count), well: .training, label: nil)
    let error = await expectAsyncError(StudioError.self) {
      try await uploads.append(other, to: refused.id, at: 0)
    }
    #expect(error?.code == .badFile)
    #expect(uploads.uploads.isEmpty)
  }

  @Test("a path in a name is left out")
  func path() throws {
    #expect(try begin("../../etc/swing.jsonl").name == "swing.jsonl")
    #expect(try begin(#"C:\Videos\swing.jsonl"#).name == "swing.jsonl")
  }

  @Test("sizes and labels that cannot be used are refused")
  func badValues() throws {
    for size in [0, -1, UploadStore.maximumByteCount + 1] {
      let error = expectError(StudioError.self) {
        try uploads.begin(name: "a.mp4", size: size, well: .training, label: nil)
      }
      #expect(error?.code == .badRequest)
    }
    #expect(throws: StudioError.self) { try begin(label: "a\nb") }
  }

  @Test("a file that is no medium is removed and named")
  func notMedium() async throws {
    let text = Data("no poses".utf8)
    let upload = try uploads.begin(
      name: "swing.jsonl", size: Int64(text.count), well: .training, label: "swing")
    let error = await expectAsyncError(StudioError.self) {
      try await uploads.append(text, to: upload.id, at: 0)
    }
    #expect(
      error?.code == .badFile && error?.message.hasPrefix("swing.jsonl cannot be used") == true)
    #expect(uploads.uploads.isEmpty)
    #expect(try project.items().isEmpty)
  }

  @Test("an upload that was removed is not there any more")
  func removed() async throws {
    let upload = try begin()
    try uploads.remove(upload.id)
    for work in [
      { try await uploads.append(Data(count: 1), to: upload.id, at: 0) as Any },
      { try uploads.file(of: upload.id) }, { try uploads.remove(upload.id) },
    ] as [() async throws -> Any] {
      let error = await expectAsyncError(StudioError.self) { _ = try await work() }
      #expect(error?.code == .notFound)
    }
  }
}
