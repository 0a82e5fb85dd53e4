import Foundation
import KinemaAction
import KinemaCounting
import KinemaLab
import KinemaPose
import KinemaTestSupport
import KinemaTraining
import KinemaVision
import Testing

@Suite("Tables of real clips")
struct LabelledClipsTests {
  @Test("are read by clip, with the sources that they name")
  func reading() throws {
    let folder = try TemporaryFolder()
    for file in ["a.mp4", "b.mp4"] { try Data([0]).write(to: folder.url(file)) }
    try """
    file,label,start_time,end_time,reps,source_repo
    a.mp4,squats,1,5.5,4,them
    a.mp4,standing,0,1,,them
    b.mp4,talking,,,,

    """.write(to: folder.url("index.csv"), atomically: true, encoding: .utf8)
    let clips = try LabelledClips(contentsOf: [folder.url("index.csv")]).clips
    #expect(clips.map(\.file) == ["a.mp4", "b.mp4"])
    #expect(
      clips.first?.segments == [
        .init(label: "squats", timeRange: 1..<5.5, repetitionCount: 4),
        .init(label: "standing", timeRange: 0..<1, repetitionCount: nil),
      ])
    #expect(clips.map(\.source) == ["them", folder.url("b.mp4").path])
    #expect(clips.last?.segments.first?.timeRange == 0..<Double.infinity)
  }

  @Test("without labels hold no exercise")
  func withoutLabels() throws {
    let folder = try TemporaryFolder()
    try Data([0]).write(to: folder.url("a.mp4"))
    try "file,fall_time\na.mp4,3\n".write(
      to: folder.url("falls.csv"), atomically: true, encoding: .utf8)
    let clips = try LabelledClips(contentsOf: [folder.url("falls.csv")]).clips
    #expect(clips.first?.segments.map(\.label) == ["other"])
  }

  @Test("know their rooms, and who falls in them when")
  func falls() throws {
    let folder = try TemporaryFolder()
    for name in ["a_1.mp4", "b_2.mp4"] { try Data([0]).write(to: folder.url(name)) }
    try Data(
      """
      file,fall_time,visible_after,end_posture,what
      a_1.mp4,2.5,yes,lying,"hall: stumbles, falls"
      b_2.mp4,,,,walks; twice: slowly
      b_2.mp4,,,,sits
      """.utf8
    ).write(to: folder.url("falls.csv"))
    let clips = try LabelledClips(contentsOf: [folder.url("falls.csv")]).clips
    #expect(clips.map(\.file) == ["a_1.mp4", "b_2.mp4"] && clips.map(\.room) == ["hall", "b"])
    let fall = try #require(clips[0].fall)
    #expect(fall.time == 2.5 && fall.showsAftermath && fall.endPosture == "lying")
    #expect(clips[1].fall == nil)
    let clip = FallClip(clips[0], poses: [], aspectRatio: 1)
    #expect(clip.name == "a_1" && clip.room == "hall" && clip.impact == 2.5)
    #expect(clip.showsAftermath)
  }

  @Test(
    "that are wrong are refused with the row",
    arguments: [
      ("name,label\n", "no column"), ("file,label\nmissing.mp4,squats\n", "row 2"),
      ("file,label,start_time,end_time\na.mp4,squats,5,2\n", "row 2"),
      ("file,label,start_time\na.mp4,squats,soon\n", "soon"), ("file,label\n,squats\n", "row 2"),
      ("file,fall_time\na.mp4,later\n", "later"),
    ])
  func wrong(text: String, part: String) throws {
    let folder = try TemporaryFolder()
    try Data([0]).write(to: folder.url("a.mp4"))
    try text.write(to: folder.url("index.csv"), atomically: true, encoding: .utf8)
    let error = expectError(TrainingError.self) {
      try LabelledClips(contentsOf: [folder.url("index.csv")])
    }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test("name ways of doing an exercise, and leave out what lies between two")
  func truth() {
    let labels: Set = ["deadlifts", "standing", "squats", "other"]
    #expect(RealLabels.truth(of: "squats", among: labels) == "squats")
    #expect(RealLabels.truth(of: "talking", among: labels) == "standing")
    #expect(RealLabels.truth(of: "single_leg_deadlifts", among: labels) == "deadlifts")
    #expect(RealLabels.truth(of: "single_leg_bridges", among: labels) == "other")
    #expect(RealLabels.truth(of: "tennis", among: labels) == "other")
    #expect(RealLabels.truth(of: "jump_squats", among: labels) == nil)
    #expect(RealLabels.truth(of: "no_person", among: labels) == nil)
  }
}

