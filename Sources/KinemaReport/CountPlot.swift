import KinemaAction
import KinemaCounting
import KinemaPose

/// A part of a clip over time: bands of repetitions above, periodicity in the middle, tempo below.
struct CountPlot {
  /// The longest part in one row, in seconds; long clips have several rows.
  private static let rowDuration = 90.0
  /// The most rows of a clip; beyond, each covers a longer part.
  private static let mostRows = 16
  /// More points than this in a row would only make the file large.
  private static let mostPoints = 900

  private let width = 1000.0
  private let left = 56.0
  private let right = 986.0
  private let bands = 4.0...30.0
  private let periodicity = 40.0...104.0
  private let pace = 116.0...172.0
  private let height = 194.0

  private let span: ClosedRange<Double>
  private let repetitions: [(number: Int, repetition: Repetition)]
  private let moments: [RepetitionSummary.Moment]
  private let actions: [String]
  private let topTempo: Double

  static func rows(of clip: CountPage.Clip, actions: [String]) -> [CountPlot] {
    guard let range = clip.timeRange, clip.duration > 0 else { return [] }
    let count = max(1, min(mostRows, Int((clip.duration / rowDuration).rounded(.up))))
    let length = clip.duration / Double(count)
    let tempos = clip.summary.moments.compactMap(\.period).map { 60 / $0 }
    let top = (tempos.max() ?? 30) * 1.1
    return (0..<count).map { row in
      let start = range.lowerBound + Double(row) * length
      return CountPlot(
        clip.summary, span: start...(start + length), actions: actions, topTempo: top)
    }
  }

  private init(
    _ summary: RepetitionSummary, span: ClosedRange<Double>, actions: [String], topTempo: Double
  ) {
    self.span = span
    self.actions = actions
    self.topTempo = topTempo
    repetitions = summary.repetitions.enumerated().map { ($0.offset + 1, $0.element) }.filter {
      $0.1.start < span.upperBound && $0.1.end > span.lowerBound
    }
    moments = summary.moments.filter { span.contains($0.time) }
  }

  private func x(_ time: Double) -> Double {
    let share = (time - span.lowerBound) / max(span.upperBound - span.lowerBound, 1e-9)
    return left + min(max(share, 0), 1) * (right - left)
  }

  private func y(_ share: Double, in lane: ClosedRange<Double>) -> Double {
    lane.upperBound - min(max(share, 0), 1) * (lane.upperBound - lane.lowerBound)
  }

  var svg: HTML {
    """
    <svg class="chart plot" viewBox="0 0 \(width) \(height)" role="img" \
    aria-label="Repetitions, periodicity and tempo over time">\(axes)\(area)\(tempo)\
    \(HTML(repetitions.map { band($0.number, $0.repetition) }))</svg>
    """
  }

  // MARK: - Parts

  private var axes: HTML {
    let ticks = Chart.ticks(span)
    let isWhole = ticks.allSatisfy { $0 == $0.rounded() }
    let times = ticks.map { time -> HTML in
      let clock = HTML.clock(time)
      return """
        <path class="grid" d="M\(x(time)) \(bands.lowerBound)V\(pace.upperBound)"/>\
        <text x="\(x(time))" y="\(pace.upperBound + 16)" text-anchor="middle">\
        \(isWhole ? String(clock.dropLast(2)) : clock)</text>
        """
    }
    let threshold = y(0.5, in: periodicity)
    let top = Chart.ticks(0...topTempo).last ?? topTempo
    let lines = [
      periodicity.lowerBound, periodicity.upperBound, pace.upperBound, y(top / topTempo, in: pace),
    ]
    .map { line -> HTML in "<path class=\"grid\" d=\"M\(left) \(line)H\(right)\"/>" }
    return """
      \(HTML(times))\(HTML(lines))<path class="ideal" d="M\(left) \(threshold)H\(right)"/>\
      \(side("1", periodicity.lowerBound))\(side("0", periodicity.upperBound))\
      \(side(HTML.fixed(top, 0), y(top / topTempo, in: pace)))\(side("0", pace.upperBound))\
      <text class="side" x="0" y="\((periodicity.lowerBound + periodicity.upperBound) / 2 + 4)">prob.</text>\
      <text class="side" x="0" y="\((pace.lowerBound + pace.upperBound) / 2 + 4)">a min.</text>
      """
  }

