import KinemaAction
import KinemaCounting
import KinemaTraining

extension CountPage {
  /// The figures of each label; nothing where no truth is known or all have one label.
  var labels: HTML {
    let evaluation = evaluation
    let labels = evaluation.perLabel.sorted { $0.key < $1.key }
    guard labels.count > 1 else { return .empty }
    let rows = labels.enumerated().map { index, entry -> HTML in
      let (label, figures) = entry
      let items = evaluation.items.filter { $0.entry.label == label }
      return """
        <tr><th scope="row">\(label.isEmpty ? "–" : label)</th>\
        <td class="right">\(figures.support)</td>\
        <td class="right">\(items.reduce(0) { $0 + $1.entry.count })</td>\
        <td class="right">\(items.reduce(0) { $0 + $1.counted })</td>\
        \(share(figures.offByOne))\(share(figures.exact))\
        <td class="right">\(HTML.fixed(figures.meanAbsoluteError, 3))</td>\
        <td class="right">\(HTML.fixed(figures.rootMeanSquareError, 2))</td></tr>
        """
    }
    return """
      <section><h2>Labels</h2><p class="hint">OBO: the share of files that are off by one at most. \
      MAE: the mean of |counted − true| / true. RMSE: the root of the mean of (counted − true)².</p>\
      <div class="scroll"><table class="classes"><thead><tr><th>Label</th><th class="right">Files</th>\
      <th class="right">True</th><th class="right">Counted</th><th>OBO</th><th>Exact</th>\
      <th class="right">MAE</th><th class="right">RMSE</th></tr></thead><tbody>\(HTML(rows))</tbody>\
      </table></div></section>
      """
  }

  private func share(_ value: Double) -> HTML {
    """
    <td class="number"><span class="bar"><i style="width:\(HTML.fixed(value * 100, 1))%;\
    background:var(--accent)"></i></span><span class="value">\(HTML.percent(value))</span></td>
    """
  }

  /// Counted against true, and how often counts are off by how much.
  var errors: HTML {
    let known = clips.filter { $0.trueCount != nil }
    guard known.count > 1 else { return .empty }
    return """
      <section><h2>Errors</h2><p class="hint">Left: each file by its true and its counted \
      repetitions; exact on the dotted line, within one in the band. Right: how many files are off \
      by how much.</p><div class="pair">\(scatter(known))\(histogram(known))</div></section>
      """
  }

  private func scatter(_ known: [Clip]) -> HTML {
    let counts = known.flatMap { [$0.summary.count, $0.trueCount ?? 0] }
    let top = Double(max(counts.max() ?? 1, 4)) * 1.05
    let chart = Chart(width: 440, height: 380, horizontal: 0...top, vertical: 0...top)
    let ticks = Chart.ticks(0...top).filter { $0 == $0.rounded() }.map { ($0, HTML.fixed($0, 0)) }
    var files: [[Int]: [String]] = [:]
    for clip in known {
      files[[clip.trueCount ?? 0, clip.summary.count], default: []].append(clip.name)
    }
    let points = files.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
      place, names -> HTML in
      let (truth, counted) = (place[0], place[1])
      let kind = abs(truth - counted) <= 1 ? "" : "far"
      let list = names.prefix(12).joined(separator: "\n")
      let more = names.count > 12 ? "\n…" : ""
      return """
        <circle class="\(kind)" cx="\(chart.x(Double(truth)))" cy="\(chart.y(Double(counted)))" \
        r="\(3.5 + 1.5 * (Double(names.count) - 1).squareRoot())"><title>\(truth) true, \
        \(counted) counted\n\(list)\(more)</title></circle>
        """
    }
    let band: HTML = """
      <path class="band" d="M\(chart.x(0)) \(chart.y(1))L\(chart.x(top - 1)) \(chart.y(top))\
      H\(chart.x(top))V\(chart.y(top - 1))L\(chart.x(1)) \(chart.y(0))H\(chart.x(0))Z"/>\
      <path class="ideal" d="M\(chart.x(0)) \(chart.y(0))L\(chart.x(top)) \(chart.y(top))"/>
      """
    let axes = chart.axes(horizontal: ticks, vertical: ticks, title: "true", side: "counted")
    return chart.svg(
      "\(axes)\(band)<g class=\"points\">\(HTML(points))</g>", label: "Counted against true")
  }

  /// The furthest that a count is shown to be off; what is beyond is taken together.
  private static let furthest = 8

  private func histogram(_ known: [Clip]) -> HTML {
    let limit = Self.furthest
    let errors = known.map { min(max($0.error, -limit), limit) }
    let reach = max(3, errors.map(abs).max() ?? 0)
    var counts: [Int: Int] = [:]
    for error in errors { counts[error, default: 0] += 1 }
    let top = Double(counts.values.max() ?? 1)
    let chart = Chart(
      width: 440, height: 380, horizontal: (-Double(reach) - 0.5)...(Double(reach) + 0.5),
      vertical: 0...(top * 1.1))
    let bars = (-reach...reach).map { error -> HTML in
      let count = counts[error] ?? 0
      guard count > 0 else { return .empty }
      let (left, right) = (chart.x(Double(error) - 0.42), chart.x(Double(error) + 0.42))
      let height = chart.y(0) - chart.y(Double(count))
      return """
        <g><title>\(name(ofError: error)): \(count.counted("file"))</title><rect class="\
        \(abs(error) <= 1 ? "fit" : "misfit")" x="\(left)" y="\(chart.y(Double(count)))" \
        width="\(right - left)" height="\(height)"/><text x="\((left + right) / 2)" \
        y="\(chart.y(Double(count)) - 4)" text-anchor="middle">\(count)</text></g>
        """
    }
    let ticks = (-reach...reach).map { (Double($0), name(ofError: $0)) }
    let sides = Chart.ticks(0...top).filter { $0 == $0.rounded() }.map { ($0, HTML.fixed($0, 0)) }
    let axes = chart.axes(
      horizontal: ticks, vertical: sides, title: "counted − true", side: "files")
    return chart.svg("\(axes)\(HTML(bars))", label: "How often counts are off by how much")
  }

  private func name(ofError error: Int) -> String {
    let sign = error > 0 ? "+" : error < 0 ? "−" : ""
    let isBeyond = abs(error) == Self.furthest
    return "\(isBeyond ? (error > 0 ? "≥ " : "≤ ") : "")\(sign)\(abs(error))"
  }
}