@Suite("What a model says of a real clip")
struct ClipReadingTests {
  private static let exercises: Set = ["squats", "lunges"]

  /// Windows of two seconds, one a second, each with a label.
  private static func windows(_ labels: [String]) -> [ActionPrediction] {
    labels.enumerated().map { index, label in
      ActionPrediction(
        timeRange: Double(index)..<Double(index + 2), status: .action, topLabel: label,
        confidence: 0.9, probabilities: [label: 0.9, "none": 0.1])
    }
  }

  private static func reading(
    _ segments: [LabelledClips.Segment], _ windows: [ActionPrediction], end: Double = 10
  ) throws -> ClipReading {
    let folder = try TemporaryFolder()
    let names = Set(segments.map(\.label)).joined(separator: "-")
    let url = folder.url("\(names).mp4")
    try Data([0]).write(to: url)
    let rows = segments.map { segment in
      let count = segment.repetitionCount.map(String.init) ?? ""
      let range = segment.timeRange
      return "\(names).mp4,\(segment.label),\(range.lowerBound),\(range.upperBound),\(count)"
    }
    let table = folder.url("index.csv")
    try (["file,label,start_time,end_time,reps"] + rows).joined(separator: "\n").write(
      to: table, atomically: true, encoding: .utf8)
    let clips = try LabelledClips(contentsOf: [table])
    return ClipReading(
      clip: try #require(clips.clips.first),
      labels: exercises.union(["standing", "walking", "other"]), exercises: exercises,
      timeRange: 0...end, decoded: windows)
  }

  @Test("is right where the likeliest label over a segment's windows is the true one")
  func segments() throws {
    var reading = try Self.reading(
      [
        .init(label: "squats", timeRange: 0..<5), .init(label: "tennis", timeRange: 5..<10),
      ],
      Self.windows(
        ["squats", "squats", "lunges", "squats", "walking", "walking", "lunges", "walking"]))
    let times = (0..<100).map { Double($0) / 10 }
    reading.readSegments(frameTimes: times, seen: times)
    #expect(reading.tally.segments["squats"] == .init(right: 1, all: 1))
    // Walking is as right as any name for what is no exercise.
    #expect(reading.tally.segments["other"] == .init(right: 1, all: 1))
    #expect(reading.tally.windows["squats"] == .init(right: 3, all: 4))
    #expect(reading.tally.namedWindows == .init(right: 1, all: 4))
    #expect(reading.failures.isEmpty)
  }

  @Test("is as probable as its windows find what is done, in the geometric mean over segments")
  func evidence() throws {
    var reading = try Self.reading(
      [
        .init(label: "squats", timeRange: 0..<4), .init(label: "lunges", timeRange: 4..<7),
        .init(label: "tennis", timeRange: 7..<10),
      ], [])
    reading.readEvidence(
      Self.windows(["squats", "squats", "lunges", "walking", "walking", "squats", "walking"]))
    let tally = reading.tally
    // Two windows of 0.9 and one that counts as 0.01; no window has lunges.
    let squats = (2 * log(0.9) + log(0.01)) / 3
    #expect(abs((tally.evidence["squats"]?.right ?? 0) - squats) < 1e-9)
    let value = RealPeopleFigure.knownEvidence.value(of: tally, exercises: Self.exercises)
    #expect(abs((value ?? 0) - exp((squats + log(0.01)) / 2)) < 1e-9)
    // Walking is as right as any name for what is no exercise.
    let others = RealPeopleFigure.othersEvidence.value(of: tally, exercises: Self.exercises)
    #expect(abs((others ?? 0) - 1) < 1e-9)
  }

