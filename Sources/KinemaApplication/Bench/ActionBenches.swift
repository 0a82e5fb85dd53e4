import Foundation
import Kinema
import KinemaLab
import KinemaNetwork

struct TrainingBenchCommand: Bench {
  static let name = "bench training"
  static let abstract = "Measure training steps."
  static let usage = "stgcn|tcn"
  static let discussion = "Measures the steps of training a network on windows of noise."
  static let examples = """
    kinema bench training tcn --threads 2 --precision bf16
        Show how long a step takes.
    """
  @Option("P", "f32 (default) or bf16.")
  var precision = Precision.f32
  @Option("N", "Windows of a training step (default 32).", 1...4096)
  var batch: Int?
  @Option("N", "Frames of a training window (default 60).", 1...2400)
  var window: Int?
  @Option("N", "Threads of training (default 1).", 1...1024)
  var threads: Int?
  @Option("S", "How long training is measured (default 5).", 0.1...3600)
  var seconds: Double?
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table
  @Operands(1...1, "Name the network: stgcn or tcn.")
  var networks: [String]

  enum Precision: String, CaseIterable, OptionValue { case f32, bf16 }

  func measure() async throws -> any BenchReport {
    var settings = TrainingBench.Settings()
    guard let architecture = TrainingArchitecture(rawValue: networks[0]) else {
      throw UsageError("Name the network: stgcn or tcn, not \(networks[0]).")
    }
    settings.architecture = architecture
    settings.batchSize = batch ?? settings.batchSize
    settings.windowSize = window ?? settings.windowSize
    settings.threadCount = threads ?? settings.threadCount
    settings.seconds = seconds ?? settings.seconds
    settings.precision = precision == .f32 ? .float32 : .bfloat16
    do {
      return try TrainingBench.run(settings)
    } catch let error as NetworkError {
      throw CommandFailure(.unavailable, "Nothing can be measured: \(error.message).")
    }
  }
}

struct FewShotBenchCommand: Bench {
  static let name = "bench few-shot"
  static let abstract = "Measure what a few takes of one synthetic person teach."
  static let usage = "[--takes N]"
  static let discussion = """
    Trains on a few takes of one synthetic person, of five movements of the library that were held out when
    the layers of Motions were trained, and classifies takes of 40 other people, filmed from anywhere:
    trained from nothing, from the layers, and both beside other_action. Shown is the mean of the labels'
    shares of right takes and right windows.
    """
  static let examples = """
    kinema bench few-shot --threads 2
        Show what three takes of a movement teach.
    """
  @Option("N", "Takes of each movement (default 3).", 1...100)
  var takes: Int?
  @Option("N", "Sets of five movements (default 4).", 1...1000)
  var sets: Int?
  @Option("MODEL", "The model that the training starts from (default Motions).")
  var from: NamedModel?
  @Option("N", "Threads of training (default 1).", 1...1024)
  var threads: Int?
  @Option("N", "Seed of the people.")
  var seed: UInt64?
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table

  func measure() async throws -> any BenchReport {
    let url = try from?.url ?? BuiltInModel.motions.url
    var bench = FewShotBench(base: try ActionClassifier(contentsOf: url))
    bench.takeCount = takes ?? bench.takeCount
    bench.setCount = sets ?? bench.setCount
    bench.threadCount = threads ?? bench.threadCount
    bench.seed = seed ?? bench.seed
    return try await bench.run(progress: Self.showProgress("few shots"))
  }
}

struct StressBenchCommand: Bench {
  static let name = "bench stress"
  static let abstract = "Measure what failing poses make classifiers name."
  static let usage = "[--motion FOLDER] [--model MODEL]"
  static let discussion = """
    Classifies windows of two seconds of walking, everyday life, sport and dance, whose poses fail in one
    way at a time: noise, frames without a pose, exchanged sides, joints that are missing, blink or are
    invented, people who are small, cut off at the hips or seen from high above. Shown are the share of
    windows that are named an exercise, with a probability of 0.6, and of windows of walking whose most
    likely label is that; each with its standard error. The people are synthetic; with --motion they are
    those of a folder of motion capture whom no model has learnt from, see kinema model make.
    """
  static let examples = """
    kinema bench stress --motion motion/
        Measure Exercise and Workout on real motion.
    kinema bench stress --model Other.mlmodel
        Measure another model on synthetic people.
    """
  @Option("MODEL", "The model to measure (default: Exercise and Workout).")
  var model: NamedModel?
  @Option("FOLDER", "A folder of motion capture with an index.csv.")
  var motion: FolderPath?
  @Option("N", "Windows of synthetic people in each row (default 1000).", 1...1_000_000)
  var sequences: Int?
  @Option("N", "Seed of cameras and people.")
  var seed: UInt64?
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table

  func measure() async throws -> any BenchReport {
    let urls = try model.map { [$0.url] } ?? [BuiltInModel.exercise.url, BuiltInModel.workout.url]
    var bench = StressBench(
      models: try urls.map {
        ($0.deletingPathExtension().lastPathComponent, try ActionClassifier(contentsOf: $0))
      })
    bench.capture = try motion.map { try MotionCapture(contentsOf: $0.url).split.heldOut }
    bench.windowCount = sequences ?? bench.windowCount
    bench.seed = seed ?? bench.seed
    return try await bench.run(progress: Self.showProgress("stress"))
  }
}

struct CountingBenchCommand: Bench {
  static let name = "bench counting"
  static let abstract = "Measure how well repetitions of synthetic people are counted."
  static let usage = "[--model MODEL]"
  static let discussion = """
    Counts repetitions of synthetic people, and false counts where there are none; --model is another
    counter than the built-in one.
    """
  static let examples = """
    kinema bench counting --threads 2
        Show how well repetitions are counted, by movement.
    """
  @Option("MODEL", "The counter (default: the built-in one).")
  var model: URL?
  @Option("N", "Sequences to count (default 500).", 1...1_000_000)
  var sequences: Int?
  @Option("N", "Minutes each of standing, sitting, talking, plank (default 10).", 1...10_000)
  var idle: Int?
  @Option("N", "Threads of counting.", 1...1024)
  var threads = 1
  @Option("N", "Seed of the people.")
  var seed: UInt64?
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table

  func measure() async throws -> any BenchReport {
    var benchmark = RepetitionBenchmark()
    benchmark.threadCount = threads
    benchmark.sequenceCount = sequences ?? benchmark.sequenceCount
    benchmark.idleMinutes = idle ?? benchmark.idleMinutes
    benchmark.seed = seed ?? benchmark.seed
    return try await CountingBench.run(
      benchmark, model: model, progress: Self.showProgress("counting"))
  }
}
