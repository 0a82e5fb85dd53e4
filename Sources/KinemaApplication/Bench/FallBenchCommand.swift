import Foundation
import Kinema
import KinemaFiles
import KinemaLab
import KinemaNetwork
import KinemaWatch

struct FallBenchCommand: Bench {
  static let name = "bench falls"
  static let abstract = "Measure how many falls are found."
  static let usage = "[INDEX.csv …] [--motion FOLDER] [--fit FILE]"
  static let discussion = """
    Shows how many falls of synthetic people are found within three seconds, well seen and before the cameras
    of rooms, and what else is taken for one: sitting and lying down, exercises on the floor, and all that
    brings people low.

    INDEX.csv lists real clips, videos or poses, and is measured as well. Each row has file, beside the
    index; fall_time, when a person is on the floor, in seconds, or nothing; visible_after, yes where two
    seconds of what follows are seen; and what, with the room before a colon;
    without, clips whose names begin alike up to _ are of one room. With --motion, people in motion capture
    whom nobody has learned from are measured with them.

    With --fit, a model is learned from synthetic people and from the other people of --motion. Real clips are
    never learned from: they choose how easily a fall is reported, by cross-validation over their rooms, and
    where no rate is asked for, both from all frames and from 12.5 a second, as of cameras.
    """
  static let examples = """
    kinema bench falls --seed 7
        Show how many falls are found, and how many false alarms there are.
    kinema bench falls falls/index.csv everyday/index.csv
        The same of real clips.
    kinema bench falls falls/index.csv everyday/index.csv --motion motion/ --fit Falls.json
        Learn the model that comes with Kinema.
    """
  @Option("FOLDER", "A folder of motion capture with an index.csv.")
  var motion: FolderPath?
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
    // The signs of falls are those of postures, too.
    _ = try PostureModel.installed
    let captured = try motion.map {
      try FallClip.captured(in: $0.url, seed: FallFit.captureSeed &+ (seed ?? 0))
    }
    let heldOut = captured?.heldOut ?? []
    if let fit = fit?.url {
      var falls = FallFit()
      falls.seed = seed ?? falls.seed
      falls.captured = captured?.training ?? []
      var footage: [FallFit.Footage] = []
      for rate in frames.rate.map({ [$0] }) ?? Self.rates {
        footage.append(.init(rate: rate.description, try await clips(rate) + heldOut))
      }
      let (model, report) = falls.run(footage, progress: Self.showProgress("models"))
      try WholeFile.write(model.forest.stableJSON, to: fit)
      return report
    }
    let clips = try await clips(frames.rate ?? .all) + heldOut
    var bench = FallBench(try .builtIn)
    if let sequences { (bench.fallCount, bench.otherCount) = (sequences, 5 * sequences) }
    bench.seed = seed ?? bench.seed
    return bench.run(clips, progress: Self.showProgress("sequences"))
  }

  /// The rates at which the operating point must hold: every frame of a file, and what cameras give.
  private static let rates: [ProcessingRate] = [.all, .atMost(12.5)]

  private func clips(_ rate: ProcessingRate) async throws -> [FallClip] {
    let labelled = try LabelledClips(contentsOf: indices.map { URL(filePath: $0) }).clips
    var options = frames.options(.bodies(.init()))
    options.rate = rate
    let posed = PosedFiles(labelled.map(\.url), options: options, threadCount: frames.threads)
    var clips: [FallClip] = []
    for clip in labelled {
      var (poses, aspectRatio): ([PoseSequence.Frame], Float) = ([], 1)
      try await posed.forEachFrame(of: clip.url) { frame in
        poses.append(PoseSequence.Frame(time: frame.time, poses: frame.poses))
        aspectRatio = frame.aspectRatio ?? aspectRatio
      }
      clips.append(FallClip(clip, poses: poses, aspectRatio: aspectRatio))
    }
    return clips
  }
}
