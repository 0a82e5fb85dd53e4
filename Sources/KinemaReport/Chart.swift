/// The frame of a small chart in SVG: scales, axes and lines.
struct Chart {
  let width: Double
  let height: Double
  let horizontal: ClosedRange<Double>
  let vertical: ClosedRange<Double>

  private let margin = (top: 12.0, right: 14.0, bottom: 40.0, left: 52.0)

  /// Where a value lies from left to right.
  func x(_ value: Double) -> Double {
    let size = max(1e-9, horizontal.upperBound - horizontal.lowerBound)
    let share = (value - horizontal.lowerBound) / size
    return margin.left + share * (width - margin.left - margin.right)
  }

  /// Where a value lies from top to bottom.
  func y(_ value: Double) -> Double {
    let size = max(1e-9, vertical.upperBound - vertical.lowerBound)
    let share = (value - vertical.lowerBound) / size
    return height - margin.bottom - share * (height - margin.top - margin.bottom)
  }

  func axes(
    horizontal ticks: [(Double, String)], vertical sideTicks: [(Double, String)], title: String,
    side: String
  ) -> HTML {
    let bottom = height - margin.bottom
    let across = sideTicks.map { value, text -> HTML in
      """
      <path class="grid" d="M\(margin.left) \(y(value))H\(width - margin.right)"/>\
      <text x="\(margin.left - 8)" y="\(y(value) + 4)" text-anchor="end">\(text)</text>
      """
    }
    let down = ticks.map { value, text -> HTML in
      "<text x=\"\(x(value))\" y=\"\(bottom + 18)\" text-anchor=\"middle\">\(text)</text>"
    }
    let middle = (margin.left + width - margin.right) / 2
    let center = (margin.top + bottom) / 2
    return """
      \(HTML(across))\(HTML(down))<text class="title" x="\(middle)" y="\(height - 4)" \
      text-anchor="middle">\(title)</text><text class="title" text-anchor="middle" \
      transform="translate(12 \(center)) rotate(-90)">\(side)</text>
      """
  }

  func line(_ points: [(Double, Double)], kind: String) -> HTML {
    guard !points.isEmpty else { return .empty }
    let path = points.enumerated().map { index, point -> HTML in
      "\(index == 0 ? "M" : "L")\(x(point.0)) \(y(point.1))"
    }
    return "<path class=\"line \(kind)\" d=\"\(HTML(path))\"/>"
  }

  func svg(_ content: HTML, label: String) -> HTML {
    """
    <svg class="chart" viewBox="0 0 \(width) \(height)" role="img" aria-label="\(label)">\
    \(content)</svg>
    """
  }

  /// About five round values over a range.
  static func ticks(_ range: ClosedRange<Double>) -> [Double] {
    let size = range.upperBound - range.lowerBound
    guard size > 0, size.isFinite else { return [range.lowerBound] }
    var step = 1.0
    while step > size { step /= 10 }
    while step * 10 < size { step *= 10 }
    for part in [5.0, 2, 1] where size / (step / part) <= 6 {
      step /= part
      break
    }
    var value = (range.lowerBound / step).rounded(.up) * step
    var values: [Double] = []
    while value <= range.upperBound + step * 1e-6, values.count < 20 {
      values.append(value)
      value += step
    }
    return values
  }
}
