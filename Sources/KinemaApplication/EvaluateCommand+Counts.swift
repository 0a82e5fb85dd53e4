import Foundation
import Kinema
import KinemaFiles
import KinemaReport

extension EvaluateCommand {
  /// Measures how well repetitions are counted in the files that a table names.
  func evaluateCounts(_ table: URL) async throws {
    guard inputs.isEmpty else {
      throw UsageError("--counts names the data; \(inputs[0]) is one file too many.")
    }
    let plan = try PersonAnalysis.Plan(counting, beside: model)
    let entries = try CountEvaluation.entries(contentsOf: table)
    var reports: [CountingReport] = []
    let folder = table.deletingLastPathComponent()
    let files = entries.map { entry in
      entry.file.hasPrefix("/") ? URL(filePath: entry.file) : folder.appending(path: entry.file)
    }
    let posed = PosedFiles(
      files, options: frames.options(.bodies(.init()), cache: data.cache),
      threadCount: frames.threads)
    let evaluation = try await CountEvaluation(of: entries, in: folder) { file in
      let report = CountingReport(results: try await posed.results(of: file, by: plan))
      reports.append(report)
      StandardStreams.showProgress(
        "counting  \(reports.count) of \(entries.count)", step: "counting",
        share: Double(reports.count) / Double(entries.count))
      return report.summary
    }
    StandardStreams.finishProgress()
    if let page = report?.url {
      let clips = zip(reports, evaluation.items).map { report, item in
        report.clip(name: item.entry.file, label: item.entry.label, trueCount: item.entry.count)
      }
      try CountPage(clips, dataName: table.lastPathComponent).write(to: page)
    }
    switch format {
    case .table: StandardStreams.print(Self.text(evaluation))
    case .json: StandardStreams.print(try Self.json(evaluation))
    case .csv:
      let rows = evaluation.items.map { item in
        CSV.line([
          item.entry.file, item.entry.label, "\(item.entry.count)", "\(item.counted)",
        ])
      }
      StandardStreams.print("file,label,count,counted\n" + rows.joined())
    }
  }

  private static func text(_ evaluation: CountEvaluation) -> String {
    var table = TextTable([
      ("label", .left), ("files", .right), ("MAE", .right), ("OBO", .right), ("exact", .right),
      ("RMSE", .right),
    ])
    let labels = evaluation.perLabel.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    for (label, figures) in labels + [("all", evaluation.overall)] {
      table.add([
        label, "\(figures.support)", figures.meanAbsoluteError.fixed(3),
        figures.offByOne.fixed(3), figures.exact.fixed(3), figures.rootMeanSquareError.fixed(2),
      ])
    }
    return "\n\(table.text)\n"
  }

  private static func json(_ evaluation: CountEvaluation) throws -> Data {
    func figures(_ figures: CountEvaluation.Figures) -> JSONObject {
      [
        "files": figures.support, "mae": figures.meanAbsoluteError, "obo": figures.offByOne,
        "exact": figures.exact, "rmse": figures.rootMeanSquareError,
      ]
    }
    let files = evaluation.items.map { item -> JSONObject in
      [
        "file": item.entry.file, "label": item.entry.label, "count": item.entry.count,
        "counted": item.counted,
      ]
    }
    let report: JSONObject = [
      "schema": 1, "overall": figures(evaluation.overall),
      "perLabel": evaluation.perLabel.mapValues(figures), "files": files,
    ]
    return try report.jsonText()
  }
}
