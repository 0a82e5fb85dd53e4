import Foundation
import KinemaLab
import KinemaPose
import KinemaSynth
import KinemaTestSupport
import KinemaWatch
import Testing

@Suite("A model of falls")
struct FallFitTests {
  private static func clips(_ kinds: [FallTrial.Kind], groups: Int, seed: UInt64) -> [FallClip] {
    kinds.enumerated().map { index, kind in
      let trial = FallTrial(kind, seed: seed &+ UInt64(index))
      return FallClip(
        name: "\(kind.name) \(index)", group: "room \(index % groups)", impact: trial.impact,
        showsAftermath: true, poses: trial.poses.frames, aspectRatio: trial.aspectRatio)
    }
  }

  @Test("learned from some rooms, falls in others are found; the same seed gives the same model")
  func learning() throws {
    var fit = FallFit()
    (fit.fallCount, fit.modelCount) = (30, 1)
    let kinds: [FallTrial.Kind] = (0..<36).map {
      [.fall, .sittingDown, .motion(.squats), .lyingDown][$0 % 4]
    }
    let clips = Self.clips(kinds, groups: 3, seed: 700)
    var steps: [Int] = []
    let (model, report) = fit.run(clips) { done, count in
      steps.append(done)
      #expect(count == 3)
    }
    #expect(steps == [0, 1, 2])
    let row = try #require(report.rows.first { $0.shift == report.shift })
    #expect(row.figures.count == 1 && row.figures[0].falls == 9)
    #expect(row.figures[0].found >= 7, "\(row.figures[0].missed)")
    #expect(row.figures[0].falseAlarmRate <= fit.mostFalseAlarms)
    #expect(report.table.contains("→"))
    #expect(fit.run(clips).model == model)

    var bench = FallBench(model)
    (bench.fallCount, bench.otherCount) = (0, 0)
    let real = try #require(bench.run(clips).real)
    #expect(real.falls == 9 && real.found >= 7 && real.minutes > 4)
  }

  @Test("what is reported in time is found, what is reported elsewhere is false")
  func counting() throws {
    let frames = (0...600).map { PoseSequence.Frame(time: Double($0) / 10, poses: []) }
    func clip(_ impact: Double?, _ showsAftermath: Bool = true) -> FallClip {
      FallClip(
        name: "clip", group: "room", impact: impact, showsAftermath: showsAftermath, poses: frames,
        aspectRatio: 1)
    }
    var falls = RealFalls()
    falls.add(clip(30), alarms: [31.4])
    falls.add(clip(30), alarms: [3, 29, 40])
    falls.add(clip(30, false), alarms: [30.8])
    falls.add(clip(nil), alarms: [1, 7])
    #expect(falls.falls == 2 && falls.found == 1 && falls.missed == ["clip"])
    #expect(falls.shortFalls == 1 && falls.foundShort == 1)
    #expect(falls.falseAlarms == 4 && abs(falls.minutes - (3 * 29.5 + 60) / 60) < 1e-6)
    #expect(abs(falls.falseAlarmRate - 120 / falls.minutes) < 1e-9)
  }

  @Test("a table of clips is read with rooms and times, and says what is wrong")
  func index() throws {
    let folder = try TemporaryFolder()
    func index(_ text: String) throws -> FallIndex {
      try Data(text.utf8).write(to: folder.url("index.csv"))
      return try FallIndex(contentsOf: folder.url("index.csv"))
    }
    let rows = try index(
      """
      file,fall_time,visible_after,what
      a_1.mp4,2.5,yes,"hall: stumbles, falls"
      b_2.mp4,,,walks
      b_2.mp4,,,sits
      """
    ).rows
    #expect(rows.map(\.url.lastPathComponent) == ["a_1.mp4", "b_2.mp4"])
    let clips = rows.map { $0.clip([], aspectRatio: 1) }
    #expect(clips.map(\.group) == ["hall", "b"] && clips.map(\.impact) == [2.5, nil])
    #expect(clips.map(\.showsAftermath) == [true, false] && clips[0].name == "a_1")
    for (text, part) in [
      ("name,label\na,b\n", "no column “file”"), ("file,fall_time\na.mp4,soon\n", "row 2"),
    ] {
      let error = #expect(throws: WatchError.self) { try index(text) }
      #expect(error?.message.contains(part) == true)
    }
    let missing = #expect(throws: WatchError.self) {
      try FallIndex(contentsOf: folder.url("none.csv"))
    }
    #expect(missing?.code == .notFound)
  }
}
