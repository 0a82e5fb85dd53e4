import KinemaTraining

extension EvaluationPage {
  var curves: HTML {
    guard trainingLog.count >= 2 else { return .empty }
    let loss = curve(
      "Loss", "nats", training: { $0.trainingLoss }, validation: { $0.validationLoss },
      text: { HTML.fixed($0, $0 < 0.1 && $0 > 0 ? 3 : 2) }, limit: nil)
    let accuracy = curve(
      "Accuracy", "right, %", training: { $0.trainingAccuracy },
      validation: { $0.validationAccuracy }, text: { HTML.fixed($0 * 100, 0) }, limit: 1)
    return """
      <section><h2>Training</h2><p class="hint"><span class="key training"></span>training \
      <span class="key validation"></span>validation\(bestNote)</p><div class="pair">\(loss)\
      \(accuracy)</div></section>
      """
  }

  private var best: TrainingLogEntry? {
    trainingLog.filter { $0.validationLoss?.isFinite == true }
      .min { ($0.validationLoss ?? 0) < ($1.validationLoss ?? 0) }
  }

  private var bestNote: HTML {
    guard let best, let loss = best.validationLoss else { return .empty }
    return """
       · lowest validation loss \(HTML.fixed(loss, 3)) at iteration \(best.iteration) (dotted)
      """
  }

  private func curve(
    _ name: String, _ unit: String, training: (TrainingLogEntry) -> Double?,
    validation: (TrainingLogEntry) -> Double?, text: (Double) -> String, limit: Double?
  ) -> HTML {
    // More points than pixels would only make the file large.
    let step = max(1, trainingLog.count / 600)
    let entries = trainingLog.enumerated().filter {
      $0.offset % step == 0 || $0.offset == trainingLog.count - 1
    }.map(\.element)
    func points(_ value: (TrainingLogEntry) -> Double?) -> [(Double, Double)] {
      entries.compactMap { entry in
        value(entry).flatMap { $0.isFinite ? (Double(entry.iteration), $0) : nil }
      }
    }
    let lines = [points(training), points(validation)]
    let top = limit ?? max(1e-6, lines.joined().map(\.1).max() ?? 1)
    let first = Double(entries.first?.iteration ?? 0)
    let last = Double(entries.last?.iteration ?? 1)
    let chart = Chart(
      width: 480, height: 280, horizontal: first...max(first + 1, last), vertical: 0...top)
    var plot = chart.axes(
      horizontal: Chart.ticks(chart.horizontal).map { ($0, HTML.fixed($0, 0)) },
      vertical: Chart.ticks(chart.vertical).map { ($0, text($0)) }, title: "iteration",
      side: "\(name.lowercased()), \(unit)")
    if let best {
      let place = chart.x(Double(best.iteration))
      plot += "<path class=\"best\" d=\"M\(place) \(chart.y(0))V\(chart.y(top))\"/>"
    }
    plot += chart.line(lines[0], kind: "training") + chart.line(lines[1], kind: "validation")
    return chart.svg(plot, label: "\(name) over the training")
  }
}
