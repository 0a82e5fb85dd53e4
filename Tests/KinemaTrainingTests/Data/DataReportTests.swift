import Foundation
import KinemaPose
import KinemaStreams
import KinemaTraining
import KinemaVideo
import KinemaVision
import Testing

@Suite("The description of data")
struct DataReportTests {
  private let folder: DataFolder

  init() throws {
    folder = try DataFolder()
  }

  private var extractor: FeatureExtractor {
    FeatureExtractor(configuration: .init(cacheFolder: folder.file("cache"), jobCount: 2)) {
      { frame, _ in [.sample(frame.withUnsafeBytes { Int($0[1]) })] }
    }
  }

  private func prepare(
    _ source: ActionClassifierDataSource? = nil, validation: ValidationData = .none,
    test: ActionClassifierDataSource? = nil, windowSize: Int = 60, frameRate: Double = 30
  ) async throws -> TrainingData {
    try await TrainingData.prepare(
      training: source ?? .automatic(at: folder.file("data")), validation: validation, test: test,
      windowSize: windowSize, frameRate: frameRate, extractor: extractor)
  }

  /// Good data: six videos of each of two classes, one of them negative.
  private func writeGoodData() throws {
    for index in 0..<12 {
      let label = index % 2 == 0 ? "squats" : "other"
      try folder.writePoses("data/\(label)/\(index).npz", seconds: 3, seed: index)
    }
  }

  @Test("good data is described in figures, and nothing is found")
  func good() async throws {
    try writeGoodData()
    let data = try await prepare(validation: .split(strategy: .automatic))
    #expect(data.report.findings.isEmpty)
    #expect(data.report.classes.map(\.label) == ["other", "squats"])
    for footage in data.report.classes {
      #expect(footage.training.videoCount == 5 && footage.validation.videoCount == 1)
      #expect(abs(footage.training.seconds - 15) < 1e-6)
    }
    #expect(data.report.total.training.videoCount == 10 && data.report.total.test.videoCount == 0)
    #expect(data.split.training.count == 10 && data.split.validation.count == 2)
    let encoded = try JSONEncoder().encode(data.report)
    #expect(try JSONDecoder().decode(DataReport.self, from: encoded) == data.report)
  }

  @Test("validation and test data may have folders of their own")
  func folders() async throws {
    try writeGoodData()
    try folder.writePoses("validation/squats/a.npz", seconds: 3, seed: 100)
    try folder.writePoses("validation/jumps/b.npz", seconds: 3, seed: 101)
    try folder.writePoses("test/squats/c.npz", seconds: 3, seed: 102)
    let data = try await prepare(
      validation: .dataSource(.automatic(at: folder.file("validation"))),
      test: .labeledDirectories(at: folder.file("test")))
    #expect(data.split.training.count == 12)
    #expect(data.split.validation.map(\.file) == ["jumps/b.npz", "squats/a.npz"])
    #expect(data.split.test.map(\.file) == ["squats/c.npz"])
    #expect(data.report.findings.map(\.kind) == [.unmatchedClass])
    #expect(data.report.findings[0].message.hasPrefix("“jumps” is among the validation clips"))
    #expect(data.report.classes.map(\.test.videoCount) == [0, 0, 1])
  }

