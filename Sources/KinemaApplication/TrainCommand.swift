import Foundation
import Kinema
import KinemaFiles
import KinemaReport

/// `kinema train`: trains an action classifier on labelled videos.
struct TrainCommand: Command {
  static let name = "train"
  static let abstract = "Train an action classifier on labelled videos."
  static let usage = "DATA --output MODEL.mlmodel"
  static let discussion = """
    DATA is a folder with one folder of videos per label (squats/anna.mp4), a folder of files named by
    label (squats.3.mov), or a CSV or JSON file beside the videos that labels segments of them
    (file_name,label,start_time,end_time). Pose files (.npz, .jsonl) can take the place of videos.

    With --hands the model classifies hands: videos of hand actions, or a folder of pictures for each label
    (thumbs_up/1.jpg), as in Create ML. Each picture is an example of a single pose, that of its largest
    hand; the model then takes one frame, and classifies pictures and every frame of videos.

    With --from Exercise a few takes of each action suffice: training starts from what the built-in
    model has learnt about people in motion. Synthetic people who do other things are added as
    other_action, or to your class of that kind. At the end the takes are left out in turn: how many of
    them are right, and which two classes are confused, shows what the model can be trusted with.

    Checkpoints are saved in a session folder. After Ctrl-C or a crash, the same command resumes and
    produces the same model. training.jsonl in that folder has one line of JSON per iteration.
    """
  static let examples = """
    kinema train videos/ --output Exercises.mlmodel
        Train on the folders in videos/, with windows of two seconds.
    kinema train takes/ --from Exercise --output Mine.mlmodel
        Teach your own actions with three takes of each; other_action is added.
    kinema train takes/ --add-to Exercise --output Mine.mlmodel
        Teach more actions to the model that comes with Kinema.
    kinema train annotations.csv --output Golf.mlmodel --duration 3 --test test/
        Train with windows of three seconds, and evaluate on a test set.
    kinema train signs/ --hands --output Signs.mlmodel
        Train on pictures of hands, a folder for each sign.
    kinema train videos/ --check
        Check the data only.
    kinema train videos/ --output E.mlmodel --format json > result.json
        Train in a script.
    """
  var data = DataOptions()
  @Option("FILE", "The model to write (.mlmodel).")
  var output: OutputFile?
  @Option("MODEL", "Start from the layers of Exercise, or of another model: few takes suffice.")
  var from: NamedModel?
  @Option("MODEL", "The same, and the new model keeps the labels of Exercise.")
  var addTo: NamedModel?
  @Flag("With --from: do not add synthetic people who do other things.")
  var noOther: Bool
  @Option(
    "HOW", "auto (default: one video in five of ten or more), none, a share (0.1), or data.")
  var validation: String?
  @Option("DATA", "Test set, evaluated at the end.")
  var test: URL?
  @Option("N", "Frames of a window (default 60).", 2...2000)
  var window: Int?
  @Option("SECONDS", "Length of a window, in place of --window.", 0.05...120)
  var duration: Double?
  @Option("N", "Frame rate of the model (default 30).", 1...240)
  var frameRate: Double?
  @Option("N", "Number of epochs (default 80).", 1...100_000)
  var iterations: Int?
  @Option("N", "Windows per step (default: by their number).", 1...4096)
  var batchSize: Int?
  @Option("N", "Stop after N iterations without improvement.", 1...100_000)
  var patience: Int?
  @Option("A", "tcn (default), posture (many actions) or stgcn (Create ML); not with --from.")
  var algorithm: ActionClassifierParameters.Algorithm?
  @Flag("Train on hands: their actions in videos, or single poses in pictures.")
  var hands: Bool
  @Option("HOW", "default, flip (mirror only, as Create ML) or none.")
  var augment: Augmentation?
  @Option("P", NetworkPrecision.help)
  var precision: ActionClassifierParameters.Precision?
  @Option("N", "Seed of all random choices (default 1).")
  var seed: UInt64?
  @Option("N", "Number of threads; does not change the model.", 1...256)
  var threads: Int?
  @Option("FOLDER", "Session folder (default MODEL.training).")
  var session: FolderPath?
  @Option("SECONDS", "Time between checkpoints (default 10).", 0...86_400)
  var checkpointEvery: Double?
  @Flag("Discard the session folder and start again.")
  var restart: Bool
  @Flag("Check the data only.")
  var check: Bool
  @Option("TEXT", "Name of the model.")
  var name: String?
  @Option("TEXT", "Author of the model.")
  var author: String?
  @Option("TEXT", "Licence of the model.")
  var license: String?
  @Option("TEXT", "Description of the model.")
  var description: String?
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table
  @Operands(1...1, "Name one folder or annotation file with labelled videos.")
  var inputs: [String]

