import Foundation
import Kinema
import KinemaFiles
import KinemaLab
import KinemaNetwork
import KinemaPose

struct PostureBenchCommand: Bench {
  static let name = "bench postures"
  static let abstract = "Measure how often postures are right."
  static let usage = "[TABLE.csv …] [--motion FOLDER] [--fit FILE]"
  static let discussion = """
    Shows how often the posture of synthetic people is right, at single moments, against the places of their
    joints in space; with --motion also that of motion capture of people whom nobody has learned from. Tables
    of labelled clips, as of kinema bench real-people and kinema bench falls, add people in real clips, by
    windows of two seconds: those whose label is a posture, or an exercise in one, and those who have fallen.

    With --fit, models that differ in their examples are learned from synthetic people and the other people of
    --motion, and measured; their mean is written. Real clips are never learned from.
    """
  static let examples = """
    kinema bench postures clips/index.csv falls/index.csv
        Show how often the built-in model is right.
    kinema bench postures */index.csv --motion motion/ --fit Postures.json
        Learn the model that comes with Kinema.
    """
  @Option("FOLDER", "A folder of motion capture with an index.csv.")
  var motion: FolderPath?
  @Option("N", "Sequences of synthetic people that are measured (default 1000).", 1...1_000_000)
  var sequences: Int?
  @Option("N", "Seed of the people.")
  var seed: UInt64?
  @Option("FILE", "Learn a model, and write it.")
  var fit: OutputFile?
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table
  var frames = FrameOptions()
  @Operands(0...64)
  var tables: [String]

  func measure() async throws -> any BenchReport {
    let clips = try await clips()
    let capture = try motion.map { try MotionCapture(contentsOf: $0.url).split }
    let models: [PostureModel]
    if let fit = fit?.url {
      var learned = PostureFit()
      learned.seed = seed ?? learned.seed
      learned.capture = capture?.training
      models = try await learned.run(progress: Self.showProgress("sequences"))
      try WholeFile.write(PostureFit.mean(of: models).stableJSON, to: fit)
    } else {
      models = [try PostureModel.installed]
    }
    var bench = PostureBench(models)
    bench.capture = capture?.heldOut
    bench.seed = seed ?? bench.seed
    bench.sequenceCount = sequences ?? bench.sequenceCount
    return try await bench.run(clips, progress: Self.showProgress("sequences"))
  }

  private func clips() async throws -> [RealPostures] {
    var clips = try RealPostures.clips(of: tables.map { URL(filePath: $0) })
    let posed = PosedFiles(
      clips.map(\.url), options: frames.options(.bodies(.init())), threadCount: frames.threads)
    for index in clips.indices {
      try await posed.forEachProminentPose(of: clips[index].url) { pose, frame in
        clips[index].add(pose, at: frame.time, aspectRatio: frame.aspectRatio ?? 1)
      }
    }
    return clips
  }
}