  @Test("says whether the person was lost, the classifier wrong, or the course")
  func kinds() throws {
    let times = (0..<100).map { Double($0) / 10 }
    let segment = [LabelledClips.Segment(label: "squats", timeRange: 0..<10)]
    var lost = try Self.reading(segment, [])
    lost.readSegments(frameTimes: times, seen: Array(times.prefix(20)))
    #expect(lost.failures.map(\.kind) == [.poseLost])
    var wrong = try Self.reading(segment, Self.windows(Array(repeating: "lunges", count: 9)))
    wrong.readSegments(frameTimes: times, seen: times)
    #expect(wrong.failures.map(\.kind) == [.classifier])
    let named = Self.windows(Array(repeating: "squats", count: 9)).map { window in
      var window = window
      window.topLabel = "lunges"
      return window
    }
    var course = try Self.reading(segment, named)
    course.readSegments(frameTimes: times, seen: times)
    #expect(course.failures.map(\.kind) == [.course])
  }

  @Test(
    "is false where an exercise is named and none of it is done; everyday names are not exercises")
  func falseStretches() throws {
    let windows = Self.windows(
      ["walking", "walking", "lunges", "lunges", "walking", "walking", "walking", "walking"])
    var reading = try Self.reading([.init(label: "walking", timeRange: 0..<9)], windows, end: 9)
    reading.readTimelines(
      live: [.init("walking", 2..<5), .init("lunges", 5..<6), .init("squats", 7..<8)], groups: [:])
    #expect(reading.tally.falseInFiles.right == 1)
    #expect(reading.tally.falseLive.right == 2)
    #expect(abs(reading.tally.falseLive.all - 0.15) < 1e-9)
    #expect(reading.failures.map(\.shown) == ["lunges"])
  }

  @Test("after something else has figures of its own")
  func running() throws {
    var reading = try Self.reading([.init(label: "squats", timeRange: 0..<10)], [])
    reading.readRunning([.init("lunges", -3..<1.5), .init("squats", 2..<11)], groups: [:])
    let tally = reading.tally
    #expect(tally.falseRunning == .init(right: 1, all: 10.0 / 60))
    #expect(RealPeopleFigure.delayRunning.value(of: tally, exercises: Self.exercises) == 2)
    // One of two stretches is right, and one of one.
    let f1 = try #require(RealPeopleFigure.f1Running.value(of: tally, exercises: Self.exercises))
    #expect(abs(f1 - 2.0 / 3) < 1e-9)
    for figure in [RealPeopleFigure.f1Live, .falseLive, .delay] {
      #expect(figure.value(of: tally, exercises: Self.exercises) == nil)
    }
  }

  @Test("counts the repetitions of each segment, by their middles")
  func counts() throws {
    func repetition(_ start: Double, _ end: Double) -> Repetition { .init(start: start, end: end) }
    var reading = try Self.reading(
      [
        .init(label: "squats", timeRange: 0..<5, repetitionCount: 3),
        .init(label: "lunges", timeRange: 6..<10, repetitionCount: 4),
      ], [])
    let named = [1, 2.5, 8].map { Repetition(start: $0 - 1, end: $0, action: "squats") }
    // The first is of what comes before, and one ends in the rest after the squats.
    let counted = [
      repetition(-1.2, 0.4), repetition(0.4, 1), repetition(1, 2.5), repetition(3.5, 6),
      repetition(6, 7), repetition(7, 8),
    ]
    reading.readCounts(counted, named: named)
    #expect(reading.tally.namedWithinOne == .init(right: 1, all: 2))
    #expect(reading.tally.namedWrongly == .init(right: 1, all: 9.0 / 60))
    #expect(reading.tally.exact == .init(right: 1, all: 2))
    #expect(reading.tally.withinOne == .init(right: 1, all: 2))
    #expect(reading.failures.map(\.kind) == [.count])
    #expect(reading.failures.map(\.repetitions) == [4])
    #expect(reading.failures.map(\.counted) == [[7, 8]])
  }
}

@Suite("Streams that run before a clip begins")
struct RunningStreamTests {
  private static func frames(
    _ times: [Double], size: (width: Int, height: Int), people: [(id: Int, height: Float)]
  ) -> [PosedFrame] {
    times.map { time in
      let poses = people.map { person in
        Pose(
          from: [
            .nose: JointPoint(.nose, position: SIMD2(0.7, person.height), confidence: 1),
            .leftAnkle: JointPoint(.leftAnkle, position: SIMD2(0.6, 0), confidence: 1),
          ], personID: person.id)
      }
      return PosedFrame(at: time, of: "clip", size: size, poses: poses)
    }
  }

