import Foundation
import Kinema
import KinemaAction
import KinemaVision

/// `kinema bench`: measures what a frame and a prediction cost on this machine.
enum BenchCommand: Command {
  static let name = "bench"
  static let abstract = "Measure what a frame and a prediction cost on this machine."
  static let operands = "[VIDEO] [--model MODEL]"
  static let discussion = """
    The video is read once without looking at it, and then goes the whole way with the time of each
    stage taken. "Overhead" is what the whole way costs beyond reading and the networks, each as it is
    on the way, where they share caches. Times are processor time, of all threads. With a model and no
    video only a prediction is measured.

    --training measures steps of training, with --precision f32 (default) or bf16.

    --counting counts repetitions of synthetic people, and what is counted where there are none; --model
    is then another counter.

    --people tells how well two to four synthetic people are followed who walk past each other: the
    share of frames in which those are found of whom half can be seen (surely: with a joint that is sure,
    not only where they are expected; least: of the person found least), ids that go over to somebody
    else (swaps) or are given anew (splits), poses of nobody and runs of the networks, both a frame.
    With a VIDEO it tells how many people a frame are followed, and how many the detector alone sees.
    """
  static let examples: [(line: String, meaning: String)] = [
    ("kinema bench workout.mp4", "Show milliseconds a frame, stage by stage."),
    (
      "kinema bench workout.mp4 --model Exercise.mlmodel --format json",
      "Also a prediction against its matrix products, for a script."
    ),
    ("kinema bench --counting --threads 2", "Show how well repetitions are counted, by movement."),
    ("kinema bench --people --threads 2", "Show how well people are kept apart who cross."),
  ]
  static let options = [
    Option("model", value: "MODEL", "Also measure a prediction of this model."),
    Option("precision", value: "P", "full (default) or fast (bf16); of training f32 or bf16."),
    Option("training", value: "NETWORK", "Measure training steps instead: stgcn or tcn, no VIDEO."),
    Option("batch", value: "N", "Windows of a training step (default 32)."),
    Option("window", value: "N", "Frames of a training window (default 60)."),
    Option("threads", value: "N", "Threads of training, counting or following (default 1)."),
    Option("counting", "Measure counting instead, on synthetic people; no VIDEO."),
    Option("sequences", value: "N", "Sequences that are counted (default 500)."),
    Option("idle", value: "N", "Minutes each of standing, sitting, talking, plank (default 10)."),
    Option("people", "Measure how people are followed: in VIDEO, else synthetic ones."),
    Option("scenes", value: "N", "Scenes of people, ten seconds each (default 20)."),
    Option("seed", value: "N", "Decides the people who are counted or followed."),
    Option("persons", value: "N", "Follow at most N people (default 4)."),
    Option("seconds", value: "S", "How long training is measured (default 5)."),
    Option("format", value: "FORMAT", "What to print: table (default) or json."),
  ]

  enum Format: String, CaseIterable { case table, json }

  /// Milliseconds of processor time a frame, if nothing else is said.
  private struct Report: Encodable {
    var frames = 0
    var found = 0
    var people = 0.0
    var framesPerSecond = 0.0
    var decode = 0.0
    var decodeAlone = 0.0
    var networks = 0.0
    var whole = 0.0
    var overhead = 0.0
    var detectorRun = 0.0
    var landmarksRun = 0.0
    var samplingRun = 0.0
    var decodingRun = 0.0
    var prediction: Double?
    var predictionProducts: Double?
  }

  static func run(_ arguments: Arguments) async throws {
    if arguments.value("training") != nil { return try runTraining(arguments) }
    if arguments.has("counting") { return try runCounting(arguments) }
    if arguments.has("people") { return try await runPeople(arguments) }
    let model = try arguments.model()
    let files =
      arguments.operands.isEmpty && model != nil ? [] : try InputFiles.resolve(arguments.operands)
    guard files.count <= 1 else { throw UsageError("Name one video.") }
    let format = try arguments.choice("format", default: Format.table)
    let configuration = try PoseCommand.extractorConfiguration(arguments)
    configuration.precision.tellWhereMissing()
    var report = Report()
    if let file = files.first {
      try await measureReading(file, into: &report)
      try await measureWhole(file, configuration, into: &report)
    }
    if let model {
      let cost = try ActionClassifier(contentsOf: model).measureCost()
      report.prediction = cost.prediction / .milliseconds(1)
      report.predictionProducts = cost.products / .milliseconds(1)
    }
    switch format {
    case .table: StandardStreams.print(table(of: report))
    case .json: StandardStreams.print(try JSONEncoder().encode(report) + Data("\n".utf8))
    }
  }

  private static func runTraining(_ arguments: Arguments) throws {
    guard arguments.operands.isEmpty else { throw UsageError("--training takes no video.") }
    let format = try arguments.choice("format", default: Format.table)
    let report = try TrainingBench.run(try TrainingBench.Settings(arguments))
    switch format {
    case .table: StandardStreams.print(report.table)
    case .json: StandardStreams.print(try JSONEncoder().encode(report) + Data("\n".utf8))
    }
  }

