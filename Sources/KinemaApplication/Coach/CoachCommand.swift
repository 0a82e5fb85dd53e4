import Foundation
import Kinema
import KinemaCoach
import KinemaReport

struct CoachCommand: Command {
  static let name = "coach"
  static let abstract = "Measure the form of each repetition, and say what to do better."
  static let usage = "FILE-OR-FOLDER …"
  static let discussion = """
    FILE is a video, or a file of poses (docs/formats.md). The repetitions of the largest person are
    counted, the exercise is recognised, and each repetition is measured and evaluated by the rules of
    the exercise: verdict and cue. A value that can't be seen from the camera's place, such as whether
    knees are straight from the front, is shown as –.
    RULES is a rulebook such as
      {"squats": {"follow": "hips",
                  "depth": {"knee angle at the bottom": "below 100°", "say": "Go lower."}}}
    "follow" names what goes down and up: hips, shoulders or hands. A rule may have "from": the views
    in which it is evaluated, "front", "oblique" or "side". docs/coach.md lists the measures.
    """
  static let examples = """
    kinema coach squats.mp4
        List each squat with depth, lockout, lean, tempo and what to do better.
    kinema coach curls.mp4 --exercise bicep_curls
        Say which exercise it is.
    kinema coach squats.mp4 --rules mine.json
        Evaluate by your own rules.
    kinema coach --show-rules > mine.json
        Write the built-in rules, to change them.
    kinema coach squats.mp4 --annotate coached.mp4 --report coached.html
        Show the cues on the video, and the turning point of each repetition on a page.
    kinema coach today.mp4 --like best.mp4
        Compare with one's own best repetitions.
    kinema coach squats.mp4 --format json
        All measurements with their errors, for a script.
    """
  @Option("RULES", "The rulebook (default: the built-in one).")
  var rules: URL?
  @Option("LABEL", "The exercise; without it, the model recognises it.")
  var exercise: String?
  @Option("REFERENCE", "Also compare with the repetitions of this video or pose file.")
  var like: String?
  @Option("FORMAT", "What to print:")
  var format = ReportFormat.table
  @Option("PATH", "Write the video with count and cues: .mp4 or a folder.")
  var annotate: URL?
  @Option("FILE", "Write a report as a page: .html.")
  var report: ReportFile?
  @Flag("Print the rulebook and end.")
  var showRules: Bool
  @Option("MODEL", "The classifier that recognises exercises (default Workout).")
  var model: NamedModel?
  var subject = PersonOptions()
  @Operands(0...Int.max)
  var inputs: [String]

  func run() async throws {
    let rules = try rules ?? CoachFile.form.url
    let rulebook = try Rulebook(contentsOf: rules)
    if showRules {
      return StandardStreams.print(try Data(contentsOf: rules))
    }
    let files = try InputFiles.resolve(inputs, includingPoseFiles: true)
    let target = try annotate.map { try OutputTarget($0, for: files) }
    let posed = try subject.frames(of: files)
    let run = try CoachRun(self, rulebook: rulebook, posed: posed)
    let reference = try await run.reference(like)
    let output = ReportOutput<CoachReport>(
      format, csvHeader: CoachReport.csvHeader, keepsAll: report != nil)
    let failure = try await InputFiles.forEach(files) { file in
      try output.add(try await run.report(of: file, like: reference, annotation: target))
    }
    try output.finish(inputCount: files.count)
    if let report {
      try await FormPictures.page(of: output.reports).write(to: report.url)
    }
    if let failure { throw failure }
  }
}
