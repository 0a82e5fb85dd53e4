import Foundation
import Kinema
import KinemaReport
import KinemaStudio

/// `kinema evaluate`: evaluates a classifier on labelled videos, or counting.
enum EvaluateCommand: Command {
  static let name = "evaluate"
  static let abstract = "Evaluate an action classifier on labelled videos, or counting."
  static let operands = "MODEL DATA | PROJECT | --counts COUNTS.csv"
  static let discussion = """
    MODEL is an action classifier (.mlmodel or .mlpackage), or a built-in one such as Exercise. DATA
    is labelled data in any layout of kinema train, such as a folder with one folder of videos per
    label; pose files (.npz, .jsonl) can take the place of videos. Examples are cut into consecutive
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
  static let options = """
    --format FORMAT  What to print: table (default), json or csv (windows).
    --report FILE  Write an HTML report.
    --log FILE  A training.jsonl, for training curves in the report.
    --other LABEL  The model's label for labels that it lacks.
    --stride N  Frames from one window to the next (default: a window).
    --counts FILE  Evaluate counting: file,label,count (.csv).
    --method METHOD  How to count: auto (default), network or signal.
    --model MODEL  Count beside an action classifier, such as Exercise.
    --mistakes N  List at most N mistakes (default 10).
    \(DataOptions.options)
    \(PosedFiles.options)
    """

  enum Format: String, CaseIterable { case table, json, csv }

  static func run(_ arguments: Arguments) async throws {
    if let counts = arguments.url("counts") { return try await evaluateCounts(counts, arguments) }
    guard arguments.value("model") == nil else {
      throw UsageError("--model goes with --counts; the model to evaluate is named first.")
    }
    let (modelURL, dataURL) = try operands(of: arguments)
    let format = try arguments.choice("format", default: Format.table)
    let page = try arguments.reportURL()
    let mistakeLimit = try arguments.integer("mistakes", within: 0...1_000_000)
    let options = ActionClassifierEvaluation.Options(
      stride: try arguments.integer("stride", within: 1...100_000),
      otherLabel: arguments.value("other"))
    let classifier = try ActionClassifier(contentsOf: modelURL)
    let log = try arguments.url("log").map { try TrainingLogEntry.read(from: $0) } ?? []
    let data = try await EvaluationData(at: dataURL, arguments)
    let evaluation = try ActionClassifierEvaluation(
      classifier: classifier, examples: data.examples, options: options
    ) { done in
      try Task.checkCancellation()
      StandardStreams.showProgress(
        "classifying  \(done) of \(data.examples.count)", step: "classifying",
        share: Double(done) / Double(max(1, data.examples.count)))
    }
    StandardStreams.finishProgress()
    let timelines = try await EvaluatedTimelines(of: data, classifier, arguments)
    let report = EvaluationReport(
      evaluation: evaluation, timelines: timelines, modelName: modelURL.lastPathComponent,
      dataName: arguments.operands.last ?? "", mistakeLimit: mistakeLimit)
    switch format {
    case .table: StandardStreams.print(report.table)
    case .csv: StandardStreams.print(report.csv)
    case .json: StandardStreams.print(try report.json())
    }
    if let page {
      try EvaluationPage(
        evaluation, modelName: report.modelName, dataName: report.dataName, trainingLog: log,
        pictures: try await EvaluationPictures.pictures(of: evaluation, in: data)
      ).write(to: page)
    }
  }
}

extension EvaluateCommand {
  /// The model and the data; a project alone has a model of its own.
  private static func operands(of arguments: Arguments) throws -> (model: URL, data: URL) {
    switch arguments.operands.count {
    case 2:
      return (
        try Arguments.model(named: arguments.operands[0]), URL(filePath: arguments.operands[1])
      )
    case 1:
      let data = URL(filePath: arguments.operands[0])
      guard let project = try DataOptions.project(at: data) else { break }
      guard let model = project.model else {
        throw UsageError(
          "\(arguments.operands[0]) has no model yet: train one with kinema train "
            + "\(arguments.operands[0]), or name the model to evaluate first.")
      }
      StandardStreams.printMessage("kinema: evaluating \(model.path)")
      return (model, data)
    default: break
    }
    throw UsageError("Name a model and the data to evaluate it on, or a project that has a model.")
  }
}

extension Arguments {
  func reportURL() throws -> URL? {
    guard let page = try outputURL("report") else { return nil }
    guard ["html", "htm"].contains(page.pathExtension.lowercased()) else {
      throw UsageError("--report takes a name that ends in .html.")
    }
    return page
  }
}
