/// The form of repetitions as one page: of each, the picture and the skeleton at the turning point,
/// what was measured, and what to do better.
package struct FormPage: Sendable, WritablePage {
  /// A measured value and its limit, as texts.
  package struct Value: Sendable {
    package enum Verdict: String, Sendable {
      case good, fault, borderline, unseen
      /// No rule is broken, and not all can be seen.
      case partly
    }

    package var name: String
    package var value: String
    package var limit: String
    package var verdict: Verdict

    package init(name: String, value: String, limit: String, verdict: Verdict) {
      (self.name, self.value, self.limit, self.verdict) = (name, value, limit, verdict)
    }
  }

  package struct Repetition: Sendable {
    package var title: String
    /// From and to, in seconds.
    package var times: ClosedRange<Double>
    package var cue: String?
    package var verdict: Value.Verdict
    package var values: [Value]
    package var picture: SkeletonPicture

    package init(
      title: String, times: ClosedRange<Double>, cue: String?, verdict: Value.Verdict,
      values: [Value], picture: SkeletonPicture
    ) {
      (self.title, self.times, self.cue, self.verdict) = (title, times, cue, verdict)
      (self.values, self.picture) = (values, picture)
    }
  }

  package struct Clip: Sendable {
    package var name: String
    package var repetitions: [Repetition]

    package init(name: String, repetitions: [Repetition]) {
      (self.name, self.repetitions) = (name, repetitions)
    }
  }

  private let clips: [Clip]
  /// The sources of the rules.
  private let sources: [String]

  package init(_ clips: [Clip], sources: [String]) { (self.clips, self.sources) = (clips, sources) }

  package var html: String {
    let all = clips.flatMap(\.repetitions)
    let tiles: [(name: String, figure: String, note: String)] = [
      ("Repetitions", "\(all.count)", clips.count.counted("file")),
      ("Good", "\(all.count { $0.verdict == .good })", "all rules seen, none broken"),
      ("Partly seen", "\(all.count { $0.verdict == .partly })", "none broken, not all rules seen"),
      ("With a cue", "\(all.count { $0.verdict == .fault })", "a rule broken"),
      ("Borderline", "\(all.count { $0.verdict == .borderline })", "too near a limit to evaluate"),
      ("Unseen", "\(all.count { $0.verdict == .unseen })", "can't be seen from here"),
    ]
    return Page.html(
      title: "Form", style: "\(SkeletonPicture.style)\(Self.style)",
      content: """
        <header><p class="kicker">Form, measured</p>\
        <h1>\(clips.count == 1 ? clips[0].name : clips.count.counted("file"))</h1></header>\
        \(Page.names)
        \(Page.tiles(tiles))
        \(HTML(clips.map(section)))
        <footer><p>A value that can't be seen from the camera's place is –. A value in grey is nearer \
        to its limit than it is certain. Rules: \
        \(HTML(sources.map { "\($0) " as HTML }))</p><p>Made by Kinema.</p></footer>
        """)
  }

  private func section(_ clip: Clip) -> HTML {
    """
    <section><h2>\(clip.name)</h2><div class="forms">\(HTML(clip.repetitions.map(card)))</div></section>
    """
  }

  private func card(_ repetition: Repetition) -> HTML {
    let rows = repetition.values.map { value -> HTML in
      """
      <tr class="\(value.verdict.rawValue)"><th scope="row">\(value.name)</th>\
      <td class="right">\(value.value)</td><td>\(value.limit)</td></tr>
      """
    }
    let fallback =
      switch repetition.verdict {
      case .good: "Good"
      case .fault: ""
      case .borderline: "Borderline"
      case .unseen: "Can't be seen from here"
      case .partly: "Partly seen"
      }
    return """
      <figure class="form">\(repetition.picture.drawing(label: "\(repetition.title) at its turning point"))
      <figcaption><strong>\(repetition.title)</strong> \
      <span>\(HTML.clock(repetition.times.lowerBound)) – \
      \(HTML.clock(repetition.times.upperBound))</span>\
      <p class="cue \(repetition.verdict.rawValue)">\(repetition.cue ?? fallback)</p></figcaption>
      <table>\(HTML(rows))</table></figure>

      """
  }

  private static let style: HTML = """
    .forms{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:20px}
    .form{margin:0}.form svg{width:100%;max-height:420px}
    .form figcaption span{color:var(--soft);font-size:13px}
    .form .cue{margin:4px 0 8px;font-weight:600}.form .cue.fault{color:var(--bad)}
    .form .cue.good{color:var(--good)}.form .cue.borderline,.form .cue.unseen,.form .cue.partly{color:var(--soft)}
    .form table{width:100%;font-size:13px}.form td.right{white-space:nowrap}
    .form tr.fault td{color:var(--bad);font-weight:600}
    .form tr.borderline,.form tr.unseen{color:var(--soft)}.form th{text-align:left;font-weight:400}
    @media print{.forms{display:block}.form{display:grid;grid-template-columns:150px 1fr;column-gap:16px;margin-bottom:14px}
    .form svg{grid-row:1/3;max-height:190px}.form th,.form td{padding:3px 6px}}
    """
}