  private static func runCounting(_ arguments: Arguments) throws {
    guard arguments.operands.isEmpty else { throw UsageError("--counting takes no video.") }
    let format = try arguments.choice("format", default: Format.table)
    let report = try CountingBench.run(arguments)
    switch format {
    case .table: StandardStreams.print(report.table)
    case .json: StandardStreams.print(try JSONEncoder().encode(report) + Data("\n".utf8))
    }
  }

  private static func runPeople(_ arguments: Arguments) async throws {
    let format = try arguments.choice("format", default: Format.table)
    guard arguments.operands.count <= 1 else { throw UsageError("Name one video.") }
    if let file = try arguments.operands.first.flatMap({ try InputFiles.resolve([$0]).first }) {
      let report = try await PeopleBench.measure(file, arguments)
      switch format {
      case .table: StandardStreams.print(report.table)
      case .json: StandardStreams.print(try JSONEncoder().encode(report) + Data("\n".utf8))
      }
      return
    }
    let report = try await PeopleBench.run(arguments)
    switch format {
    case .table: StandardStreams.print(report.table)
    case .json: StandardStreams.print(try JSONEncoder().encode(report) + Data("\n".utf8))
    }
  }

  private static func measureReading(_ file: URL, into report: inout Report) async throws {
    var count = 0
    let start = cpuSeconds()
    for try await _ in try await VideoReader.read(contentsOf: file) { count += 1 }
    report.decodeAlone = (cpuSeconds() - start) * 1000 / Double(max(1, count))
  }

  private static func measureWhole(
    _ file: URL, _ configuration: HumanBodyPoseExtractor.Configuration, into report: inout Report
  ) async throws {
    let extractor = HumanBodyPoseExtractor(configuration: configuration)
    var cpuStart = 0.0
    var wallStart = ContinuousClock.now
    let frames = try await VideoReader.read(contentsOf: file)
    for try await frame in frames {
      let poses = try await extractor.applied(to: frame).feature
      report.found += poses.isEmpty ? 0 : 1
      report.people += Double(poses.count)
      report.frames += 1
      if report.frames == 1 {
        await extractor.measureStages()
        cpuStart = cpuSeconds()
        wallStart = .now
      }
    }
    report.people /= Double(max(1, report.frames))
    let count = Double(report.frames - 1)
    guard count > 0 else {
      throw CommandFailure(.badData, "\(file.path) has too few frames to measure anything.")
    }
    let stages = await extractor.stageTimes
    // What reading costs beside the networks, with which it shares caches and memory.
    report.decode = frames.readingSeconds * 1000 / Double(report.frames)
    report.whole = (cpuSeconds() - cpuStart) * 1000 / count
    report.framesPerSecond = count / ((ContinuousClock.now - wallStart) / .seconds(1))
    report.networks = (stages.seconds(.detector) + stages.seconds(.landmarks)) * 1000 / count
    report.detectorRun = stages.milliseconds(.detector)
    report.landmarksRun = stages.milliseconds(.landmarks)
    report.samplingRun = stages.milliseconds(.sampling)
    report.decodingRun = stages.milliseconds(.decoding)
    report.overhead = report.whole / (report.decode + report.networks) - 1
  }

  /// The processor time of all threads of the process so far.
  static func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private static func table(of report: Report) -> String {
    var table = TextTable([("", .left), ("", .right)])
    func add(_ title: String, _ milliseconds: Double) {
      table.add([title, "\(milliseconds.fixed(2)) ms"])
    }
    if report.frames > 0 {
      add("reading, a frame", report.decode)
      add("reading alone, a frame", report.decodeAlone)
      add("networks, a frame", report.networks)
      add("the whole way, a frame", report.whole)
      table.add(["overhead", report.overhead.percent])
      table.add(["people in a frame", report.people.fixed(2)])
      table.add(["speed", "\(report.framesPerSecond.fixed(1)) fps"])
      add("one run of the detector", report.detectorRun)
      add("one run of the landmark network", report.landmarksRun)
      add("cutting out one region", report.samplingRun)
      add("making landmarks of one run's numbers", report.decodingRun)
    }
    if let prediction = report.prediction, let products = report.predictionProducts {
      add("one prediction", prediction)
      add("its matrix products alone", products)
    }
    return table.text
  }
}

extension StageTimes {
  /// The processor time of all runs of a stage.
  fileprivate func seconds(_ stage: Stage) -> Double { seconds[stage.rawValue] }

  /// The processor time of one run of a stage.
  fileprivate func milliseconds(_ stage: Stage) -> Double {
    seconds[stage.rawValue] * 1000 / Double(max(1, counts[stage.rawValue]))
  }
}
