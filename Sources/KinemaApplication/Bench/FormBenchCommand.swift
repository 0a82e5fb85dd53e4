import Foundation
import Kinema
import KinemaCoach
import KinemaFiles
import KinemaLab

struct FormBenchCommand: Bench {
  static let name = "bench form"
  static let abstract = "Measure how rightly faults of form are found."
  static let usage = "[INDEX.csv … | --motion FOLDER [--fit FILE]] [--rules RULES]"
  static let discussion = """
    Evaluates the form of synthetic people with faults of known size by each built-in rule, or by those of
    --rules: how many repetitions can be evaluated, and precision and recall, by view.

    INDEX.csv lists real clips, a line a segment: file, beside the table; label, start_time, end_time; and form,
    with the word wrong where their maker marks a fault. Shown are the faults that get a cue, cues where no
    fault is marked, and cues for movements that have another name.

    With --motion, shows how well right and wrong executions of movements are distinguished, of people who
    were not learned from, through simulated cameras: the area under the curve (AUC). FOLDER holds motion
    capture as of UI-PRMD, an index.csv and archives. With --fit, the models that come with Kinema are written.
    """
  static let examples = """
    kinema bench form --sequences 400
        Show how rightly the rules of form find faults.
    kinema bench form clips/index.csv
        What is said about real people.
    kinema bench form --motion motion --fit Quality.json
        Learn what right executions are like.
    """
  @Option("RULES", "The rulebook (default: the built-in one).")
  var rules: URL?
  @Option("N", "Sequences (default 400).", 1...1_000_000)
  var sequences: Int?
  @Option("N", "Seed of the people.")
  var seed: UInt64?
  @Option("FOLDER", "Motion capture of right and wrong executions.")
  var motion: URL?
  @Option("FILE", "Learn models of right executions, and write them.")
  var fit: OutputFile?
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table
  var frames = FrameOptions()
  @Operands(0...Int.max)
  var indices: [String]

  func measure() async throws -> any BenchReport {
    if let motion {
      let fit = try QualityFit(
        contentsOf: motion, seed: seed ?? 1, progress: Self.showProgress("form"))
      let (models, report) = fit.run()
      if let url = self.fit?.url { try WholeFile.write(models.json, to: url) }
      return report
    }
    guard fit == nil else { throw UsageError("--fit learns from motion capture; give --motion.") }
    let rulebook = try Rulebook(contentsOf: rules ?? CoachFile.form.url)
    guard indices.isEmpty else { return try await real(rulebook) }
    var bench = FormBench(rulebook)
    bench.sequenceCount = sequences ?? bench.sequenceCount
    bench.seed = seed ?? bench.seed
    return try bench.run(progress: Self.showProgress("form"))
  }

  private func real(_ rulebook: Rulebook) async throws -> RealFormReport {
    let clips = try LabelledClips(contentsOf: indices.map { URL(filePath: $0) }).clips
    let posed = PosedFiles(
      clips.map(\.url), options: frames.options(.bodies(.init())), threadCount: frames.threads)
    let run = try CoachRun(rulebook, posed: posed)
    var report = RealFormReport()
    for (index, clip) in clips.enumerated() {
      Self.showProgress("form")(index, clips.count)
      report.add(
        clip, try await run.report(of: clip.url, like: nil, annotation: nil), rulebook)
    }
    return report
  }
}