  @Test("the same video in two splits is an error that names both")
  func leak() async throws {
    try writeGoodData()
    try folder.writePoses("test/squats/again.npz", seconds: 3, seed: 4)
    let data = try await prepare(test: .automatic(at: folder.file("test")))
    #expect(!data.report.findings.errors.isEmpty)
    let error = try #require(data.report.findings.errors.first)
    #expect(error.kind == .leak)
    #expect(
      error.message.hasPrefix(
        "squats/again.npz (testing clips) is the same video as squats/4.npz (training clips)"))
  }

  @Test("the same video under two labels is reported with both")
  func twoLabels() async throws {
    try writeGoodData()
    try folder.writePoses("data/other/copy.npz", seconds: 3, seed: 4)
    let findings = try await prepare().report.findings
    let finding = try #require(findings.first { $0.kind == .duplicate })
    #expect(finding.message.contains("“squats”") && finding.message.contains("“other”"))
  }

  @Test("each weakness is a warning that names the file")
  func warnings() async throws {
    try writeGoodData()
    try folder.writePoses("data/squats/short.npz", seconds: 1, seed: 50)
    try folder.writePoses("data/squats/slow.npz", frameRate: 20, seed: 51)
    try folder.writePoses("data/squats/empty.npz", seed: 52, hasPerson: false)
    try folder.writePoses("data/squats/cut.npz", seed: 53, offset: SIMD2(0, -0.5))
    try folder.writePoses("data/squats/copy.npz", seconds: 3, seed: 2)
    try folder.writePoses("data/Squats/long.npz", seconds: 230, seed: 54)
    let crowd = (0..<100).map { index in
      PoseSequence.Frame(
        time: Double(index) / 30, poses: [.sample(index), .sample(index, personID: 2, size: 0.75)])
    }
    try PoseSequence(frames: crowd).write(to: folder.file("data/other/crowd.npz"))
    let data = try await prepare()
    #expect(data.report.findings.errors.isEmpty)
    let found = Set(data.report.findings.map { "\($0.kind) \($0.file ?? "")" })
    #expect(
      found == [
        "shortClip squats/short.npz", "lowFrameRate squats/slow.npz", "noPerson squats/empty.npz",
        "cutOff squats/cut.npz", "duplicate squats/copy.npz", "severalPeople other/crowd.npz",
        "likeLabels ", "smallClass ", "imbalance ",
      ])
    for finding in data.report.findings {
      #expect(finding.file.map { finding.message.contains($0) } != false, "\(finding.message)")
    }
  }

  @Test("without a class for everything else the model sees actions everywhere")
  func noNegativeClass() async throws {
    for index in 0..<10 {
      let label = index % 2 == 0 ? "squats" : "burpees"
      try folder.writePoses("data/\(label)/\(index).npz", seed: index)
    }
    #expect(try await prepare().report.findings.map(\.kind) == [.noNegativeClass])
  }

  @Test("one class, or wrong rows, are errors before any video is opened")
  func earlyErrors() async throws {
    try folder.write("no video", to: "data/squats/a.mp4")
    let one = try await prepare()
    #expect(one.report.findings.errors.map(\.kind) == [.oneClass])
    #expect(one.report.findings.errors[0].message.contains("only one class, “squats”"))
    try folder.write("file_name,label\na.mp4,x\ngone.mp4,y\n", to: "data/squats/l.csv")
    let missing = try await prepare(.automatic(at: folder.file("data/squats")))
    #expect(missing.report.findings.errors.map(\.kind) == [.missingFile])
    #expect(missing.split.training.isEmpty && missing.report.classes.isEmpty)
    let none = try await prepare(.labeledPoses([]))
    #expect(none.report.findings.errors.map(\.kind) == [.oneClass])
  }

  @Test("overlapping rows are reported, adjacent segments are not")
  func overlaps() async throws {
    try folder.writePoses("data/a.npz", seconds: 20)
    try folder.write(
      """
      file_name,label,start_time,end_time
      a.npz,x,0,5
      a.npz,y,5,9
      a.npz,x,8,12
      a.npz,x,11,15
      a.npz,x,14.98,20
      """, to: "data/l.csv")
    let report = try await prepare().report
    #expect(report.findings.errors.isEmpty)
    let overlaps = report.findings.filter { $0.kind == .overlap }.map(\.message)
    #expect(
      overlaps == [
        "l.csv, row 4 (a.npz), “x”, overlaps with l.csv, row 3, “y”, but a moment can have one label "
          + "only: correct the times.",
        "l.csv, row 5 (a.npz), “x”, overlaps with l.csv, row 4, “x”, so that this time counts twice: "
          + "correct the times.",
      ])
  }

  @Test("poses in memory are checked like others")
  func inMemory() async throws {
    let frames = (0..<90).map { PoseSequence.Frame(time: Double($0) / 30, poses: [.sample($0)]) }
    let examples = (0..<10).map { index in
      ActionExample(
        label: index % 2 == 0 ? "squats" : "other", file: "memory \(index)", videoID: "\(index)",
        timeRange: 0..<3, poses: PoseSequence(frames: frames))
    }
    var data = try await prepare(.labeledPoses(examples))
    #expect(data.split.training == examples && data.report.findings.isEmpty)
    var hand = examples
    hand[3].poses = PoseSequence(frames: [], joints: JointKey.hand)
    data = try await prepare(.labeledPoses(hand))
    #expect(data.report.findings.errors.map(\.kind) == [.mixedJoints])
  }

  @Test("a window or a frame rate that is none is refused")
  func badParameters() async throws {
    try writeGoodData()
    for (size, rate) in [(0, 30.0), (60, 0), (60, .infinity)] {
      await #expect(throws: TrainingError.self) {
        try await prepare(windowSize: size, frameRate: rate)
      }
    }
  }
}