  @Test("show the largest person of the clip before as that of the clip, in its shape")
  func frames() throws {
    let clip = Self.frames([2, 2.1], size: (100, 200), people: [(7, 0.5), (8, 0.2)])
    let before = Self.frames(
      (0..<100).map { Double($0) / 10 }, size: (200, 100), people: [(1, 0.3), (2, 0.6)])
    let found = try #require(RunningStream.frames(clip, after: before))
    let lead = found.dropLast(2)
    #expect(
      found.suffix(2).map(\.poses) == clip.map(\.poses) && found.suffix(2).map(\.time) == [2, 2.1])
    #expect(lead.count == 80)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(lead.allSatisfy { $0.poses.map(\.personID) == [7] && $0.aspectRatio == 0.5 })
    let nose = try #require(lead.first?.poses.first?.keypoints[.nose]?.position)
    #expect(abs(nose.x - 1.3) < 1e-5 && nose.y == 0.6)
    // Nobody, before or in the clip.
    let empty = Self.frames([0, 1], size: (100, 200), people: [])
    #expect(RunningStream.frames(clip, after: empty)?.count == nil)
    #expect(RunningStream.frames(empty, after: before)?.count == nil)
    #expect(RunningStream.frames(clip, after: [])?.count == nil)
  }
}

@Suite("Figures about real people")
struct RealPeopleReportTests {
  private static func tally(_ right: Int, of all: Int, _ label: String = "squats")
    -> RealPeopleTally
  {
    var tally = RealPeopleTally()
    for index in 0..<all { tally.segments[label, default: .init()].add(index < right) }
    return tally
  }

  private static func result(_ name: String, _ trainings: [[RealPeopleTally]])
    -> RealPeopleReport.Result
  {
    .init(name: name, exercises: ["squats"], trainings: trainings)
  }

  @Test("have the deviation of a mean over sources")
  func deviation() throws {
    // Half of a hundred sources are all right, the others all wrong: √(0.25 ÷ 100).
    let tallies = (0..<100).map { Self.tally($0 < 50 ? 4 : 0, of: 4) }
    let report = RealPeopleReport(
      [Self.result("one", [tallies])], clipCount: 100, sourceCount: 100)
    let figure = try #require(report.models.first?.figures[RealPeopleFigure.exercises.rawValue])
    #expect(figure.value == 0.5)
    #expect(abs(try #require(figure.deviation) - 0.05) < 0.008)
  }

  @Test("of two models are compared on the same sources, so that equal ones differ by nothing")
  func differences() throws {
    let tallies = (0..<40).map { Self.tally($0 % 3, of: 2) }
    let better = (0..<40).map { _ in Self.tally(2, of: 2) }
    func difference(_ second: [RealPeopleTally]) throws -> RealPeopleReport.Value {
      let report = RealPeopleReport(
        [Self.result("a", [tallies]), Self.result("b", [second])], clipCount: 40, sourceCount: 40)
      return try #require(report.differences[RealPeopleFigure.exercises.rawValue])
    }
    let same = try difference(tallies)
    #expect(same.value == 0 && same.deviation == 0)
    let gain = try difference(better)
    #expect(gain.value > 0.4 && gain.value > 4 * (gain.deviation ?? .infinity))
  }

  @Test("are means over the trainings of a recipe")
  func trainings() throws {
    let report = RealPeopleReport(
      [
        Self.result(
          "a", [[Self.tally(1, of: 2), Self.tally(1, of: 2)], [.init(), Self.tally(2, of: 2)]])
      ], clipCount: 2, sourceCount: 2)
    let value = report.models.first?.figures[RealPeopleFigure.exercises.rawValue]?.value
    #expect(value == 0.75)
    #expect(report.table.contains("trainings"))
  }

  @Test("know no delay and no counts where there were none")
  func missing() {
    let tally = RealPeopleTally()
    #expect(RealPeopleFigure.allCases.allSatisfy { $0.value(of: tally, exercises: []) == nil })
  }
}
