import Foundation
import Kinema
import KinemaReport
import KinemaStudio

/// `kinema evaluate`: evaluates a classifier on labelled videos, or counting.
struct EvaluateCommand: Command {
  static let name = "evaluate"
  static let abstract = "Evaluate an action classifier on labelled videos, or counting."
  static let usage = "MODEL DATA | PROJECT | --counts COUNTS.csv"
  static let discussion = """
    MODEL is an action classifier (.mlmodel, .mlpackage or .onnx), or a built-in one such as Exercise. DATA
    is labelled data in any layout of kinema train, such as a folder with one folder of videos per
    label; pose files (.npz, .jsonl) can take the place of videos, and for a model of single hand poses
    pictures. Examples are cut into consecutive
    windows, the last padded with empty frames; accuracy is by frames, as Create ML reports it. Then
    each video is classified as a whole, and what people see over time is compared with its
    segments: share of time with the right name, edit score, F1@10, 25 and 50, false stretches a
    minute, and how late the right name comes. A project of kinema studio alone is evaluated with its
    own model: PROJECT/PROJECT.mlmodel, which kinema train PROJECT writes, or else that of its newest
    run. The report is one self-contained HTML page: figures, confusion matrix, calibration, a
    timeline of each video, mistakes with their pictures, and training curves with --log.

    With --counts, counting is evaluated: a table with file, label and count names videos or pose files
    beside it. MAE is the mean of |counted − true| / true, OBO the share of files that are off by at most
    one. The report shows counted against true, and each file over time.
    """
  static let examples = """
    kinema evaluate Exercise videos/
        Show metrics, confusion matrix and mistakes.
    kinema evaluate golf/
        Evaluate the model of a project on its testing items.
    kinema evaluate Exercise.mlmodel videos/ --report report.html
        Also write a report with a timeline of each video.
    kinema evaluate Exercise.mlmodel videos/ --other Other --format json
        Map labels that the model lacks to Other; print JSON for a script.
    kinema evaluate --counts counts.csv
        Evaluate counting.
    kinema evaluate --counts counts.csv --model Exercise
        Measure counting beside a classifier, as kinema count --model does it.
    kinema evaluate --counts counts.csv --report counts.html
        Also write a report with each file's repetitions over time.
    """
  @Option("FORMAT", "What to print: table (default), json or csv (windows).")
  var format = Format.table
  @Option("FILE", "Write an HTML report.")
  var report: ReportFile?
  @Option("FILE", "A training.jsonl, for training curves in the report.")
  var log: URL?
  @Option("LABEL", "The model's label for labels that it lacks.")
  var other: String?
  @Option("N", "Frames from one window to the next (default: a window).", 1...100_000)
  var stride: Int?
  @Option("FILE", "Evaluate counting: file,label,count (.csv).")
  var counts: URL?
  var counting = CountingOptions()
  @Option("MODEL", "Count beside an action classifier, such as Exercise.")
  var model: NamedModel?
  @Option("N", "List at most N mistakes (default 10).", 0...1_000_000)
  var mistakes: Int?
  var data = DataOptions()
  var frames = FrameOptions()
  @Operands(0...2, "Name a model and the data to evaluate it on, or a project that has a model.")
  var inputs: [String]

  enum Format: String, CaseIterable, OptionValue { case table, json, csv }

  func run() async throws {
    if let counts { return try await evaluateCounts(counts) }
    guard model == nil else {
      throw UsageError("--model goes with --counts; the model to evaluate is named first.")
    }
    let (modelURL, dataURL) = try operands()
    let options = ActionClassifierEvaluation.Options(stride: stride, otherLabel: other)
    let classifier = try ActionClassifier(contentsOf: modelURL)
    let log = try log.map { try TrainingLogEntry.read(from: $0) } ?? []
    let examples = try await EvaluationData(
      at: dataURL, data, frames, ofHands: classifier.joints == JointKey.hand)
    let evaluation = try ActionClassifierEvaluation(
      classifier: classifier, examples: examples.examples, options: options
    ) { done in
      try Task.checkCancellation()
      StandardStreams.showProgress(
        "classifying  \(done) of \(examples.examples.count)", step: "classifying",
        share: Double(done) / Double(max(1, examples.examples.count)))
    }
    StandardStreams.finishProgress()
    let timelines = try await EvaluatedTimelines(
      of: examples, classifier, otherLabel: other, threadCount: frames.threads)
    let report = EvaluationReport(
      evaluation: evaluation, timelines: timelines, modelName: modelURL.lastPathComponent,
      dataName: inputs.last ?? "", mistakeLimit: mistakes)
    switch format {
    case .table: StandardStreams.print(report.table)
    case .csv: StandardStreams.print(report.csv)
    case .json: StandardStreams.print(try report.json())
    }
    if let page = self.report?.url {
      try EvaluationPage(
        evaluation, modelName: report.modelName, dataName: report.dataName, trainingLog: log,
        pictures: try await EvaluationPictures.pictures(of: evaluation, in: examples)
      ).write(to: page)
    }
  }
}

extension EvaluateCommand {
  /// The model and the data; a project alone has a model of its own.
  private func operands() throws -> (model: URL, data: URL) {
    switch inputs.count {
    case 2:
      return (try NamedModel(named: inputs[0]).url, URL(filePath: inputs[1]))
    case 1:
      let data = URL(filePath: inputs[0])
      guard let project = try DataOptions.project(at: data) else { break }
      guard let model = project.model else {
        throw UsageError(
          "\(inputs[0]) has no model yet: train one with kinema train "
            + "\(inputs[0]), or name the model to evaluate first.")
      }
      StandardStreams.printMessage("kinema: evaluating \(model.path)")
      return (model, data)
    default: break
    }
    throw UsageError("Name a model and the data to evaluate it on, or a project that has a model.")
  }
}
