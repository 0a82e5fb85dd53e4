import KinemaAction
import KinemaCounting

extension CountPage {
  /// A plot of each clip: its repetitions, its periodicity and its tempo over time.
  var timelines: HTML {
    let ranked = clips.enumerated().sorted {
      (abs($1.element.error), $0.offset) < (abs($0.element.error), $1.offset)
    }
    let isCut = clips.count > Self.clipLimit
    let shown = isCut ? ranked.prefix(Self.clipLimit).map(\.element) : clips
    let note: HTML = isCut ? " The \(shown.count) of \(clips.count) files that are off most." : ""
    let known: HTML =
      actions.isEmpty
      ? .empty : " Likeness is how much a repetition resembles the classifier’s examples."
    return """
      <section><h2>Over time</h2><p class="hint">Bands: repetitions. Filled: periodicity, the probability \
      that the movement is repeated; nothing counts below the dotted line. Line: \
      repetitions a minute.\(known)\(note)</p>\(legend)\(HTML(shown.map(figure)))</section>
      """
  }

  private var legend: HTML {
    var entries = actions.enumerated().map { index, action -> HTML in
      "<span><i class=\"swatch\" style=\"background:\(LabelColors.color(index))\"></i>\(action)</span>"
    }
    if clips.contains(where: { $0.summary.attemptCount > 0 }) {
      entries.append("<span><i class=\"swatch attempt\"></i>attempt</span>")
    }
    return entries.isEmpty ? .empty : "<p class=\"legend\">\(HTML(entries))</p>"
  }

  private func figure(_ clip: Clip) -> HTML {
    let plots = CountPlot.rows(of: clip, actions: actions).map(\.svg)
    let label: HTML = clip.label.map { $0.isEmpty ? "" : " <em>\($0)</em>" } ?? ""
    return """
      <figure class="clip"><figcaption><span title="\(clip.name)">\(clip.name)\(label)</span>\
      \(verdict(clip))</figcaption>\(HTML(plots))\(table(clip))</figure>
      """
  }

  private func verdict(_ clip: Clip) -> HTML {
    let summary = clip.summary
    var words = "\(summary.count) counted"
    if let truth = clip.trueCount { words += ", \(truth) true" }
    if let tempo = summary.tempo { words += " · \(HTML.fixed(tempo, 0)) a minute" }
    let attempts = summary.attemptCount
    if attempts > 0 { words += " · " + attempts.counted("attempt") }
    let kind = clip.trueCount == nil ? "" : abs(clip.error) <= 1 ? "fine" : "wrong"
    return "<span class=\"\(kind)\">\(words)</span>"
  }

  /// Each repetition in figures, folded up.
  private func table(_ clip: Clip) -> HTML {
    let repetitions = clip.summary.repetitions
    guard !repetitions.isEmpty else { return .empty }
    let hasActions = !actions.isEmpty
    let rows = repetitions.enumerated().map { index, repetition -> HTML in
      let quality = repetition.quality
      let action: HTML =
        hasActions
        ? """
        <td>\(repetition.action ?? "–")</td><td class="right">\(HTML.percent(repetition.confidence))</td>
        """ : .empty
      let bend = quality.map { "\(HTML.fixed($0.bend, 0))° \($0.bendingJoint.words)" }
      return """
        <tr><td class="right">\(index + 1)</td><td class="right">\(HTML.clock(repetition.start))</td>\
        <td class="right">\(HTML.clock(repetition.end))</td>\
        <td class="right">\(HTML.fixed(repetition.duration, 2))</td>\(action)\
        <td class="right">\(quality.map { HTML.fixed($0.rangeOfMotion, 2) } ?? "–")</td>\
        <td>\(bend ?? "–")</td><td class="right">\(HTML.percent(quality?.symmetry))</td>\
        <td>\(quality?.isAttempt == true ? "attempt" : "")</td></tr>
        """
    }
    let titles: HTML = hasActions ? "<th>Action</th><th class=\"right\">Likeness</th>" : .empty
    return """
      <details><summary>Each repetition</summary><div class="scroll"><table><thead><tr>\
      <th class="right">No.</th><th class="right">From</th><th class="right">To</th>\
      <th class="right">Seconds</th>\(titles)<th class="right">Travel, body sizes</th><th>Bend in the picture</th>\
      <th class="right">Symmetry</th><th></th></tr></thead><tbody>\(HTML(rows))</tbody></table></div>\
      </details>
      """
  }
}
