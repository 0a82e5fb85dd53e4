import Foundation
import Kinema
import KinemaReport

struct CountCommand: Command {
  static let name = "count"
  static let abstract = "Count the repetitions of any movement: how many, when, how fast, how well."
  static let usage = "FILE-OR-FOLDER … | STREAM"
  static let discussion = """
    FILE is a video, or a file of poses (docs/formats.md). STREAM is a camera, an address, a named pipe, or
    - for a pipe on standard input, as kinema pose takes them: it is counted until it ends, for --seconds,
    or until Ctrl-C. Any movement of the largest person that repeats itself in 0.3 to 8 seconds is
    counted; with --everybody each person is counted. Of one person in a file as many frames are processed
    as movement needs; --rate all processes each. With --model, an action classifier recognises the
    actions: each is counted separately, also when it occurs once, and "other" is not counted.
    Travel is how far the joints that move most go, in body sizes; the bend in the picture is by how many
    degrees the joint that bends most does there, not that of the joint itself (kinema angles measures that);
    symmetry is the similarity of left and right. A repetition whose travel is under 60 % of the median of
    its movement is reported as an attempt; where the movement changes, another one begins. Likeness, with
    --model, is how much a repetition resembles the examples that the classifier was trained on: its
    probability of that action during the repetition.
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
  @Option("FORMAT", ReportFormat.help)
  var format = ReportFormat.table
  @Option("PATH", "Write the video with count and tempo: .mp4 or a folder.")
  var annotate: URL?
  @Option("FILE", "Write a report as a page: .html.")
  var report: ReportFile?
  var counting = CountingOptions()
  @Option("MODEL", "An action classifier that names the action, or Exercise.")
  var model: NamedModel?
  @Option("P", "Probability that its label needs (default 0.6).", 0...1)
  var confidence: Double?
  var poseFile = PoseFileOptions()
  var bodies = BodyOptions()
  var frames = FrameOptions()
  var scene = SceneOptions()
  @Operands(1...Int.max)
  var inputs: [String]

  func run() async throws {
    var plan = try PersonAnalysis.Plan(counting, beside: model, confidence: confidence)
    let sources = try SceneSources(
      inputs, scene, frames, subject: .bodies(bodies.configuration), annotate: annotate,
      poseFile: poseFile)
    plan.isLive = sources.isStream
    let output = ReportOutput<CountingReport>(
      format, csvHeader: CountingReport.csvHeader(isOfEverybody: sources.isOfEverybody),
      keepsAll: report != nil)
    let printsCounts = sources.isStream && format == .jsonl
    let failure = try await sources.forEach { [plan] input in
      guard input.kind != .stillImage else {
        throw CommandFailure(
          .badData, "\(input.path) is a picture; nothing repeats itself in it, so name a video.")
      }
      var counts: [CountingReport.Count.Key: Int] = [:]
      var last = 0.0
      return SceneRun(
        input, plan, sources.scope, keepsPredictions: !sources.isStream
      ) { step, scene, frame in
        guard printsCounts else { return }
        if let frame { last = frame.time }
        for count in CountingReport.Count.all(in: scene, step, at: last)
        where count.count > counts[count.key] ?? 0 {
          counts[count.key] = count.count
          try output.addLine(count)
        }
        StandardStreams.flush()
      }
    } report: { results in
      try output.add(CountingReport(results: results))
    }
    try output.finish(inputCount: sources.count)
    if let report {
      try CountPage(output.reports.map { $0.clip() }, dataName: sources.name).write(to: report.url)
    }
    if let failure { throw failure }
  }
}

extension PersonAnalysis.Plan {
  /// Counting beside a classifier, whose label needs a confidence.
  init(
    _ counting: CountingOptions, beside model: NamedModel?, confidence: Double? = nil
  ) throws {
    self.init(counting: counting.rules)
    guard let model else {
      guard confidence == nil else { throw UsageError("--confidence goes with --model.") }
      return
    }
    let classifier = try ActionClassifier(contentsOf: model.url)
    guard classifier.joints == JointKey.body else {
      throw CommandFailure(
        .badData, "The model classifies hands; repetitions are counted on whole bodies.")
    }
    self.classifier = classifier
    var rules = ActionRecognizer.Rules(of: classifier)
    rules.confidenceThreshold = confidence ?? rules.confidenceThreshold
    recognition = rules
  }
}

struct CountingOptions: OptionGroup {
  @Flag("Count left and right as one where a movement changes sides.")
  var pairs: Bool
  @Option("METHOD", CountingMethod.help)
  var method = CountingMethod.auto

  var rules: RepetitionCounter.Rules {
    var rules = RepetitionCounter.Rules()
    rules.method = method
    if method == .auto, let notice = CountingMethod.fallbackNotice {
      StandardStreams.printMessage("kinema: \(notice)")
    }
    rules.countsPairs = pairs
    return rules
  }
}
