import Foundation
import Kinema
import KinemaFiles
import KinemaLab
import KinemaRendering
import KinemaReport

struct ClipsBenchCommand: Bench {
  static let name = "bench clips"
  static let abstract = "Measure poses and processor time of each video in a folder."
  static let usage = "FOLDER"
  static let discussion = """
    Extracts the poses of each video in a folder and shows frames with a pose, frames of each person, runs
    of each stage, and microseconds of processor time a frame.
    """
  static let examples = """
    kinema bench clips videos/ --format json
        Compare clips, for a script.
    """
  var bodies = BodyOptions()
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table
  @Operands(1...1, "Name one folder of videos.")
  var folders: [String]

  func measure() async throws -> any BenchReport {
    try await ClipsBench.run(
      InputFiles.resolve(folders), bodies.configuration, progress: Self.showProgress("clips"))
  }
}

struct HardPosesBenchCommand: Bench {
  static let name = "bench hard-poses"
  static let abstract = "Measure how small and half-visible synthetic people are found."
  static let usage = "[--sequences N]"
  static let discussion = """
    Searches for synthetic people who are small, seen from the side or from behind, on the floor or half
    outside the frame, in sequences of two seconds: frames with the person and with a false positive, errors
    of joints in shares of the trunk, frames with left and right exchanged, and the first frame with the
    person.
    """
  static let examples = """
    kinema bench hard-poses --sequences 2
        Show which poses are hard to find.
    """
  @Option("N", "Sequences of each pose.", 1...1000)
  var sequences = 4
  @Option("N", "Seed of the first sequence (default 1).")
  var seed: UInt64?
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table

  func measure() async throws -> any BenchReport {
    try await HardPosesBench.run(
      sequenceCount: sequences, seed: seed ?? 1, progress: Self.showProgress("hard poses"))
  }
}

struct PoseErrorsBenchCommand: Bench {
  static let name = "bench pose-errors"
  static let abstract = "Measure how far joints are misplaced, beside what trainings simulate."
  static let usage = "[VIDEO …]"
  static let discussion = """
    Renders synthetic people, finds their poses, and shows how far joints are from their true places, in
    percent of the stature: by an error that stays, one that goes with the movement, and one that trembles
    from frame to frame; beside the errors that trainings simulate for the same people. Of real people in
    videos, whose true places nobody knows, it shows what trembles, gaps, and how large they are.
    """
  static let examples = """
    kinema bench pose-errors clips/*.mp4
        Compare rendered, simulated and real poses.
    """
  @Option("N", "Sequences of synthetic people, three seconds each (default 40).", 1...100_000)
  var sequences: Int?
  @Option("N", "Seed of the people.")
  var seed: UInt64?
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table
  var frames = FrameOptions()
  @Operands(0...4096)
  var videos: [String]

  func measure() async throws -> any BenchReport {
    let files = videos.isEmpty ? [] : try InputFiles.resolve(videos)
    let posed = PosedFiles(
      files, options: frames.options(.bodies(.init())), threadCount: frames.threads)
    var footage: [PoseErrorBench.Footage] = []
    for file in files {
      var video = PoseErrorBench.Footage()
      try await posed.forEachProminentPose(of: file) { pose, frame in
        video.add(pose, aspectRatio: frame.aspectRatio ?? 1)
      }
      footage.append(video)
    }
    var bench = PoseErrorBench()
    (bench.sequenceCount, bench.seed) = (sequences ?? bench.sequenceCount, seed ?? bench.seed)
    return try await bench.run(footage, progress: Self.showProgress("sequences"))
  }
}

struct RoomsBenchCommand: Bench {
  static let name = "bench rooms"
  static let abstract = "Measure how often people are found in videos without any."
  static let usage = "FOLDER"
  static let discussion = """
    Searches for people in each video of a folder of rooms, things and streets in which nobody is, frame by
    frame as a live session does, and shows the tracks that are found all the same, those that last for two
    seconds, the longest one, and milliseconds of processor time a frame.
    """
  static let examples = """
    kinema bench rooms empty/
        Count the people that are none.
    """
  var bodies = BodyOptions()
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table
  @Operands(1...1, "Name one folder of videos.")
  var folders: [String]

  func measure() async throws -> any BenchReport {
    try await RoomsBench.run(
      InputFiles.resolve(folders), bodies.configuration, progress: Self.showProgress("rooms"))
  }
}

