import Foundation
import Kinema
import KinemaCoach
import KinemaReport

enum CoachCommand: Command {
  static let name = "coach"
  static let abstract = "Measure the form of each repetition, and say what to do better."
  static let operands = "FILE-OR-FOLDER …"
  static let discussion = """
    FILE is a video, or a file of poses (.npz, .jsonl). The repetitions of the largest person are
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
  static let options = """
    --rules RULES  The rulebook (default: the built-in one).
    --exercise LABEL  The exercise; without it, the model recognises it.
    --like REFERENCE  Also compare with the repetitions of this video or pose file.
    --format FORMAT  table (default), json, jsonl or csv.
    --annotate PATH  Write the video with count and cues: .mp4 or a folder.
    --report FILE  Write a report as a page: .html.
    --show-rules  Print the rulebook and end.
    --model MODEL  The classifier that recognises exercises (default Workout).
    --person ID  Stay with this person; see kinema pose for ids (default: the largest).
    --aspect-ratio RATIO  Width by height of the picture that poses in files come from (default 1).
    --persons N  Track at most N people (default 4).
    --precision P  full (default), or fast where the processor has bf16.
    \(PosedFiles.options)
    """

  static func run(_ arguments: Arguments) async throws {
    let rules = try arguments.url("rules") ?? Rulebook.builtInURL
    let rulebook = try Rulebook(contentsOf: rules)
    if arguments.has("show-rules") {
      return StandardStreams.print(try Data(contentsOf: rules))
    }
    let format = try arguments.choice("format", default: ReportFormat.table)
    let page = try arguments.reportURL()
    let files = try InputFiles.resolve(arguments.operands, includingPoseFiles: true)
    let target = try arguments.url("annotate").map { try OutputTarget($0, for: files) }
    let posed = try PosedFiles(
      files,
      options: FrameSource.Options(
        .bodies(try PoseCommand.extractorConfiguration(arguments)), arguments), arguments)
    let run = try CoachRun(arguments, rulebook: rulebook, posed: posed)
    let reference = try await run.reference(arguments.value("like"))
    let output = ReportOutput<CoachReport>(
      format, csvHeader: CoachReport.csvHeader, keepsAll: page != nil)
    try await InputFiles.forEach(files) { file in
      try output.add(try await run.report(of: file, like: reference, annotation: target))
    }
    try output.finish()
    if let page {
      try await FormPictures.page(of: output.reports).write(to: page)
    }
  }
}
