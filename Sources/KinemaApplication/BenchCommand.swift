import Foundation
import Kinema
import KinemaCoach
import KinemaFiles
import KinemaLab
import KinemaNetwork
import KinemaReport
import KinemaSynth

/// `kinema bench`: measures what a frame and a prediction cost on this machine.
enum BenchCommand: Command {
  static let name = "bench"
  static let abstract = "Measure speed and quality on this machine."
  static let operands = "[VIDEO] [--model MODEL]"
  static let discussion = """
    The video is decoded once without pose extraction, and then processed with the time of each stage
    measured. "Overhead" is what the whole pipeline costs beyond decoding and the networks. Times are
    processor time of all threads. With a model and no video only a prediction is measured.

    --clips extracts the poses of each video in a folder and shows frames with a pose, frames of each
    person, runs of each stage, and microseconds of processor time a frame.

    --hard-poses searches for synthetic people who are small, seen from the side or from behind, on the
    floor or half outside the frame, in sequences of two seconds, with and without searching parts of
    the frame: frames with the person and with a false positive, errors of joints in shares
    of the trunk, frames with left and right exchanged, and the first frame with the person.

    --training measures training steps, with --precision f32 (default) or bf16.

    --counting counts repetitions of synthetic people, and false counts where there are none; --model
    is then another counter.

    --form evaluates the form of synthetic people with faults of known size by each built-in rule, or by
    those of --rules: how many repetitions can be evaluated, and precision and recall, by view.

    --falls shows how many falls of synthetic people are found within three seconds, and what else is taken
    for one: sitting and lying down, exercises on the floor, and all that brings people low.

    --few-shot trains on a few takes of one synthetic person, of five movements of the library that were
    held out when the layers of Motions were trained, and classifies takes of 40 other people, filmed from
    anywhere: trained from nothing, from the layers, and both beside other_action. Shown is the mean of
    the labels' shares of right takes and right windows.

    --people tracks two to four synthetic people in scenes of six kinds: crossings (they walk past each
    other), same-clothes, groups (they meet, part and meet others), occluders (pillars and furniture),
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
    kinema bench workout.mp4
        Show milliseconds a frame, stage by stage.
    kinema bench workout.mp4 --model Exercise.mlmodel --format json
        Also a prediction against its matrix products, for a script.
    kinema bench --clips videos/ --format json
        Compare clips, for a script.
    kinema bench --hard-poses --sequences 2
        Show which poses are hard to find.
    kinema bench --counting --threads 2
        Show how well repetitions are counted, by movement.
    kinema bench --form --sequences 400
        Show how rightly the rules of form find faults.
    kinema bench --falls --seed 7
        Show how many falls are found, and how many false alarms there are.
    kinema bench --few-shot --threads 2
        Show what three takes of a movement teach.
    kinema bench --people --threads 2
        Show how well people are tracked.
    kinema bench --people --hands
        Show how well two hands are tracked.
    kinema bench --people --kind groups --report groups.html
        Also draw ids over time.
    """
  static let options = """
    --model MODEL  Also measure a prediction of this model.
    --precision P  full (default) or fast (bf16); of training f32 or bf16.
    --training NETWORK  Measure training steps instead: stgcn or tcn, no VIDEO.
    --batch N  Windows of a training step (default 32).
    --window N  Frames of a training window (default 60).
    --threads N  Threads of training, counting or tracking (default 1).
    --clips FOLDER  Measure poses and processor time of each video in a folder.
    --hard-poses  Measure how small and half-visible synthetic people are found.
    --few-shot  Measure a training with few takes of one synthetic person; no VIDEO.
    --takes N  Takes of each movement (default 3).
    --sets N  Sets of five movements (default 4).
    --from MODEL  The model that the training starts from (default Exercise).
    --counting  Measure counting instead, on synthetic people; no VIDEO.
    --form  Evaluate the rules of form instead, on synthetic people; no VIDEO.
    --falls  Measure the recognition of falls instead, on synthetic people; no VIDEO.
    --rules RULES  The rulebook of --form (default: the built-in one).
    --sequences N  Sequences: to count (default 500), of form (400), of falls (40), of each hard pose (4).
    --idle N  Minutes each of standing, sitting, talking, plank (default 10).
    --people  Measure tracking of people: in VIDEO, else of synthetic ones.
    --kind KIND  Scenes of people of one kind only (default: all kinds).
    --hands  With --people: track two synthetic hands instead.
    --live  With --people: evaluate ids as a live session reports them.
    --scenes N  Scenes of each kind, ten seconds each (default 20).
    --report FILE  Draw ids over time: .html.
    --export FOLDER  Write the tracks of each scene, a line of JSON a frame.
    --seed N  Seed of the people who are counted or tracked.
    --persons N  Track at most N people (default 4).
    --seconds S  How long training is measured (default 5).
    --format FORMAT  What to print: table (default) or json.
    """