  private func side(_ text: String, _ place: Double) -> HTML {
    "<text x=\"\(left - 6)\" y=\"\(place + 4)\" text-anchor=\"end\">\(text)</text>"
  }

  private var thinned: [RepetitionSummary.Moment] {
    let step = max(1, (moments.count + Self.mostPoints - 1) / Self.mostPoints)
    return moments.enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element)
  }

  private var area: HTML {
    let points = thinned
    guard let first = points.first, let last = points.last else { return .empty }
    let path = points.map { moment -> HTML in
      "L\(x(moment.time)) \(y(moment.periodicity, in: periodicity))"
    }
    return """
      <path class="periodicity" d="M\(x(first.time)) \(periodicity.upperBound)\(HTML(path))\
      L\(x(last.time)) \(periodicity.upperBound)Z"/>
      """
  }

  private var tempo: HTML {
    var path = HTML.empty
    var isDrawing = false
    for moment in thinned {
      guard let period = moment.period, period > 0 else {
        isDrawing = false
        continue
      }
      let place = y(60 / period / topTempo, in: pace)
      path += "\(isDrawing ? "L" : "M")\(x(moment.time)) \(place)"
      isDrawing = true
    }
    return path.source.isEmpty ? .empty : "<path class=\"line tempo\" d=\"\(path)\"/>"
  }

  private func band(_ number: Int, _ repetition: Repetition) -> HTML {
    let (from, to) = (x(repetition.start), x(repetition.end))
    let breadth = max(to - from - 1.5, 1)
    let color = repetition.action.flatMap { actions.firstIndex(of: $0) }.map(LabelColors.color)
    let isAttempt = repetition.quality?.isAttempt == true
    let paint = color ?? "var(--accent)"
    let style = isAttempt ? "stroke:\(paint)" : "fill:\(paint)"
    let digits = Double("\(number)".count)
    let text: HTML =
      breadth < 7 * digits + 2
      ? .empty
      : """
      <text class="number\(isAttempt ? " attempt" : "")" x="\((from + to) / 2)" \
      y="\((bands.lowerBound + bands.upperBound) / 2 + 4)" text-anchor="middle">\(number)</text>
      """
    return """
      <g><title>\(title(number, repetition))</title><rect class="band\(isAttempt ? " attempt" : "")" \
      style="\(style)" x="\(from + 0.75)" y="\(bands.lowerBound)" width="\(breadth)" \
      height="\(bands.upperBound - bands.lowerBound)" rx="3"/>\(text)</g>
      """
  }

  private func title(_ number: Int, _ repetition: Repetition) -> String {
    var lines = [
      "\(number)" + (repetition.action.map { ": \($0)" } ?? ""),
      "\(HTML.clock(repetition.start))–\(HTML.clock(repetition.end)), "
        + "\(HTML.fixed(repetition.duration, 2)) s",
    ]
    if let confidence = repetition.confidence {
      lines.append("likeness \(HTML.percent(confidence))")
    }
    if let quality = repetition.quality {
      lines.append(
        "travel \(HTML.fixed(quality.rangeOfMotion, 2)) body sizes, "
          + "\(HTML.fixed(quality.bend, 0))° \(quality.bendingJoint.words) in the picture, symmetry \(HTML.percent(quality.symmetry))"
      )
      if quality.isAttempt { lines.append("attempt") }
    }
    return lines.joined(separator: "\n")
  }
}

extension JointKey {
  /// The name in words: `leftKnee` is `left knee`.
  var words: String { rawValue.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined() }
}
