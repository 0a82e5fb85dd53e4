import Foundation
import Kinema

/// `kinema evaluate`: measures a model on labelled videos.
enum EvaluateCommand: Command {
  static let name = "evaluate"
  static let abstract = "Measure how well an action classifier does on labelled videos."
  static let operands = "MODEL DATA | --counts COUNTS.csv"
  static let discussion = """
    MODEL is an action classifier (.mlmodel or .mlpackage). DATA is a folder with a folder of videos
    for each label, or whatever else kinema train takes; files of poses (.npz, .jsonl) may stand for
    videos. Each example is cut into consecutive windows, the last filled up with empty frames;
    accuracy is the share of frames whose window is told right, as Create ML reports it. The report
    is one page that opens without a network: figures, confusion, calibration, a timeline for each
    video, the worst mistakes, and the curves of the training where its log is given.

    With --counts, counting is measured instead: a table with file, label and count names videos or
    files of poses beside it. MAE is the mean of |counted − true| / true, OBO the share of files that
    are off by one at most. The report shows counted against true, and each file over time.
    """
  static let examples: [(line: String, meaning: String)] = [
    ("kinema evaluate Exercise.mlmodel videos/", "Show figures, confusion and the worst mistakes."),
    (
      "kinema evaluate Exercise.mlmodel videos/ --report report.html",
      "Make a page of it, too, with a timeline for each video."
    ),
    (
      "kinema evaluate Exercise.mlmodel videos/ --other Other --format json",
      "Take labels that the model lacks for its Other, and print figures for a script."
    ),
    ("kinema evaluate --counts counts.csv", "Measure how well repetitions are counted."),
    (
      "kinema evaluate --counts counts.csv --report counts.html",
      "Make a page of it, with each file's repetitions over time."
    ),
  ]
  static let options =
    [
      Option("format", value: "FORMAT", "What to print: table (default), json or csv (windows)."),
      Option("report", value: "FILE", "Write a report as a page: .html."),
      Option("log", value: "FILE", "The training.jsonl of the training, for curves in the report."),
      Option("other", value: "LABEL", "The model's label for labels that it does not know."),
      Option("stride", value: "N", "Frames from one window to the next (default: a window)."),
      Option("counts", value: "FILE", "Measure counting: file,label,count (.csv)."),
      Option("method", value: "METHOD", "How to count: auto (default), network or signal."),
      Option("mistakes", value: "N", "List at most N mistakes (default 10)."),
    ] + DataOptions.options

  enum Format: String, CaseIterable { case table, json, csv }

  static func run(_ arguments: Arguments) async throws {
    if let counts = arguments.url("counts") { return try await evaluateCounts(counts, arguments) }
    guard arguments.operands.count == 2 else {
      throw UsageError("Name a model and the data to measure it on.")
    }
    let modelURL = URL(filePath: arguments.operands[0])
    let dataURL = URL(filePath: arguments.operands[1])
    let format = try arguments.choice("format", default: Format.table)
    let page = try arguments.reportURL()
    let mistakeLimit = try arguments.integer("mistakes", within: 0...1_000_000)
    let options = ActionClassifierEvaluation.Options(
      stride: try arguments.integer("stride", within: 1...100_000),
      otherLabel: arguments.value("other"))
    let classifier = try ActionClassifier(contentsOf: modelURL)
    let log = try arguments.url("log").map { try TrainingLogEntry.read(from: $0) } ?? []
    let examples = try await EvaluationData.examples(at: dataURL, arguments)
    let evaluation = try ActionClassifierEvaluation(
      classifier: classifier, examples: examples, options: options
    ) { done in
      try Task.checkCancellation()
      StandardStreams.showProgress("classifying  \(done) of \(examples.count)")
    }
    StandardStreams.finishProgress()
    let report = EvaluationReport(
      evaluation: evaluation, modelName: modelURL.lastPathComponent,
      dataName: arguments.operands[1], mistakeLimit: mistakeLimit)
    switch format {
    case .table: StandardStreams.print(report.table)
    case .csv: StandardStreams.print(report.csv)
    case .json: StandardStreams.print(try report.json())
    }
    if let page {
      try EvaluationPage(
        evaluation, modelName: report.modelName, dataName: report.dataName, trainingLog: log
      ).write(to: page)
    }
  }
}

extension Arguments {
  /// The page that `--report` names.
  func reportURL() throws -> URL? {
    guard let page = url("report") else { return nil }
    guard ["html", "htm"].contains(page.pathExtension.lowercased()) else {
      throw UsageError("--report takes a name that ends in .html.")
    }
    return page
  }
}
