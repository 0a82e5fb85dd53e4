import Foundation
import Kinema
import KinemaFiles
import KinemaLab

struct RealPeopleBenchCommand: Bench {
  static let name = "bench real-people"
  static let abstract = "Measure how right classifiers are about people in real clips."
  static let usage = "TABLE.csv … [--models MODELS]"
  static let discussion = """
    Classifies the clips that tables name, and compares what is named, in files and live, with what is done:
    segments, windows, stretches over time, and counted repetitions. Live, each clip is read alone, as a stream
    that begins, and after the end of another one without an exercise, as one that runs. Each figure has its
    deviation over the sources of the clips: a smaller difference between two models is no reason to choose
    one. Models of one recipe that differ in their seed are joined with +, and their figures are a mean.

    With --fit-course the rules by which the first model's windows are read in their course, in files and
    live, are chosen by these clips, for kinema model make --course; the figures are those of each fifth of
    the sources with the rules that are best on the others, the mean of five such divisions of the sources,
    beside the rules of before, which stay where that is no better than its deviation.

    A table has the columns file, label, start_time and end_time in seconds, and may have reps, and
    source_repo or source: who made the clip. Without labels nobody does an exercise.
    """
  static let examples = """
    kinema bench real-people clips/index.csv
        Show the figures of Exercise and Workout.
    kinema bench real-people */index.csv --models Workout,a1.mlmodel+a2.mlmodel+a3.mlmodel
        Compare a recipe that was trained three times with the built-in model.
    kinema bench real-people */index.csv --models mine.mlmodel --fit-course course.json
        Choose how a model's windows are read in their course.
    kinema bench real-people clips/index.csv --format json
        List all that is wrong, with its time and kind.
    """
  @Option("MODELS", "Models, with commas between them (default: Exercise,Workout).")
  var models: String?
  @Option("FOLDER", "The pose cache (default ~/.cache/kinema/features).")
  var cache: FolderPath?
  @Option("FILE", "Choose how windows are read in their course, and write that (.json).")
  var fitCourse: OutputFile?
  var frames = FrameOptions()
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table
  @Operands(1...64, "Name tables of labelled clips.")
  var tables: [String]

  func measure() async throws -> any BenchReport {
    let candidates = try (models ?? "Exercise,Workout").split(separator: ",").map { names in
      RealPeopleBench.Candidate(
        name: String(names),
        trainings: try names.split(separator: "+").map {
          try ActionClassifier(contentsOf: try NamedModel(named: String($0)).url)
        })
    }
    guard !candidates.isEmpty, candidates.allSatisfy({ !$0.trainings.isEmpty }) else {
      throw UsageError("Name the models after --models, such as Exercise,Workout.")
    }
    var bench = RealPeopleBench(
      try LabelledClips(contentsOf: tables.map { URL(filePath: $0) }), candidates,
      options: frames.options(.bodies(.init()), cache: cache))
    bench.threadCount = frames.threads
    if let fitCourse {
      let show = Self.showProgress("clips and rules")
      guard let fit = try await bench.courseFit(progress: show) else { throw CancellationError() }
      let threads = frames.threads ?? ProcessInfo.processInfo.activeProcessorCount
      let result = try await fit.run(threadCount: threads, progress: show)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try WholeFile.write(encoder.encode(result.course), to: fitCourse.url)
      return fit.report(of: result)
    }
    return try await bench.run(progress: Self.showProgress("clips and models"))
  }
}
