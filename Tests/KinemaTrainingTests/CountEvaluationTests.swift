import Foundation
import KinemaAction
import KinemaCounting
import KinemaPose
import KinemaTraining
import Testing

@Suite("The evaluation of counts")
struct CountEvaluationTests {
  private func file(_ text: String) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv")
    try Data(text.utf8).write(to: url)
    return url
  }

  @Test("figures are those of the field, for all and for each label")
  func figures() {
    let counts = [("a", 10, 10), ("a", 10, 8), ("b", 4, 5), ("b", 2, 2)]
    let evaluation = CountEvaluation(
      items: counts.map {
        .init(entry: .init(file: "x.npz", label: $0.0, count: $0.1), counted: $0.2)
      })
    #expect(abs(evaluation.overall.meanAbsoluteError - 0.1125) < 1e-12)
    #expect(evaluation.overall.offByOne == 0.75)
    #expect(evaluation.overall.exact == 0.5)
    #expect(abs(evaluation.overall.rootMeanSquareError - 1.118_034) < 1e-6)
    #expect(evaluation.perLabel["b"]?.offByOne == 1)
    #expect(CountEvaluation(items: []).overall.support == 0)
  }

  @Test("tables of counts are read, and a bad row is named")
  func tables() throws {
    let good = try file(
      "file,label,count,notes\r\n\"a, \"\"b\"\".npz\",squats,5,\r\nb.npz,jacks,0,x\r\n")
    defer { try? FileManager.default.removeItem(at: good) }
    #expect(
      try CountEvaluation.entries(contentsOf: good) == [
        .init(file: "a, \"b\".npz", label: "squats", count: 5),
        .init(file: "b.npz", label: "jacks", count: 0),
      ])
    let repCount = try file(
      ",type,name,count,L1,L2\n0,squat,stu1_3.mp4,2,10,40\n1,pull_up,stu2_1.mp4,11,,\n")
    defer { try? FileManager.default.removeItem(at: repCount) }
    #expect(
      try CountEvaluation.entries(contentsOf: repCount) == [
        .init(file: "stu1_3.mp4", label: "squat", count: 2),
        .init(file: "stu2_1.mp4", label: "pull_up", count: 11),
      ])
    for (text, word) in [
      ("file,label,count\na.npz,squats,many\n", "Row 2"), ("a,b\n", "columns"),
      ("file,label,count\na.npz,squats,9223372036854775807\n", "up to 100000000"),
    ] {
      let url = try file(text)
      defer { try? FileManager.default.removeItem(at: url) }
      #expect {
        try CountEvaluation.entries(contentsOf: url)
      } throws: {
        ($0 as? TrainingError)?.message.contains(word) == true
      }
    }
  }

  @Test("files are counted, and one that is missing is named")
  func files() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let frames = (0..<60).map { PoseSequence.Frame(time: Double($0) / 30, poses: []) }
    try PoseSequence(frames: frames).write(to: folder.appending(path: "none.npz"))
    let entry = CountEvaluation.Entry(file: "none.npz", label: "rest", count: 0)
    func evaluation(_ entry: CountEvaluation.Entry) async throws -> CountEvaluation {
      try await CountEvaluation(of: [entry], in: folder) {
        try RepetitionCounter.repetitions(in: PoseSequence(contentsOf: $0), rules: .init())
      }
    }
    #expect(try await evaluation(entry).overall.exact == 1)
    await #expect(throws: TrainingError.self) {
      try await evaluation(.init(file: "gone.npz", label: "", count: 1))
    }
  }
}
