import Foundation
import Kinema
import KinemaReport

enum CountCommand: Command {
  static let name = "count"
  static let abstract = "Count the repetitions of any movement: how many, when, how fast, how well."
  static let operands = "FILE-OR-FOLDER … | STREAM"
  static let discussion = """
    FILE is a video, or a file of poses (.npz, .jsonl). STREAM is a camera, an address, a named pipe, or
    - for a pipe on standard input, as kinema pose takes them: it is counted until it ends, for --seconds,
    or until Ctrl-C. Any movement of the largest person that repeats itself in 0.3 to 8 seconds is
    counted; with --everybody each person is counted. With --model, an action classifier recognises the
    actions: each is counted separately, also when it occurs once, and "other" is not counted.
    Range is how far the joints that move most travel, in body sizes; bend is by how many degrees the
    joint that bends most does; symmetry is the similarity of left and right. A repetition whose range is
    under 60 % of the median is reported as an attempt. Likeness, with --model, is how much a repetition
    resembles the examples that the classifier was trained on: its probability of that action during the
    repetition.
    The count on an annotated video is that of the repetitions listed; on a stream, the live count.
    """
  static let examples = """
    kinema count workout.mp4
        Count, and list each repetition.
    kinema count workout.mp4 --annotate counted.mp4
        Show the count and the tempo on the video.
    kinema count workout.mp4 --model Exercise
        Count each of the built-in model's exercises.
    kinema count videos/ --report report.html
        Make a page with periodicity, tempo and repetitions over time.
    kinema count workout.npz --format json
        Count in extracted poses, for a script.
    kinema count /dev/video0 --seconds 60 --format jsonl
        Print each count of a camera as it rises.
    kinema count class.mp4 --everybody
        Count what each person does.
    kinema count lunges.mp4 --pairs
        Count left and right together as one.
    """
  static let options = """
    \(ReportFormat.option)
    --annotate PATH  Write the video with count and tempo: .mp4 or a folder.
    --report FILE  Write a report as a page: .html.
    --pairs  Count left and right as one where a movement changes sides.
    --model MODEL  An action classifier that names the action, or Exercise.
    --confidence P  Probability that its label needs (default 0.6).
    --method METHOD  How to count: auto (default), network or signal.
    --aspect-ratio RATIO  Width by height of the picture that poses in files come from (default 1).
    --persons N  Track at most N people (default 4).
    --precision P  full (default), or fast where the processor has bf16.
    \(PosedFiles.options)
    \(SceneSources.options)
    """

  static func run(_ arguments: Arguments) async throws {
    let format = try arguments.choice("format", default: ReportFormat.table)
    let aspectRatio = try arguments.number("aspect-ratio", within: 0.1...10)
    var plan = try plan(arguments)
    let page = try arguments.reportURL()
    let sources = try SceneSources(
      arguments, subject: .bodies(try PoseCommand.extractorConfiguration(arguments)))
    plan.isLive = sources.isStream
    let output = ReportOutput<CountingReport>(
      format, csvHeader: CountingReport.csvHeader(isOfEverybody: sources.isOfEverybody),
      keepsAll: page != nil)
    let printsCounts = sources.isStream && format == .jsonl
    try await sources.forEach { [plan] input in
      guard input.kind != .stillImage else {
        throw CommandFailure(
          .badData, "\(input.path) is a picture; nothing repeats itself in it, so name a video.")
      }
      var counts: [CountingReport.Count.Key: Int] = [:]
      return SceneRun(
        input, plan, sources.scope, aspectRatio: aspectRatio.map { Float($0) },
        keepsPredictions: !sources.isStream
      ) { step, scene, time in
        guard printsCounts else { return }
        for count in CountingReport.Count.all(in: scene, step, at: time)
        where count.count > counts[count.key] ?? 0 {
          counts[count.key] = count.count
          try output.addLine(count)
        }
        StandardStreams.flush()
      }
    } report: { results in
      try output.add(CountingReport(results: results))
    }
    try output.finish()
    if let page {
      try CountPage(output.reports.map { $0.clip() }, dataName: sources.name).write(to: page)
    }
  }

  static func rules(_ arguments: Arguments) throws -> RepetitionCounter.Rules {
    var rules = RepetitionCounter.Rules()
    rules.method = try arguments.choice("method", default: CountingMethod.auto)
    if rules.method == .auto, let notice = CountingMethod.fallbackNotice {
      StandardStreams.printMessage("kinema: \(notice)")
    }
    rules.countsPairs = arguments.has("pairs")
    return rules
  }

  /// What is counted, and beside which classifier.
  static func plan(_ arguments: Arguments) throws -> PersonAnalysis.Plan {
    let rules = try rules(arguments)
    var plan = try classification(from: arguments)
    guard plan.classifier?.joints ?? JointKey.body == JointKey.body else {
      throw CommandFailure(
        .badData, "The model classifies hands; repetitions are counted on whole bodies.")
    }
    plan.counting = rules
    return plan
  }

  /// The classifier that recognises actions, and its rules.
  private static func classification(from arguments: Arguments) throws -> PersonAnalysis.Plan {
    let confidence = try arguments.number("confidence", within: 0...1)
    guard let url = try arguments.model() else {
      guard confidence == nil else { throw UsageError("--confidence goes with --model.") }
      return PersonAnalysis.Plan()
    }
    let classifier = try ActionClassifier(contentsOf: url)
    var rules = ActionRecognizer.Rules(of: classifier)
    rules.confidenceThreshold = confidence ?? rules.confidenceThreshold
    return PersonAnalysis.Plan(classifier: classifier, recognition: rules)
  }
}