  enum Augmentation: String, CaseIterable, OptionValue { case `default`, flip, none }

  func run() async throws {
    let plan = try TrainSettings(self)
    let data = try await Self.prepare(plan)
    guard let output = plan.output else {
      if format == .json { StandardStreams.print(try data.report.jsonText()) }
      return
    }
    if restart {
      try ActionClassifierTrainingSession.discard(folder: plan.sessionFolder)
    }
    let session = try ActionClassifierTrainingSession(
      training: data.split.training, validation: data.split.validation,
      parameters: plan.parameters, transferring: plan.transfer,
      folder: plan.sessionFolder, options: plan.sessionOptions)
    let model = try await Self.train(session, plan)
    try model.write(to: output, metadata: plan.metadata)
    let test =
      data.split.test.isEmpty
      ? nil
      : try ActionClassifierEvaluation(classifier: model.classifier(), examples: data.split.test)
    let report = TrainReport(model: model, file: output, test: test)
    switch format {
    case .table: StandardStreams.print(report.table)
    case .json: StandardStreams.print(try report.json)
    }
  }

  private static func prepare(_ plan: TrainSettings) async throws -> TrainingData {
    let data = try await TrainingData.prepare(
      training: plan.data, validation: plan.validation, test: plan.test,
      windowSize: plan.parameters.predictionWindowSize,
      frameRate: plan.parameters.targetFrameRate, seed: plan.parameters.seed,
      transferring: plan.transfer,
      extractor: FeatureExtractor(configuration: plan.extraction),
      progress: { $0.show() })
    StandardStreams.finishProgress()
    StandardStreams.printMessage(data.report.table(ofPictures: plan.isOfPictures))
    try data.report.findings.throwFirstError()
    return data
  }

  /// Trains to the end, or explains how to resume after an interruption.
  private static func train(
    _ session: ActionClassifierTrainingSession, _ plan: TrainSettings
  ) async throws -> TrainedActionClassifier {
    if session.isFinished {
      StandardStreams.printMessage(
        "kinema: “\(plan.sessionFolder.path)” has this training, complete; --restart starts "
          + "again.")
    } else {
      let windows = session.trainingWindowCount.counted("window")
      let validation =
        session.validationWindowCount > 0 ? ", \(session.validationWindowCount) to validate" : ""
      StandardStreams.printMessage(
        session.isResumed
          ? "kinema: resuming after iteration \(session.iteration)"
          : "kinema: training on \(windows)\(validation)"
            + (plan.transfer == nil ? "" : ", then without some of the takes in turn"))
    }
    let display = TrainingDisplay()
    defer { StandardStreams.finishProgress() }
    do {
      guard let model = try await session.run(progress: display.show) else {
        throw CancellationError()
      }
      return model
    } catch is CancellationError {
      throw CommandFailure(
        .interrupted,
        "Interrupted after iteration \(session.iteration); the training is saved in "
          + "“\(plan.sessionFolder.path)”: run the same command to resume.")
    }
  }
}

/// The progress of a training on the terminal, or as occasional lines.
struct TrainingDisplay: Sendable {
  func show(_ progress: TrainingProgress) {
    let text = Self.text(progress)
    if StandardStreams.showsProgress {
      StandardStreams.showProgress(
        text, step: "iteration \(progress.iteration) of \(progress.iterationCount)",
        share: progress.fractionCompleted)
    } else if progress.endsIteration {
      let step = max(1, progress.iterationCount / 10)
      guard progress.iteration % step == 0 || progress.iteration == progress.iterationCount else {
        return
      }
      StandardStreams.printMessage(text)
    }
  }

  private static func text(_ progress: TrainingProgress) -> String {
    let bar = ProgressBar.bar(progress.fractionCompleted, length: 16)
    var text = "iteration \(progress.iteration)/\(progress.iterationCount)  \(bar)"
    if let metrics = progress.metrics {
      text += "  loss \(metrics.trainingLoss.fixed(3))  \(metrics.trainingAccuracy.percent)"
      if let loss = metrics.validationLoss, let accuracy = metrics.validationAccuracy {
        text += "  validation \(loss.fixed(3))  \(accuracy.percent)"
      }
    }
    if let left = progress.secondsLeft { text += "  \(ProgressBar.clock(left)) left" }
    return text
  }
}
