/// Clinical tests as one page made for paper, with lines for name, date and clinician.
///
/// Of each test the course with its phases, and the values, left beside right. It opens without a network and runs
/// no scripts.
package struct AssessPage: Sendable, WritablePage {
  /// A measurement as texts.
  package struct Value: Sendable {
    let name: String
    let side: String?
    let text, remark: String
    let isSeen: Bool

    package init(name: String, side: String?, text: String, remark: String, isSeen: Bool) {
      (self.name, self.side, self.text, self.remark) = (name, side, text, remark)
      self.isSeen = isSeen
    }
  }

  /// Something over time, in seconds.
  package struct Curve: Sendable {
    let name, unit: String
    let isRight: Bool
    let points: [(time: Double, value: Double)]

    package init(
      name: String, unit: String, isRight: Bool, points: [(time: Double, value: Double)]
    ) {
      (self.name, self.unit, self.isRight, self.points) = (name, unit, isRight, points)
    }
  }

  package struct Phase: Sendable {
    let name: String
    let start, end: Double

    package init(name: String, start: Double, end: Double) {
      (self.name, self.start, self.end) = (name, start, end)
    }
  }

  /// A test of a file.
  package struct Section: Sendable {
    let test, file, instructions, source: String
    let values: [Value]
    let curves: [Curve]
    let phases: [Phase]
    let notes: [String]

    package init(
      test: String, file: String, instructions: String, source: String, values: [Value],
      curves: [Curve], phases: [Phase], notes: [String]
    ) {
      (self.test, self.file, self.instructions, self.source) = (test, file, instructions, source)
      (self.values, self.curves, self.phases, self.notes) = (values, curves, phases, notes)
    }
  }

  private let sections: [Section]

  package init(_ sections: [Section]) { self.sections = sections }

  package var html: String {
    Page.html(
      title: sections.first?.test ?? "Tests", style: Self.style,
      content: """
        <header><p class="kicker">Movement test</p><h1>\(title)</h1>\
        <p class="sub">An aid to training and observation, not a diagnosis.</p></header>\
        \(Page.names)
        \(HTML(sections.map(section)))
        <footer><p>Estimated from a video by Kinema. ± is the standard error: two of three values are within \
        it of the truth. An aid to training and observation, not a diagnosis.</p></footer>
        """)
  }

  private var title: String {
    let tests = Set(sections.map(\.test))
    return tests.count == 1 ? sections[0].test : "Tests"
  }

  private func section(_ section: Section) -> HTML {
    """
    <section class="test"><h2>\(section.file)</h2><p class="hint">\(section.instructions)</p>\
    \(AssessPlot(section).figure)\(table(section))\
    <p class="hint">\(HTML(section.notes.map { "\($0) " as HTML }))\(section.source)</p></section>
    """
  }

  /// A row a measurement; what both sides have in one, left beside right.
  private func table(_ section: Section) -> HTML {
    var names: [String] = []
    for value in section.values where !names.contains(value.name) { names.append(value.name) }
    let rows = names.map { name -> HTML in
      let values = section.values.filter { $0.name == name }
      let remark = values.first { !$0.remark.isEmpty }?.remark ?? ""
      guard values.contains(where: { $0.side != nil }) else {
        return """
          <tr><th scope="row">\(name)</th><td colspan="2"\(unseen(values.first))>\
          \(values.first?.text ?? "")</td><td>\(remark)</td></tr>
          """
      }
      let sides = ["left", "right"].map { side -> HTML in
        let value = values.first { $0.side == side }
        return "<td\(unseen(value))>\(value?.text ?? "–")</td>"
      }
      let remarks = Set(values.map(\.remark)).count > 1 ? values.map(\.remark) : [remark]
      return """
        <tr><th scope="row">\(name)</th>\(HTML(sides))<td>\(remarks.joined(separator: "; "))</td></tr>
        """
    }
    return """
      <div class="scroll"><table><thead><tr><th></th><th>Left</th><th>Right</th><th></th></tr></thead>\
      <tbody>\(HTML(rows))</tbody></table></div>
      """
  }

  private func unseen(_ value: Value?) -> HTML {
    value?.isSeen == true ? .empty : " class=\"unseen\""
  }

  private static let style: HTML = """
    .test .hint{margin:2px 0 14px}.test table+p{margin-top:12px}.test th{text-align:left}
    .test td.unseen{color:var(--soft)}
    .test .chart{max-width:none;display:block;margin:0 0 6px}
    .test .chart .phase{fill:var(--accent);opacity:.14;stroke:none}
    .test .chart .phase.other{fill:var(--second)}
    .test .chart .mark{stroke:var(--accent);stroke-width:1.5}
    .test .chart .line{fill:none;stroke:var(--accent);stroke-width:1.8}
    .test .chart .line.right{stroke:var(--second)}
    .legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:0 0 14px;font-size:13px;color:var(--soft)}
    .swatch.phase{background:var(--accent);opacity:.3}.swatch.other{background:var(--second);opacity:.3}
    .swatch.left{background:var(--accent)}.swatch.right{background:var(--second)}
    @media print{.test{border:0;padding:0}.test+.test{break-before:page}.test svg{break-inside:avoid}}
    """
}

