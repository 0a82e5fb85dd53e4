package import KinemaTraining

/// A report of an evaluation as one page: it opens without a network and runs no scripts.
package struct EvaluationPage: Sendable, WritablePage {
  package let evaluation: ActionClassifierEvaluation
  package let modelName: String
  package let dataName: String
  /// How the training went; may be empty.
  package let trainingLog: [TrainingLogEntry]
  /// A picture of each of the mistakes up to ``mistakeLimit``, where there is one; may be empty.
  package let pictures: [SkeletonPicture?]

  /// How many timelines are drawn, those with the most mistakes first.
  static let timelineLimit = 120
  package static let mistakeLimit = 30

  package init(
    _ evaluation: ActionClassifierEvaluation, modelName: String, dataName: String,
    trainingLog: [TrainingLogEntry] = [], pictures: [SkeletonPicture?] = []
  ) {
    self.evaluation = evaluation
    self.modelName = modelName
    self.dataName = dataName
    self.trainingLog = trainingLog
    self.pictures = pictures
  }

  package var html: String {
    Page.html(
      title: "Evaluation of \(modelName)", style: SkeletonPicture.style,
      content: """
        \(header)
        \(headlines)
        \(classes)
        \(matrix)
        \(curves)
        \(reliability)
        \(mistakeTable)
        \(timelines)
        \(footer)
        """)
  }

  // MARK: - Top and bottom

  private var header: HTML {
    let windowCount = evaluation.windows.total
    let seconds = Double(evaluation.frames.total) / evaluation.frameRate
    let length = HTML.fixed(Double(evaluation.windowSize) / evaluation.frameRate, 1)
    let rate = HTML.fixed(
      evaluation.frameRate, evaluation.frameRate.rounded() == evaluation.frameRate ? 0 : 2)
    let empty = evaluation.emptyFiles.count
    let left: HTML = empty > 0 ? " · \(empty) without frames skipped" : ""
    return """
      <header>
      <p class="kicker">Evaluation of an action classifier</p>
      <h1>\(modelName)</h1>
      <p class="sub">on <b>\(dataName)</b>: \(evaluation.videos.total.counted("example")), \
      \(HTML.clock(seconds)) min, \(windowCount) windows of \(evaluation.windowSize) frames \
      (\(length) s at \(rate) fps), \(evaluation.labels.count) labels\(left)</p>
      </header>
      """
  }

  private var headlines: HTML {
    let baseline = evaluation.frames.majorityBaseline
    return Page.tiles([
      ("Accuracy", HTML.percent(evaluation.frames.accuracy), "of frames, as Create ML counts"),
      ("Windows", HTML.percent(evaluation.windows.accuracy), "each counted once"),
      ("Videos", HTML.percent(evaluation.videos.accuracy), "by mean probability"),
      ("Macro F1", HTML.percent(evaluation.frames.macroF1), "mean over the labels"),
      (
        "Baseline", HTML.percent(baseline?.accuracy),
        baseline.map { "always saying “\($0.label)”" } ?? ""
      ),
      (
        "Calibration error", HTML.percent(evaluation.calibration.expectedError),
        "expected, \(evaluation.calibration.bins.count) bins"
      ),
    ])
  }

  private var footer: HTML {
    """
    <footer><p>Each example is cut into consecutive windows, the last filled up with empty frames; \
    each frame counts with its window’s label, as in Create ML. A share of nothing is shown as –. \
    Made by Kinema.</p></footer>
    """
  }
}
