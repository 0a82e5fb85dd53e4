import Foundation
import Kinema
import KinemaFiles
import KinemaRendering
import KinemaReport
import KinemaSynth

/// `kinema synth`: synthetic people, as videos, as poses, and as training sets of either.
struct SynthCommand: Command {
  static let name = "synth"
  static let abstract = "Generate synthetic people in motion, with exact labels and poses."
  static let usage = "--output VIDEO.mp4 [--actions LIST] | --dataset FOLDER --sequences N"
  static var discussion: String {
    """
    The seed determines everything: build, clothes, tempo and style. --list shows the \(Motion.library.count) motions. In
    the labels of a video, the transition from one motion to the next is "transition". Standing, sitting,
    talking and planks have no repetitions, but take as long.

    A data set is FOLDER/<label>/<motion>-<number>.npz with FOLDER/annotations.csv:
    file_name,label,start_time,end_time,motion,repetitions. Its poses are what a pose estimator would
    find, with its errors. Interrupted work resumes; a larger --sequences adds to the folder.
    """
  }
  static let examples = """
    kinema synth --output people.mp4
        Five exercises and standing, a few repetitions each.
    kinema synth --output jacks.mp4 --actions jumping_jacks --repetitions 10 --seed 7
        Ten jumping jacks by person number 7.
    kinema synth --output squats.mp4 --actions squats,standing,squats --poses squats.npz --labels squats.csv
        A set, a rest, a set; with the exact poses and a row for each segment.
    kinema synth --dataset training/ --sequences 20000
        A training set: five exercises, 15 % each, and 25 % of everything else.
    kinema synth --dataset gym/ --sequences 500 --labels deadlifts,sit_ups,other_action --videos
        Videos of two other exercises and of everything else.
    """
  @Option("VIDEO", "The video to write (.mp4).")
  var output: OutputFile?
  @Option("FILE", "Also write the exact poses (.npz or .jsonl).")
  var poses: OutputFile?
  @Option(
    "FILE|LIST",
    "With --output: also write the labelled segments (.csv). With --dataset: the labels.")
  var labels: String?
  var people = SynthOptions()
  @Option("FOLDER", "Write a training set into a folder.")
  var dataset: FolderPath?
  @Option("N", "The number of sequences of the training set.", 1...10_000_000)
  var sequences: Int?
  @Option("SECONDS", "The duration of a sequence (default 3.333).", 0.1...600)
  var duration: Double?
  @Flag("Render the training set as videos instead of poses.")
  var videos: Bool
  @Flag("Show the motions: name, class and description.")
  var list: Bool
  @Operands(0...0, "Name the video with --output.")
  var operands: [String]

  /// What was made, for people and for programs.
  struct Made {
    let text: String
    let json: JSONObject
  }

  func run() async throws {
    StandardStreams.print(list ? Self.table : try await make().text)
  }

  func make() async throws -> Made {
    if let dataset {
      let text = try await SynthDataset(self, folder: dataset.url).write()
      return Made(text: text, json: ["schema": 1, "folder": dataset.url.path])
    }
    for (option, isGiven) in [("sequences", sequences != nil), ("duration", duration != nil)]
    where isGiven {
      throw UsageError("--\(option) goes with --dataset FOLDER.")
    }
    guard !videos else { throw UsageError("--videos goes with --dataset FOLDER.") }
    let options = people
    let (video, poses) = (output?.url, poses?.url)
    let labels = try labels.flatMap { try OutputFile.value(of: $0, within: nil)?.url }
    guard video != nil || poses != nil else {
      throw UsageError("Name the video to write with --output, or a folder with --dataset.")
    }
    if let video, video.pathExtension.lowercased() != "mp4" {
      throw UsageError("The video is written as .mp4; \(video.lastPathComponent) is not.")
    }
    if let poses, PoseSequence.format(of: poses) == nil {
      throw UsageError(
        "Poses are written as .npz or .jsonl; \(poses.lastPathComponent) is neither.")
    }
    if let labels, labels.pathExtension.lowercased() != "csv" {
      throw UsageError("Labels are written as .csv; \(labels.lastPathComponent) is not.")
    }
    let scene = options.scene
    let session = scene.figures[0].session
    if let video {
      try await Self.render(scene, options: options, to: video)
    }
    if let poses {
      let frames = (0..<session.frameCount(frameRate: options.fps)).map { index in
        let time = Double(index) / options.fps
        return PoseSequence.Frame(
          time: time, poses: scene.poses(at: time, aspectRatio: options.aspectRatio),
          size: CGSize(width: options.size.width, height: options.size.height))
      }
      try PoseSequence(frames: frames).write(to: poses)
    }
    if let labels {
      try Self.writeLabels(of: session, video: video, to: labels)
    }
    let segments = session.segments.map { segment -> JSONObject in
      [
        "label": segment.label, "start": segment.start, "end": segment.end,
        "repetitions": segment.repetitions.count,
      ]
    }
    return Made(
      text: Self.timetable(of: session),
      json: ["schema": 1, "video": video?.path, "poses": poses?.path, "segments": segments])
  }

  private static func render(_ scene: SyntheticScene, options: SynthOptions, to url: URL)
    async throws
  {
    let count = scene.figures[0].session.frameCount(frameRate: options.fps)
    var progress = ProgressBar(url.lastPathComponent, total: count)
    defer { progress.finish() }
    try await SynthVideo.write(
      scene, frameCount: count, options: options, seed: options.seed, to: url,
      onFrame: { progress.update($0) })
  }

  private static func writeLabels(
    of session: SyntheticSession, video: URL?, to url: URL
  ) throws {
    var text = "file_name,label,start_time,end_time,repetitions\n"
    for segment in session.segments {
      text += CSV.line([
        video?.lastPathComponent ?? "", segment.label, segment.start.fixed(3),
        segment.end.fixed(3), "\(segment.repetitions.count)",
      ])
    }
    try WholeFile.write(text.utf8, to: url)
  }

  private static var table: String {
    var table = TextTable([
      ("motion", .left), ("class", .left), ("seconds", .right), ("description", .left),
    ])
    for motion in Motion.library {
      let range = motion.cycleDurations
      table.add([
        motion.name, motion.action.rawValue,
        "\(range.lowerBound.fixed(1))–\(range.upperBound.fixed(1))", motion.summary,
      ])
    }
    return table.text
  }

  private static func timetable(of session: SyntheticSession) -> String {
    var table = TextTable([
      ("from", .right), ("to", .right), ("action", .left), ("repetitions", .right),
    ])
    for segment in session.segments {
      table.add([
        segment.start.fixed(1), segment.end.fixed(1), segment.label,
        segment.repetitions.isEmpty ? "" : "\(segment.repetitions.count)",
      ])
    }
    return table.text
  }
}
