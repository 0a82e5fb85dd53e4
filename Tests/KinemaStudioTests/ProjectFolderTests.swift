import Foundation
import KinemaStudio
import Testing

@Suite struct ProjectFolderTests {
  @Test("each well is an annotation file of its own")
  func wells() {
    let folder = ProjectFolder(URL(filePath: "/data/golf"))
    #expect(
      Well.allCases.map { folder.table($0).lastPathComponent } == [
        "training.csv", "validation.csv", "testing.csv", "left-out.csv",
      ])
    #expect(folder.run(3).path == "/data/golf/runs/3")
  }
}
