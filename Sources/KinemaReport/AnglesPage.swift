/// Angles over time as one page: it opens without a network and runs no scripts, and prints on paper.
package struct AnglesPage: Sendable, WritablePage {
  /// An angle over time, in degrees, with its standard error.
  package struct Line: Sendable {
    package let name: String
    package let points: [(time: Double, value: Double, error: Double)]

    package init(name: String, points: [(time: Double, value: Double, error: Double)]) {
      (self.name, self.points) = (name, points)
    }
  }

  /// The angles of both sides of a joint, or of the middle.
  package struct Panel: Sendable {
    package let name: String
    package let lines: [Line]

    package init(name: String, lines: [Line]) { (self.name, self.lines) = (name, lines) }
  }

  /// What is drawn of a person in a file.
  package struct Clip: Sendable {
    package let name: String
    package let charts: [Panel]

    package init(name: String, charts: [Panel]) { (self.name, self.charts) = (name, charts) }
  }

  private let clips: [Clip]

  package init(_ clips: [Clip]) { self.clips = clips }

  package var html: String {
    Page.html(
      title: "Angles over time", style: Self.style,
      content: """
        <header><p class="kicker">Angles, measured</p><h1>Angles over time</h1>\
        <p class="sub">Degrees, with the standard error as a band. 180° is a straight knee, hip or elbow; 0° \
        an arm at the side and an upright trunk. Left and right are the person’s own.</p></header>\
        \(Page.names)
        \(HTML(clips.map(section)))
        <footer><p>Estimated from a video by Kinema; an aid to training, not a diagnosis.</p></footer>
        """)
  }

  private func section(_ clip: Clip) -> HTML {
    let figures = clip.charts.filter { chart in chart.lines.contains { !$0.points.isEmpty } }
      .map { AnglePlot($0).figure }
    guard !figures.isEmpty else {
      return """
        <section><h2>\(clip.name)</h2><p class="hint">Nobody of whom enough is seen.</p></section>
        """
    }
    return """
      <section><h2>\(clip.name)</h2><p class="legend"><span><i class="swatch left"></i>left or middle</span>\
      <span><i class="swatch right"></i>right</span></p>\
      <div class="angles">\(HTML(figures))</div></section>
      """
  }

  private static let style: HTML = """
    .chart.plot{max-width:none;display:block}
    .angles{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:20px}
    .angles figure{margin:0;break-inside:avoid}
    .angles figcaption{display:flex;justify-content:space-between;gap:0 16px;font-size:13.5px}
    .angles figcaption span{color:var(--soft)}
    .chart .left{stroke:#2a6fdb;fill:none;stroke-width:1.8}.chart .right{stroke:#d9651f;fill:none;stroke-width:1.8}
    .chart .band.left{fill:#2a6fdb;stroke:none;opacity:.18}.chart .band.right{fill:#d9651f;stroke:none;opacity:.18}
    .swatch.left{background:#2a6fdb}.swatch.right{background:#d9651f}
    @media print{.angles{grid-template-columns:1fr 1fr}}
    """
}

/// A chart of angles over time.
private struct AnglePlot {
  private static let (width, height) = (460.0, 170.0)
  private static let (left, right, top, bottom) = (40.0, 452.0, 8.0, 146.0)
  /// More points than this in a line would only make the file large.
  private static let mostPoints = 500

  private let chart: AnglesPage.Panel
  private let times, values: ClosedRange<Double>

  init(_ chart: AnglesPage.Panel) {
    self.chart = chart
    let points = chart.lines.flatMap(\.points)
    let first = points.map(\.time).min() ?? 0
    times = first...max(first + 0.1, points.map(\.time).max() ?? 0)
    let low = points.map { $0.value - $0.error }.min() ?? 0
    let high = points.map { $0.value + $0.error }.max() ?? 0
    values = (low - 5)...(high + 5)
  }

  private func x(_ time: Double) -> Double {
    Self.left + (time - times.lowerBound) / (times.upperBound - times.lowerBound)
      * (Self.right - Self.left)
  }

  private func y(_ value: Double) -> Double {
    Self.bottom - (value - values.lowerBound) / (values.upperBound - values.lowerBound)
      * (Self.bottom - Self.top)
  }

  var figure: HTML {
    let all = chart.lines.flatMap(\.points).map(\.value)
    let extent = all.min().flatMap { least in all.max().map { (least, $0) } } ?? (0, 0)
    return """
      <figure><figcaption><b>\(chart.name)</b><span>\(HTML.fixed(extent.0, 0))° to \
      \(HTML.fixed(extent.1, 0))°</span></figcaption>\
      <svg class="chart plot" viewBox="0 0 \(Self.width) \(Self.height)" role="img" \
      aria-label="\(chart.name) over time">\(axes)\
      \(HTML(chart.lines.enumerated().map { line($1, kind: $0 == 0 ? "left" : "right") }))</svg></figure>
      """
  }

  private var axes: HTML {
    let columns = Chart.ticks(times).map { time -> HTML in
      """
      <path class="grid" d="M\(x(time)) \(Self.top)V\(Self.bottom)"/><text x="\(x(time))" \
      y="\(Self.bottom + 14)" text-anchor="middle">\(HTML.fixed(time, time == time.rounded() ? 0 : 1)) s</text>
      """
    }
    let rows = Chart.ticks(values).map { value -> HTML in
      """
      <path class="grid" d="M\(Self.left) \(y(value))H\(Self.right)"/><text x="\(Self.left - 6)" \
      y="\(y(value) + 4)" text-anchor="end">\(HTML.fixed(value + 0, 0))°</text>
      """
    }
    return HTML(columns) + HTML(rows)
  }

  private func line(_ line: AnglesPage.Line, kind: HTML) -> HTML {
    let step = max(1, (line.points.count + Self.mostPoints - 1) / Self.mostPoints)
    let points = line.points.enumerated().filter { $0.offset % step == 0 }.map(\.element)
    guard let first = points.first else { return .empty }
    func path(_ points: [(Double, Double)]) -> HTML {
      HTML(points.map { point -> HTML in "L\(x(point.0)) \(y(point.1))" })
    }
    let above = points.map { ($0.time, $0.value + $0.error) }
    let below = points.map { ($0.time, $0.value - $0.error) }
    return """
      <path class="band \(kind)" d="M\(x(first.time)) \(y(first.value))\(path(above))\
      \(path(below.reversed()))Z"/><path class="\(kind)" d="M\(x(first.time)) \
      \(y(first.value))\(path(points.map { ($0.time, $0.value) }))"/>
      """
  }
}