  static func run(_ arguments: Arguments) async throws {
    let format = try arguments.choice("format", default: ResultFormat.table)
    let report: any BenchReport
    defer { StandardStreams.finishProgress() }
    if arguments.value("training") != nil {
      report = try training(arguments)
    } else if arguments.has("counting") {
      report = try await counting(arguments)
    } else if arguments.has("form") {
      report = try form(arguments)
    } else if arguments.has("falls") {
      report = try falls(arguments)
    } else if arguments.has("few-shot") {
      report = try await fewShot(arguments)
    } else if arguments.has("people") {
      report = try await people(arguments)
    } else if let folder = arguments.value("clips") {
      guard arguments.operands.isEmpty else { throw UsageError("--clips takes no other video.") }
      report = try await ClipsBench.run(
        InputFiles.resolve([folder]), PoseCommand.extractorConfiguration(arguments)
      ) { showProgress("clips", $0, $1) }
    } else if arguments.has("hard-poses") {
      guard arguments.operands.isEmpty else { throw UsageError("--hard-poses takes no video.") }
      let count = try arguments.integer("sequences", within: 1...1000) ?? 4
      report = try await HardPosesBench.run(sequenceCount: count) {
        showProgress("hard poses", $0, $1)
      }
    } else {
      report = try await frames(arguments)
    }
    switch format {
    case .table: StandardStreams.print(report.table)
    case .json: StandardStreams.print(try JSONEncoder().encode(report) + Data("\n".utf8))
    }
  }

  private static func frames(_ arguments: Arguments) async throws -> FrameBench.Report {
    let model = try arguments.model()
    let files =
      arguments.operands.isEmpty && model != nil ? [] : try InputFiles.resolve(arguments.operands)
    guard files.count <= 1 else { throw UsageError("Name one video.") }
    let configuration = try PoseCommand.extractorConfiguration(arguments)
    configuration.precision.reportIfMissing()
    return try await FrameBench.run(files.first, configuration, model: model)
  }

  private static func training(_ arguments: Arguments) throws -> TrainingBench.Report {
    guard arguments.operands.isEmpty else { throw UsageError("--training takes no video.") }
    var settings = TrainingBench.Settings()
    settings.architecture = try arguments.choice("training", default: settings.architecture)
    try arguments.set(&settings.batchSize, from: "batch", within: 1...4096)
    try arguments.set(&settings.windowSize, from: "window", within: 1...2400)
    try arguments.set(&settings.threadCount, from: "threads", within: 1...1024)
    settings.seconds = try arguments.number("seconds", within: 0.1...3600) ?? settings.seconds
    settings.precision =
      switch arguments.value("precision") {
      case nil, "f32": .float32
      case "bf16": .bfloat16
      case let other?: throw UsageError("--precision takes f32 or bf16, not \(other).")
      }
    do {
      return try TrainingBench.run(settings)
    } catch let error as NetworkError {
      throw CommandFailure(.unavailable, "Nothing can be measured: \(error.message).")
    }
  }

