/// Who had which id over time, as one page: it opens without a network and runs no scripts.
///
/// Of each scene, a row for each true person, coloured by the reported id.
package struct TrackPage: Sendable, WritablePage {
  /// A stretch of time in a person's row.
  package struct Span: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// Found under an id.
      case found(id: Int)
      /// Occluded and not found.
      case occluded
      /// Visible and not found.
      case missed
    }

    package var kind: Kind
    /// When it begins and ends, in seconds.
    package var times: ClosedRange<Double>

    package init(_ kind: Kind, _ times: ClosedRange<Double>) {
      (self.kind, self.times) = (kind, times)
    }
  }

  /// A change of a person's id.
  package struct Mark: Hashable, Sendable {
    /// When, in seconds.
    package var time: Double
    /// Whether the id was another person's, rather than new.
    package var isSwap: Bool

    package init(time: Double, isSwap: Bool) {
      (self.time, self.isSwap) = (time, isSwap)
    }
  }

  /// A true person.
  package struct Row: Hashable, Sendable {
    /// The person's name.
    package var name: String
    /// The spans in order; the person is out of the frame between them.
    package var spans: [Span]
    /// The changes of the id.
    package var marks: [Mark]

    package init(name: String, spans: [Span], marks: [Mark]) {
      (self.name, self.spans, self.marks) = (name, spans, marks)
    }
  }

  package struct Scene: Hashable, Sendable {
    package var name: String
    /// Its figures in a few words.
    package var note: String
    /// When it begins and ends, in seconds.
    package var times: ClosedRange<Double>
    /// The true people.
    package var rows: [Row]

    package init(name: String, note: String, times: ClosedRange<Double>, rows: [Row]) {
      (self.name, self.note, self.times, self.rows) = (name, note, times, rows)
    }
  }

  private let tiles: [(name: String, figure: String, note: String)]
  private let scenes: [Scene]

  /// Creates a page with figures of all scenes above the scenes.
  package init(_ scenes: [Scene], tiles: [(name: String, figure: String, note: String)]) {
    self.scenes = scenes
    self.tiles = tiles
  }

  package var html: String {
    Page.html(
      title: "Tracks over time", style: Self.style,
      content: """
        <header><p class="kicker">Tracking, measured</p><h1>Tracks over time</h1>\
        <p class="sub">\(scenes.count.counted("scene"))</p></header>
        \(Page.tiles(tiles))
        <section><h2>Scenes</h2><p class="hint">A row for each true person; the number and the colour are \
        the reported id.</p>\(legend)\(HTML(scenes.map { TrackPlot($0).figure }))</section>
        <footer><p>Made by Kinema.</p></footer>
        """)
  }

  private var legend: HTML {
    """
    <p class="legend"><span><i class="swatch missed"></i>visible, not found</span>\
    <span><i class="swatch occluded"></i>occluded, not found</span>\
    <span><b class="mark swap">▼</b> another person’s id (switch)</span>\
    <span><b class="mark">▽</b> a new id (fragmentation)</span></p>
    """
  }

  private static let style: HTML = """
    .chart.plot{max-width:none;display:block}
    .scene{margin:0 0 24px}.scene:last-child{margin-bottom:0}
    .scene figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 16px;
    font-size:13.5px;margin-bottom:2px}.scene figcaption span{color:var(--soft)}
    .chart .outside{fill:var(--track)}
    .chart .missed{fill:var(--card);stroke:var(--bad);stroke-width:1.5}
    .swatch.missed{border:1.5px solid var(--bad)}
    .chart .occluded{fill:var(--soft);opacity:.45}.swatch.occluded{background:var(--soft);opacity:.45}
    .chart text.id{fill:#fff;font-weight:600;font-size:11px}
    .chart text.mark{fill:var(--ink);font-size:12px}.mark.swap,.chart text.mark.swap{fill:var(--bad);
    color:var(--bad)}
    """
}

/// The rows of a scene over time.
private struct TrackPlot {
  private static let (width, left, right) = (1000.0, 74.0, 986.0)
  private static let (rowHeight, barHeight, top) = (28.0, 14.0, 12.0)
  /// The narrowest span that has room for its id.
  private static let roomForText = 14.0

  private let scene: TrackPage.Scene

  init(_ scene: TrackPage.Scene) {
    self.scene = scene
  }

  private var bottom: Double { Self.top + Double(scene.rows.count) * Self.rowHeight }

  private func x(_ time: Double) -> Double {
    let length = max(scene.times.upperBound - scene.times.lowerBound, 1e-9)
    return Self.left + (time - scene.times.lowerBound) / length * (Self.right - Self.left)
  }

  var figure: HTML {
    let rows = scene.rows.enumerated().map { row($1, at: Self.top + Double($0) * Self.rowHeight) }
    return """
      <figure class="scene"><figcaption><b>\(scene.name)</b><span>\(scene.note)</span></figcaption>\
      <svg class="chart plot" viewBox="0 0 \(Self.width) \(bottom + 20)" role="img" \
      aria-label="Ids of \(scene.name) over time">\(axis)\(HTML(rows))</svg></figure>
      """
  }

  private var axis: HTML {
    HTML(
      Chart.ticks(scene.times).map { time -> HTML in
        """
        <path class="grid" d="M\(x(time)) \(Self.top)V\(bottom)"/><text x="\(x(time))" \
        y="\(bottom + 14)" text-anchor="middle">\(HTML.fixed(time, 0)) s</text>
        """
      })
  }

  private func row(_ row: TrackPage.Row, at y: Double) -> HTML {
    let middle = y + Self.rowHeight - Self.barHeight / 2
    let whole: HTML = """
      <text x="\(Self.left - 8)" y="\(middle + 4)" text-anchor="end">\(row.name)</text>\
      <rect class="outside" x="\(Self.left)" y="\(middle - 1)" width="\(Self.right - Self.left)" \
      height="2"/>
      """
    return whole + HTML(row.spans.map { span($0, at: middle) })
      + HTML(
        row.marks.map { mark -> HTML in
          """
          <text class="mark\(mark.isSwap ? " swap" : "")" x="\(x(mark.time))" \
          y="\(middle - Self.barHeight / 2 - 1)" text-anchor="middle"><title>\
          \(HTML.clock(mark.time))</title>\(mark.isSwap ? "▼" : "▽")</text>
          """
        })
  }

  private func span(_ span: TrackPage.Span, at middle: Double) -> HTML {
    let (from, to) = (x(span.times.lowerBound), x(span.times.upperBound))
    let title = "\(HTML.clock(span.times.lowerBound))–\(HTML.clock(span.times.upperBound))"
    let (paint, name): (HTML, String) =
      switch span.kind {
      case .found(let id): ("style=\"fill:\(LabelColors.color(max(0, id - 1)))\"", "\(id)")
      case .occluded: ("class=\"occluded\"", "occluded")
      case .missed: ("class=\"missed\"", "missed")
      }
    var text = HTML.empty
    if case .found(let id) = span.kind, to - from >= Self.roomForText {
      text = """
        <text class="id" x="\((from + to) / 2)" y="\(middle + 4)" text-anchor="middle">\(id)</text>
        """
    }
    return """
      <g><title>\(name), \(title)</title><rect \(paint) x="\(from)" y="\(middle - Self.barHeight / 2)" \
      width="\(max(to - from, 0.75))" height="\(Self.barHeight)"/>\(text)</g>
      """
  }
}
