import Foundation
import Kinema

/// `kinema classify`: classifies what the prominent person, or each person or hand, does.
struct ClassifyCommand: Command {
  static let name = "classify"
  static let abstract =
    "Classify the actions of the prominent person, or of each one, window by window."
  static let usage = "FILE-OR-FOLDER … | STREAM  [--model MODEL]"
  static let discussion = """
    FILE is a video, or a file of poses (.npz, .jsonl). STREAM is a camera, an address, a named pipe, or
    - for a pipe on standard input, as kinema pose takes them: it is classified until it ends, for
    --seconds, or until Ctrl-C. MODEL is an action classifier from Create ML or from kinema train
    (.mlmodel, .mlpackage or Kinema's .onnx); without it the built-in one distinguishes jumping jacks,
    lunges, burpees, squats and push-ups from other actions. The poses of the largest person are resampled
    to the model's frame rate, gathered into windows and classified; with --everybody those of each person.
    Of one person in a file as many frames are processed as movement needs; --rate all processes each.
    A window of which too few frames show a person is "No Person"; a result below the threshold is "Low
    Confidence". With a model of hand actions or hand poses, each hand is classified separately; a model
    of hand poses classifies each frame, and pictures.
    The label on an annotated video is that of the window with its middle nearest; on a stream, that of
    the newest window.
    """
  static let examples = """
    kinema classify workout.mp4
        Show which exercise occurs when, and for how long.
    kinema classify workout.mp4 --model MyActions.mlmodel --annotate annotated.mp4
        Recognise your own actions, and draw them on the video.
    kinema classify workout.npz --format json
        Classify extracted poses, for a script.
    kinema classify signs.mp4 --model Signs.mlmodel --format csv
        Classify each hand with a model of hand actions.
    kinema classify videos/ --format csv > windows.csv
        Classify every video in a folder.
    kinema classify rtsp://camera/stream --format jsonl
        Print each window of a camera as it comes.
    kinema classify class.mp4 --everybody
        Show what each person does.
    """
  @Option("MODEL", "The action classifier to use: a file, Exercise (default) or Workout.")
  var model: NamedModel?
  @Option("FORMAT", ReportFormat.help)
  var format = ReportFormat.table
  @Option("PATH", "Write the video with wireframes and label: .mp4 or a folder.")
  var annotate: URL?
  var recognition = RecognitionOptions()
  var scene = SceneOptions()
  var poseFile = PoseFileOptions()
  var frames = FrameOptions()
  var subject = SubjectOptions()
  @Operands(1...Int.max)
  var inputs: [String]

  func run() async throws {
    let modelURL = try model?.url ?? BuiltInModel.exercise.url
    let classifier = try ActionClassifier(contentsOf: modelURL)
    let model = ClassificationReport.Model(
      name: modelURL.deletingPathExtension().lastPathComponent, of: classifier)
    let sources = try sources(of: classifier)
    let isOfHands = sources.subject.isOfHands
    var plan = PersonAnalysis.Plan(
      classifier: classifier, recognition: recognition.rules(of: classifier))
    plan.isLive = sources.isStream
    let output = ReportOutput<ClassificationReport>(
      format, csvHeader: ClassificationReport.csvHeader(isOfHands: isOfHands))
    // Windows of a stream are printed as they come where a line is one.
    let printsWindows = sources.isStream && (format == .jsonl || format == .csv)
    let failure = try await sources.forEach { [plan] input in
      guard input.kind != .stillImage || classifier.windowSize == 1 else {
        throw CommandFailure(
          .badData,
          "\(input.path) is a picture, and \(model.name) classifies \(classifier.windowSize) frames "
            + "together: name a video.")
      }
      return SceneRun(
        input, plan, sources.scope, isOfHands: isOfHands, keepsPredictions: !printsWindows
      ) { step, _, _ in
        guard printsWindows, !step.predictions.isEmpty else { return }
        for prediction in step.predictions {
          if format == .csv {
            StandardStreams.print(
              ClassificationReport.row(of: prediction, in: input.path, isOfHands: isOfHands))
          } else {
            try output.addLine(ClassificationReport.Window(prediction))
          }
        }
        StandardStreams.flush()
      }
    } report: { results in
      if !printsWindows { try output.add(ClassificationReport(results: results, model: model)) }
    }
    try output.finish(inputCount: sources.count)
    if let failure { throw failure }
  }

  /// - Parameter isOfFrames: Whether each frame has a result for itself, as it has where it is classified alone.
  func sources(of classifier: ActionClassifier, isOfFrames: Bool = false) throws -> SceneSources {
    try SceneSources(
      inputs, scene, frames, subject: subject.subject(classifier.joints),
      annotate: annotate, poseFile: poseFile, isOfFrames: isOfFrames || classifier.windowSize == 1)
  }
}

/// How a classifier's windows are read.
struct RecognitionOptions: OptionGroup {
  @Option("N", "Frames from one window to the next (default 10).", 1...100_000)
  var stride: Int?
  @Option("SHARE", "Share of frames that must show a person (default 0.6).", 0...1)
  var minimumPoses: Double?
  @Option("P", "Probability that a label needs (default 0.6).", 0...1)
  var confidence: Double?

  func rules(of classifier: ActionClassifier) -> ActionRecognizer.Rules {
    var rules = ActionRecognizer.Rules(of: classifier)
    rules.stride = stride ?? rules.stride
    rules.minimumPoseShare = minimumPoses ?? rules.minimumPoseShare
    rules.confidenceThreshold = confidence ?? rules.confidenceThreshold
    return rules
  }
}