  private static func counting(_ arguments: Arguments) async throws -> CountingBench.Report {
    guard arguments.operands.isEmpty else { throw UsageError("--counting takes no video.") }
    var benchmark = RepetitionBenchmark()
    benchmark.threadCount = 1
    try arguments.set(&benchmark.sequenceCount, from: "sequences", within: 1...1_000_000)
    try arguments.set(&benchmark.idleMinutes, from: "idle", within: 1...10_000)
    try arguments.set(&benchmark.threadCount, from: "threads", within: 1...1024)
    benchmark.seed = try arguments.seed() ?? benchmark.seed
    return try await CountingBench.run(benchmark, model: arguments.url("model")) {
      showProgress("counting", $0, $1)
    }
  }

  private static func form(_ arguments: Arguments) throws -> FormBench.Report {
    guard arguments.operands.isEmpty else { throw UsageError("--form takes no video.") }
    let rules = try arguments.url("rules") ?? Rulebook.builtInURL
    var bench = FormBench(try Rulebook(contentsOf: rules))
    try arguments.set(&bench.sequenceCount, from: "sequences", within: 1...1_000_000)
    bench.seed = try arguments.seed() ?? bench.seed
    return try bench.run { showProgress("form", $0, $1) }
  }

  private static func falls(_ arguments: Arguments) throws -> FallBench.Report {
    guard arguments.operands.isEmpty else { throw UsageError("--falls takes no video.") }
    var bench = FallBench()
    if let count = try arguments.integer("sequences", within: 1...100_000) {
      (bench.fallCount, bench.otherCount) = (count, 5 * count)
    }
    bench.seed = try arguments.seed() ?? bench.seed
    return bench.run { showProgress("falls", $0, $1) }
  }

  private static func fewShot(_ arguments: Arguments) async throws -> FewShotBench.Report {
    guard arguments.operands.isEmpty else { throw UsageError("--few-shot takes no video.") }
    let url = try arguments.model("from") ?? BuiltInModel.motions.url
    var bench = FewShotBench(base: try ActionClassifier(contentsOf: url))
    try arguments.set(&bench.takeCount, from: "takes", within: 1...100)
    try arguments.set(&bench.setCount, from: "sets", within: 1...1000)
    try arguments.set(&bench.threadCount, from: "threads", within: 1...1024)
    bench.seed = try arguments.seed() ?? bench.seed
    return try await bench.run { showProgress("few shots", $0, $1) }
  }

  private static func people(_ arguments: Arguments) async throws -> any BenchReport {
    guard arguments.operands.count <= 1 else { throw UsageError("Name one video.") }
    if let file = try arguments.operands.first.flatMap({ try InputFiles.resolve([$0]).first }) {
      return try await PeopleBench.measure(file, PoseCommand.extractorConfiguration(arguments))
    }
    let (page, export) = (try arguments.reportURL(), arguments.url("export"))
    if let export { try OutputTarget.makeFolder(export) }
    var benchmark = FollowingBenchmark()
    if arguments.value("kind") != nil {
      benchmark.kinds = [try arguments.choice("kind", default: .crossings)]
    }
    try arguments.set(&benchmark.sceneCount, from: "scenes", within: 1...100_000)
    try arguments.set(&benchmark.threadCount, from: "threads", within: 1...1024)
    try arguments.set(&benchmark.maximumPersonCount, from: "persons", within: 1...32)
    benchmark.seed = try arguments.seed() ?? benchmark.seed
    benchmark.isOfHands = arguments.has("hands")
    benchmark.isLive = arguments.has("live")
    let report = PeopleBench.Report(
      try await benchmark.run { showProgress("tracking", $0, $1) })
    if let export {
      for (name, lines) in try report.exportedTracks() {
        try WholeFile.write(lines, to: export.appending(path: name))
      }
    }
    if let page { try report.page.write(to: page) }
    return report
  }

  private static func showProgress(_ activity: String, _ done: Int, _ count: Int) {
    guard StandardStreams.errorIsTerminal else { return }
    StandardStreams.showProgress("\(activity)  \(done) of \(count)")
  }
}