struct EntrancesBenchCommand: Bench {
  static let name = "bench entrances"
  static let abstract =
    "Measure how much later watched sources report who enters than every frame would."
  static let usage = ""
  static let discussion = """
    Synthetic people walk into a room, near and far, by steady, dimming, switched and flickering light and with
    the noise of a camera; in a third of the rooms somebody stands already, in another one somebody exercises.
    Shown are how many of those that are found when every frame is processed are found when kinema watch
    chooses the frames, how much later, when that is after they set out (median time), and how many frames a
    second it processes before they enter.
    """
  static let examples = """
    kinema bench entrances --entrances 40
        Measure 40 entrances.
    """
  @Option("N", "Entrances (default 200).", 1...100_000)
  var entrances: Int?
  @Option("N", "Seed of the people and rooms.")
  var seed: UInt64?
  var bodies = BodyOptions()
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table

  func measure() async throws -> any BenchReport {
    bodies.configuration.settings.reportSubstitutes()
    var bench = EntranceBench()
    (bench.count, bench.seed) = (entrances ?? bench.count, seed ?? bench.seed)
    let pool = PosePool.shared(workerCount: ProcessInfo.processInfo.activeProcessorCount)
    return try await bench.run(
      pool, subject: .bodies(bodies.configuration), progress: Self.showProgress("entrances"))
  }
}

struct PeopleBenchCommand: Bench {
  static let name = "bench people"
  static let abstract = "Measure how well people are tracked: in VIDEO, else synthetic ones."
  static let usage = "[VIDEO]"
  static let discussion = """
    Tracks two to four synthetic people in scenes of six kinds: crossings (they walk past each other),
    same-clothes, groups (they meet, part and meet others), occluders (pillars and furniture),
    moving-camera, and returns (they leave the frame for 5 to 60 seconds and return, before a new person
    enters). Shown are the share of frames in which a person who is at least half visible is found (recall;
    confident: with a confident joint, not only predicted; lowest: of the person with the lowest recall),
    false positives and runs of the networks, both a frame; HOTA, IDF1, MOTA and ID switches (IDSW) as
    TrackEval defines them, with a similarity of 1 - d / 0.4, where d is the mean distance of joints in
    heights of the person; ids that move to another person (switches) or are replaced by a new one
    (fragments); and how often a person who returns has the old id again (regained) or gets another's.
    Tracks are those of a file, whose ids are decided with look-ahead; with --live those of a live
    session.
    With --hands two synthetic hands cross, leave the frame one after the other and return.
    With a VIDEO it shows how many people a frame are tracked, and how many the detector alone finds.
    """
  static let examples = """
    kinema bench people --threads 2
        Show how well people are tracked.
    kinema bench people --hands
        Show how well two hands are tracked.
    kinema bench people --kind groups --report groups.html
        Also draw ids over time.
    """
  @Option("KIND", "Scenes of people of one kind only (default: all kinds).")
  var kind: SyntheticCrossing.Kind?
  @Flag("Track two synthetic hands instead.")
  var hands: Bool
  @Flag("Evaluate ids as a live session reports them.")
  var live: Bool
  @Option("N", "Scenes of each kind, ten seconds each (default 20).", 1...100_000)
  var scenes: Int?
  @Option("FILE", "Draw ids over time: .html.")
  var report: ReportFile?
  @Option("FOLDER", "Write the tracks of each scene, a line of JSON a frame.")
  var export: FolderPath?
  @Option("N", "Threads of tracking.", 1...1024)
  var threads = 1
  @Option("N", "Seed of the people.")
  var seed: UInt64?
  var bodies = BodyOptions()
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table
  @Operands(0...1, "Name one video.")
  var videos: [String]

  func measure() async throws -> any BenchReport {
    if let file = try videos.first.flatMap({ try InputFiles.resolve([$0]).first }) {
      return try await PeopleBench.measure(file, bodies.configuration)
    }
    if let export { try OutputTarget.makeFolder(export.url) }
    var benchmark = FollowingBenchmark()
    if let kind { benchmark.kinds = [kind] }
    benchmark.sceneCount = scenes ?? benchmark.sceneCount
    benchmark.threadCount = threads
    benchmark.maximumPersonCount = bodies.persons ?? benchmark.maximumPersonCount
    benchmark.seed = seed ?? benchmark.seed
    benchmark.isOfHands = hands
    benchmark.isLive = live
    let found = PeopleBench.Report(
      try await benchmark.run(progress: Self.showProgress("tracking")))
    if let export {
      for (name, lines) in try found.exportedTracks() {
        try WholeFile.write(lines, to: export.url.appending(path: name))
      }
    }
    if let report { try found.page.write(to: report.url) }
    return found
  }
}

extension SyntheticCrossing.Kind: OptionValue {}
