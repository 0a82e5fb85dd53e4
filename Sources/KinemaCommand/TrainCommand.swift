import Foundation
import Kinema

/// `kinema train`: teaches a model new actions from labelled videos.
enum TrainCommand: Command {
  static let name = "train"
  static let abstract = "Teach a model new actions from labelled videos."
  static let operands = "DATA --output MODEL.mlmodel"
  static let discussion = """
    DATA is a folder with a folder of videos for each label (squats/anna.mp4), a folder of files named
    by their label (squats.3.mov), or a CSV or JSON file beside the videos that says what is done
    when (file_name,label,start_time,end_time). Files of poses (.npz, .jsonl) may stand for videos.

    The training is kept in a session folder. Ctrl-C leaves it there, and so does a crash: the same
    command goes on and ends with the same model. The folder also gets training.jsonl, a line of
    JSON for each iteration.
    """
  static let examples: [(line: String, meaning: String)] = [
    (
      "kinema train videos/ --output Exercises.mlmodel",
      "Learn the labels of the folders in videos/, two seconds at a time."
    ),
    (
      "kinema train annotations.csv --output Golf.mlmodel --duration 3 --test test/",
      "Learn actions of three seconds, and say how the model does on other videos."
    ),
    ("kinema train videos/ --check", "Only say what is in the data, and what is wrong with them."),
    (
      "kinema train videos/ --output E.mlmodel --format json > result.json",
      "Train in a script."
    ),
  ]
  static let options =
    DataOptions.options + [
      Option("output", value: "FILE", "The model to write (.mlmodel)."),
      Option(
        "validation", value: "HOW",
        "auto (default: a fifth of ten videos or more), none, a share (0.1), or data."
      ),
      Option("test", value: "DATA", "Data to judge the finished model by."),
      Option("window", value: "N", "Frames of a window (default 60)."),
      Option("duration", value: "SECONDS", "The same in seconds."),
      Option(
        "frame-rate", value: "N", "Frames per second that videos are brought to (default 30)."),
      Option("iterations", value: "N", "How often all windows are shown (default 80)."),
      Option("batch-size", value: "N", "Windows a step; by default what suits their number."),
      Option("patience", value: "N", "Stop after N iterations without better validation."),
      Option("algorithm", value: "A", "tcn (default), or stgcn, the network of Create ML."),
      Option("augment", value: "HOW", "default, flip (mirror only, as Create ML) or none."),
      Option("precision", value: "P", "full (default), or fast where the processor has bf16."),
      Option("seed", value: "N", "Another number, another training (default 1)."),
      Option(
        "threads", value: "N", "Threads that calculate; the model is the same with any number."),
      Option("session", value: "FOLDER", "Where the training is kept (default MODEL.training)."),
      Option("checkpoint-every", value: "SECONDS", "Time between checkpoints (default 10)."),
      Option("restart", "Forget what the session folder keeps and train anew."),
      Option("check", "Look at the data only."),
      Option("name", value: "TEXT", "What the model is called in its description."),
      Option("author", value: "TEXT", "Who made the model."),
      Option("license", value: "TEXT", "The licence of the model."),
      Option("description", value: "TEXT", "What the model is for."),
      Option("format", value: "FORMAT", "What to print: table (default) or json."),
    ]

  enum Format: String, CaseIterable { case table, json }

  static func run(_ arguments: Arguments) async throws {
    let wish = try TrainWish(arguments)
    let data = try await prepare(wish)
    guard let output = wish.output else { return }
    if wish.restarts { try ActionClassifierTrainingSession.discard(folder: wish.sessionFolder) }
    let session = try ActionClassifierTrainingSession(
      training: data.split.training, validation: data.split.validation,
      parameters: wish.parameters, folder: wish.sessionFolder, options: wish.sessionOptions)
    let model = try await train(session, wish)
    try model.write(to: output, metadata: wish.metadata)
    let test =
      data.split.test.isEmpty
      ? nil
      : try ActionClassifierEvaluation(classifier: model.classifier(), examples: data.split.test)
    let report = TrainReport(model: model, file: output, test: test)
    switch wish.format {
    case .table: StandardStreams.print(report.table)
    case .json: StandardStreams.print(try report.json)
    }
  }

  /// Reads, extracts and describes the data.
  private static func prepare(_ wish: TrainWish) async throws -> TrainingData {
    let data = try await TrainingData.prepare(
      training: wish.data, validation: wish.validation, test: wish.test,
      windowSize: wish.parameters.predictionWindowSize,
      frameRate: wish.parameters.targetFrameRate, seed: wish.parameters.seed,
      extractor: FeatureExtractor(configuration: wish.extraction),
      progress: { StandardStreams.showProgress($0.line) })
    StandardStreams.finishProgress()
    StandardStreams.printMessage(data.report.table)
    try data.report.findings.throwFirstError()
    return data
  }

  /// Trains to the end; says how to go on where it is interrupted.
  private static func train(
    _ session: ActionClassifierTrainingSession, _ wish: TrainWish
  ) async throws -> TrainedActionClassifier {
    if session.isFinished {
      StandardStreams.printMessage(
        "kinema: “\(wish.sessionFolder.path)” keeps this training, finished before; --restart trains "
          + "anew.")
    } else {
      let windows = "\(session.trainingWindowCount) windows"
      let judging =
        session.validationWindowCount > 0 ? ", \(session.validationWindowCount) to validate" : ""
      StandardStreams.printMessage(
        session.isResumed
          ? "kinema: going on after iteration \(session.iteration)"
          : "kinema: training on \(windows)\(judging)")
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
        "Interrupted after iteration \(session.iteration); the training is kept in "
          + "“\(wish.sessionFolder.path)”: the same command goes on.")
    }
  }
}

/// The progress of a training on the terminal; where there is none, a line now and then.
struct TrainingDisplay: Sendable {
  func show(_ progress: TrainingProgress) {
    let text = Self.text(progress)
    if StandardStreams.errorIsTerminal {
      StandardStreams.showProgress(text)
    } else if progress.endsIteration {
      let step = max(1, progress.iterationCount / 10)
      guard progress.iteration % step == 0 || progress.iteration == progress.iterationCount else {
        return
      }
      StandardStreams.printMessage(text)
    }
  }

  private static func text(_ progress: TrainingProgress) -> String {
    let filled = Int(progress.fractionCompleted * 16)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 16 - filled)
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
