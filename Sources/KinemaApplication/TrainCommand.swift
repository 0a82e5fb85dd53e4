import Foundation
import Kinema
import KinemaReport

/// `kinema train`: trains an action classifier on labelled videos.
enum TrainCommand: Command {
  static let name = "train"
  static let abstract = "Train an action classifier on labelled videos."
  static let operands = "DATA --output MODEL.mlmodel"
  static let discussion = """
    DATA is a folder with one folder of videos per label (squats/anna.mp4), a folder of files named by
    label (squats.3.mov), or a CSV or JSON file beside the videos that labels segments of them
    (file_name,label,start_time,end_time). Pose files (.npz, .jsonl) can take the place of videos.

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
    kinema train videos/ --check
        Check the data only.
    kinema train videos/ --output E.mlmodel --format json > result.json
        Train in a script.
    """
  static let options = """
    \(DataOptions.options)
    --output FILE  The model to write (.mlmodel).
    --from MODEL  Start from the layers of Exercise, or of another model: few takes suffice.
    --add-to MODEL  The same, and the new model keeps the labels of Exercise.
    --no-other  With --from: do not add synthetic people who do other things.
    --validation HOW  auto (default: one video in five of ten or more), none, a share (0.1), or data.
    --test DATA  Test set, evaluated at the end.
    --window N  Frames of a window (default 60).
    --duration SECONDS  Length of a window, in place of --window.
    --frame-rate N  Frame rate of the model (default 30).
    --iterations N  Number of epochs (default 80).
    --batch-size N  Windows per step (default: by their number).
    --patience N  Stop after N iterations without improvement.
    --algorithm A  tcn (default), posture (many actions) or stgcn (Create ML); not with --from.
    --augment HOW  default, flip (mirror only, as Create ML) or none.
    --precision P  full (default), or fast where the processor has bf16.
    --seed N  Seed of all random choices (default 1).
    --threads N  Number of threads; does not change the model.
    --session FOLDER  Session folder (default MODEL.training).
    --checkpoint-every SECONDS  Time between checkpoints (default 10).
    --restart  Discard the session folder and start again.
    --check  Check the data only.
    --name TEXT  Name of the model.
    --author TEXT  Author of the model.
    --license TEXT  Licence of the model.
    --description TEXT  Description of the model.
    --format FORMAT  What to print: table (default) or json.
    """

  static func run(_ arguments: Arguments) async throws {
    let options = try TrainOptions(arguments)
    let data = try await prepare(options)
    guard let output = options.output else { return }
    if options.restarts {
      try ActionClassifierTrainingSession.discard(folder: options.sessionFolder)
    }
    let session = try ActionClassifierTrainingSession(
      training: data.split.training, validation: data.split.validation,
      parameters: options.parameters, transferring: options.transfer,
      folder: options.sessionFolder, options: options.sessionOptions)
    let model = try await train(session, options)
    try model.write(to: output, metadata: options.metadata)
    let test =
      data.split.test.isEmpty
      ? nil
      : try ActionClassifierEvaluation(classifier: model.classifier(), examples: data.split.test)
    let report = TrainReport(model: model, file: output, test: test)
    switch options.format {
    case .table: StandardStreams.print(report.table)
    case .json: StandardStreams.print(try report.json)
    }
  }

  private static func prepare(_ options: TrainOptions) async throws -> TrainingData {
    let data = try await TrainingData.prepare(
      training: options.data, validation: options.validation, test: options.test,
      windowSize: options.parameters.predictionWindowSize,
      frameRate: options.parameters.targetFrameRate, seed: options.parameters.seed,
      transferring: options.transfer,
      extractor: FeatureExtractor(configuration: options.extraction),
      progress: { $0.show() })
    StandardStreams.finishProgress()
    StandardStreams.printMessage(data.report.table)
    try data.report.findings.throwFirstError()
    return data
  }

  /// Trains to the end, or explains how to resume after an interruption.
  private static func train(
    _ session: ActionClassifierTrainingSession, _ options: TrainOptions
  ) async throws -> TrainedActionClassifier {
    if session.isFinished {
      StandardStreams.printMessage(
        "kinema: “\(options.sessionFolder.path)” has this training, complete; --restart starts "
          + "again.")
    } else {
      let windows = session.trainingWindowCount.counted("window")
      let validation =
        session.validationWindowCount > 0 ? ", \(session.validationWindowCount) to validate" : ""
      StandardStreams.printMessage(
        session.isResumed
          ? "kinema: resuming after iteration \(session.iteration)"
          : "kinema: training on \(windows)\(validation)"
            + (options.transfer == nil ? "" : ", then without some of the takes in turn"))
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
          + "“\(options.sessionFolder.path)”: run the same command to resume.")
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
