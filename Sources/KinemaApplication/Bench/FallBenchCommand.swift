import Foundation
import Kinema
import KinemaFiles
import KinemaLab
import KinemaNetwork
import KinemaWatch

struct FallBenchCommand: Bench {
  static let name = "bench falls"
  static let abstract = "Measure how many falls are found."
  static let usage = "[INDEX.csv …] [--fit FILE]"
  static let discussion = """
    Shows how many falls of synthetic people are found within three seconds, and what else is taken for
    one: sitting and lying down, exercises on the floor, and all that brings people low.

    INDEX.csv lists real clips, videos or poses, and is measured as well. Each row has file, beside the
    index; fall_time, when a person is on the floor, in seconds, or nothing; visible_after, yes where two
    seconds of what follows are seen; and what, with the room before a colon;
    without, clips whose names begin alike up to _ are of one room.

    With --fit, a model is learned from the clips and from synthetic people. Its figures are of rooms and
    sources that it has not learned from.
    """
  static let examples = """
    kinema bench falls --seed 7
        Show how many falls are found, and how many false alarms there are.
    kinema bench falls falls/index.csv everyday/index.csv
        The same of real clips.
    kinema bench falls falls/index.csv everyday/index.csv --fit Falls.json
        Learn the model that comes with Kinema.
    """
  @Option("N", "Falls; five times as many other sequences (default 40).", 1...100_000)
  var sequences: Int?
  @Option("N", "Seed of the people.")
  var seed: UInt64?
  @Option("FILE", "Learn a model, and write it.")
  var fit: OutputFile?
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table
  var frames = FrameOptions()
  @Operands(0...Int.max)
  var indices: [String]

  func measure() async throws -> any BenchReport {
    let clips = try await clips()
    if let fit = fit?.url {
      guard !clips.isEmpty else {
        throw UsageError("Name an INDEX.csv of real falls to learn from.")
      }
      var falls = FallFit()
      falls.seed = seed ?? falls.seed
      let (model, report) = falls.run(clips, progress: Self.showProgress("falls"))
      try WholeFile.write(model.forest.stableJSON, to: fit)
      return report
    }
    var bench = FallBench(try .builtIn)
    if let sequences { (bench.fallCount, bench.otherCount) = (sequences, 5 * sequences) }
    bench.seed = seed ?? bench.seed
    return bench.run(clips, progress: Self.showProgress("falls"))
  }

  private func clips() async throws -> [FallClip] {
    let rows = try indices.flatMap { try FallIndex(contentsOf: URL(filePath: $0)).rows }
    let posed = PosedFiles(
      rows.map(\.url), options: frames.options(.bodies(.init())), threadCount: frames.threads)
    var clips: [FallClip] = []
    for row in rows {
      var (poses, aspectRatio): ([PoseSequence.Frame], Float) = ([], 1)
      try await posed.forEachFrame(of: row.url) { frame in
        poses.append(PoseSequence.Frame(time: frame.time, poses: frame.poses))
        aspectRatio = frame.aspectRatio ?? aspectRatio
      }
      clips.append(row.clip(poses, aspectRatio: aspectRatio))
    }
    return clips
  }
}