/// A course over time with its phases.
private struct AssessPlot {
  private let section: AssessPage.Section
  private let chart: Chart
  /// More points than this in a line would only make the file large.
  private static let mostPoints = 600

  init(_ section: AssessPage.Section) {
    self.section = section
    let points = section.curves.flatMap(\.points)
    let times = points.map(\.time)
    let values = points.map(\.value)
    let (low, high) = (values.min() ?? 0, values.max() ?? 1)
    let room = max(0.02, (high - low) * 0.08)
    chart = Chart(
      width: 960, height: 250,
      horizontal: (times.min() ?? 0)...max(times.max() ?? 1, (times.min() ?? 0) + 0.1),
      vertical: (low - room)...(high + room))
  }

  /// The names of the phases, in the order in which they begin.
  private var names: [String] {
    section.phases.reduce(into: []) { names, phase in
      if !names.contains(phase.name) { names.append(phase.name) }
    }
  }

  var figure: HTML {
    guard let curve = section.curves.first, section.curves.contains(where: { !$0.points.isEmpty })
    else { return .empty }
    let phases = section.phases.map { phase -> HTML in
      let kind: HTML = kind(of: phase.name)
      let (left, right) = (chart.x(phase.start), chart.x(phase.end))
      let (top, bottom) = (chart.y(chart.vertical.upperBound), chart.y(chart.vertical.lowerBound))
      guard right - left > 1 else {
        return "<path class=\"mark\" d=\"M\(left) \(top)V\(bottom)\"/>"
      }
      return """
        <rect class="phase\(kind)" x="\(left)" y="\(top)" width="\(right - left)" \
        height="\(bottom - top)"><title>\(phase.name)</title></rect>
        """
    }
    let lines = section.curves.map { curve -> HTML in
      let step = max(1, (curve.points.count + Self.mostPoints - 1) / Self.mostPoints)
      let points = curve.points.enumerated().filter { $0.offset % step == 0 }
        .map { ($0.element.time, $0.element.value) }
      return chart.line(points, kind: curve.isRight ? "right" : "left")
    }
    let ticks = Chart.ticks(chart.horizontal)
    let decimals = ticks.contains { $0 != $0.rounded() } ? 1 : 0
    let sides = Chart.ticks(chart.vertical)
    let sideDecimals = sides.contains { abs($0 - $0.rounded()) > 1e-6 } ? 1 : 0
    let title = "\(curve.name)\(curve.unit.isEmpty ? "" : ", \(curve.unit)")"
    return chart.svg(
      chart.axes(
        horizontal: ticks.map { ($0, "\(HTML.fixed($0, decimals))") },
        vertical: sides.map { ($0, HTML.fixed($0 + 0, sideDecimals)) }, title: "seconds",
        side: title)
        + HTML(phases) + HTML(lines), label: title) + legend
  }

  private func kind(of name: String) -> HTML {
    (names.firstIndex(of: name) ?? 0).isMultiple(of: 2) ? .empty : " other"
  }

  private var legend: HTML {
    let curves =
      section.curves.count < 2
      ? HTML.empty
      : """
      <span><i class="swatch left"></i>left</span><span><i class="swatch right"></i>right</span>
      """
    let phases = names.map { name -> HTML in
      "<span><i class=\"swatch phase\(kind(of: name))\"></i>\(name)</span>"
    }
    return "<p class=\"legend\">\(curves)\(HTML(phases))</p>"
  }
}
