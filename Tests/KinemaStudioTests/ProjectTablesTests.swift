import Foundation
import KinemaFiles
import KinemaStudio
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Tables of many rows")
struct ProjectTablesTests {
  private let temporary: TemporaryFolder
  private let project: Project

  init() throws {
    temporary = try TemporaryFolder()
    project = try Project.create(at: temporary.url("golf"), name: "Golf")
  }

  /// Writes a table of another program, with empty lines, flawed rows and columns of its own.
  private func write(rows count: Int) throws {
    var text = "file_name,label,start_time,note,id\n"
    for row in 0..<count {
      let start = row.isMultiple(of: 211) ? "soon" : "\(row)"
      text += "v\(row % 7).mp4,label\(row % 5),\(start),\(row % 3 == 0 ? "n\(row)" : ""),i\(row)\n"
      if row.isMultiple(of: 100) { text += "\n" }
    }
    try Data(text.utf8).write(to: project.folder.table(.training))
  }

  /// Compares what is in memory with what is in the files.
  private func expectAsFiles(_ step: Int) throws {
    let read = try Project(opening: project.folder.url)
    #expect(try project.items() == read.items(), "after step \(step)")
    #expect(try project.uses == read.uses, "after step \(step)")
    for well in Well.allCases {
      let file = try Data(contentsOf: project.folder.table(well))
      #expect(try project.csv(of: well) == file, "\(well) after step \(step)")
    }
  }

  @Test("after every change, what is known of the rows is what is in the files")
  func changes() throws {
    try write(rows: 3000)
    _ = try project.add([NewItem(file: "v1.mp4", label: "first")])
    try expectAsFiles(-1)
    var generator = SystemRandomNumberGenerator()
    for step in 0..<48 {
      let items = try project.items()
      let some = (0..<40).compactMap { _ in items.randomElement(using: &generator)?.id }
      switch step % 6 {
      case 0: _ = try project.change(some, .init(label: "l\(step)"))
      case 1: _ = try project.change(some, .init(well: step < 24 ? .testing : .leftOut))
      case 2: #expect(try project.remove(some) == Set(some).count)
      case 3:
        let row = NewItem(file: "w\(step).mp4", label: "new", start: 1, person: "P")
        _ = try project.add(Array(repeating: row, count: 30))
      case 4: _ = try project.change(some, .init(start: .some(Double(step)), end: .some(nil)))
      default:
        let present = try project.items(of: "v3.mp4")
        let kept = present.prefix(5).map { NewItem(id: $0.id, file: $0.file, label: "kept") }
        _ = try project.replace(
          itemsOf: "v3.mp4", with: kept + [NewItem(file: "v3.mp4", label: "added")])
      }
      try expectAsFiles(step)
    }
  }

  @Test("a change that cannot be written leaves the rows as the files have them")
  func unwritten() throws {
    try write(rows: 3000)
    let items = try project.items()
    let table = project.folder.table(.testing)
    try FileManager.default.removeItem(at: table)
    try FileManager.default.createDirectory(at: table, withIntermediateDirectories: false)
    #expect(throws: StudioError.self) {
      try project.change(items.prefix(2000).map(\.id), .init(well: .testing))
    }
    try FileManager.default.removeItem(at: table)
    #expect(try project.items() == items)
    #expect(try project.change([items[0].id], .init(label: "a"))[0].label == "a")
    #expect(try project.items().count == items.count)
  }

  // MARK: - Findings

  private func summary() async throws -> ProjectSummary {
    try await project.summary(hasFindings: true)
  }

  @Test(
    "the data of a large project are checked in the background, and those of a small one at once")
  func checks() async throws {
    try write(rows: 20)
    let small = try await summary()
    #expect(!small.isChecking && small.wells[.training]?.findings.isEmpty == false)
    try write(rows: 2500)
    let large = try await summary()
    #expect(large.isChecking && large.wells[.training]?.items == 2500)
    #expect(large.wells[.training]?.findings == small.wells[.training]?.findings)
    #expect(try await waitUntil { try await !summary().isChecking })
    let checked = try await summary().wells[.training]?.findings
    #expect(checked?.contains { $0.kind == .badAnnotation && $0.message.contains("row 2") } == true)
    // What others change meanwhile is checked as well.
    _ = try project.change(try project.items().map(\.id), .init(well: .testing))
    #expect(try await summary().isChecking)
    try write(rows: 2300)
    #expect(try await waitUntil { try await !summary().isChecking })
    #expect(try await summary().wells[.training]?.items == 2300)
  }

  @Test("100 findings of a kind are listed, and how many more there are")
  func manyFindings() {
    let all = (0..<250).flatMap { number in
      [
        DataFinding(.error, .missingFile, file: "\(number).mp4", "\(number).mp4 is missing."),
        DataFinding(.warning, .overlap, "Segment \(number) overlaps."),
      ]
    }
    let listed = Finding.list(all + [DataFinding(.warning, .imbalance, "Few.")])
    #expect(listed.count == 203)
    #expect(listed.first?.file == "0.mp4" && listed[200].kind == .imbalance)
    #expect(
      listed.suffix(2).map(\.message)
        == Array(
          repeating: "There are 150 more of this kind.", count: 2))
    for kind in [DataFinding.Kind.missingFile, .overlap] {
      let group = listed.filter { $0.kind == kind }
      #expect(group.reduce(0) { $0 + ($1.count ?? 1) } == 250)
    }
  }
}
