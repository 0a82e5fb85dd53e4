import KinemaTraining

extension EvaluationPage {
  var reliability: HTML {
    let calibration = evaluation.calibration
    let chart = Chart(width: 440, height: 300, horizontal: 0...1, vertical: 0...1)
    let most = Double(max(1, calibration.bins.map(\.count).max() ?? 1))
    let bars = calibration.bins.map { bin -> HTML in
      guard let accuracy = bin.accuracy, let confidence = bin.confidence else { return .empty }
      let left = chart.x(bin.lowerBound) + 1
      let width = max(1, chart.x(bin.upperBound) - left - 1)
      let opacity = 0.35 + 0.65 * (Double(bin.count) / most).squareRoot()
      let gapTop = chart.y(max(accuracy, confidence))
      let gapHeight = abs(chart.y(accuracy) - chart.y(confidence))
      return """
        <g><title>\(bin.count) windows, \(HTML.percent(confidence)) mean confidence, \
        \(HTML.percent(accuracy)) right</title>\
        <rect class="reliable" x="\(left)" y="\(chart.y(accuracy))" width="\(width)" \
        height="\(chart.y(0) - chart.y(accuracy))" opacity="\(opacity)"/>\
        <rect class="gap" x="\(left)" y="\(gapTop)" width="\(width)" height="\(gapHeight)"/></g>
        """
    }
    let ticks = [0, 0.25, 0.5, 0.75, 1].map { ($0, "\(Int($0 * 100))") }
    let axes = chart.axes(
      horizontal: ticks, vertical: ticks, title: "probability of the prediction, %",
      side: "right, %")
    let plot: HTML = """
      \(axes)\(HTML(bars))<path class="ideal" d="M\(chart.x(0)) \(chart.y(0))\
      L\(chart.x(1)) \(chart.y(1))"/>
      """
    return """
      <section><h2>Calibration</h2><p class="hint">Does confidence match accuracy? Bars that \
      end at the diagonal are; the red part is the gap. Paler bars hold fewer windows.</p>
      <div class="pair">\(chart.svg(plot, label: "Reliability diagram"))\
      <div class="facts">\(calibrationFacts)</div></div></section>
      """
  }

  private var calibrationFacts: HTML {
    let loss = HTML.fixed(evaluation.logLoss, 3)
    var facts: HTML = """
      <p><b>\(HTML.percent(evaluation.calibration.expectedError))</b> expected calibration error: the \
      mean distance between bars and diagonal, weighted by windows.</p><p><b>\(loss)</b> log loss \
      (nats a window).</p>
      """
    if let temperature = evaluation.temperature {
      let direction = temperature.value > 1 ? "overconfident" : "underconfident"
      facts += """
        <p><b>\(HTML.fixed(temperature.value, 2))</b> would be the best temperature: the model is \
        \(direction). On videos it was not fitted to, it brings the log loss from \
        \(HTML.fixed(temperature.logLossBefore, 3)) to \
        \(HTML.fixed(temperature.logLossAfter, 3)).</p>
        """
    } else {
      facts += "<p>No temperature makes the probabilities better on held-out videos.</p>"
    }
    return facts
  }
}
