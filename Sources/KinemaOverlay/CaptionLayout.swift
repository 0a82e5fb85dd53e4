/// Breaks a label into lines and finds the size at which they fit.
struct CaptionLayout {
  /// The lines, top to bottom.
  let lines: [String]
  /// The size of their font, as a share of the preferred size.
  let scale: Double

  /// Longer labels are cut before they are measured, in characters.
  private static let maximumLength = 240

  /// Attempts in order: smaller, then more lines, then smaller again.
  private static let attempts: [(scale: Double, lines: Int)] = [
    (1, 1), (0.85, 1), (0.72, 1), (0.72, 2), (0.58, 2), (0.5, 3),
  ]

  /// Finds the lines; if no attempt fits, the last one is cut and ends with an ellipsis.
  ///   - width: Measures a text at the preferred size.
  init(
    _ text: String, availableWidth: Double, availableLines: Double,
    measuredBy width: (String) -> Double
  ) {
    let text = String(text.prefix(Self.maximumLength))
    var cut = (lines: [String](), scale: 1.0)
    for (scale, count) in Self.attempts
    where count == 1 || scale * Double(count) <= availableLines {
      let limit = availableWidth / scale
      let wrapped = Self.wrap(text, within: limit, measuredBy: width)
      if wrapped.count <= count {
        lines = Self.balance(text, within: limit, lines: wrapped, measuredBy: width)
        self.scale = scale
        return
      }
      cut = (Self.cut(wrapped, to: count, within: limit, measuredBy: width), scale)
    }
    (lines, scale) = cut
  }

  /// Wraps words into lines; a word longer than a line is broken.
  private static func wrap(
    _ text: String, within limit: Double, measuredBy width: (String) -> Double
  ) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ").map(String.init) {
      let longer = line.isEmpty ? word : line + " " + word
      if width(longer) <= limit {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = ""
      for character in word {
        if !line.isEmpty, width(line + String(character)) > limit {
          lines.append(line)
          line = ""
        }
        line.append(character)
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  /// Balances the lines' lengths.
  private static func balance(
    _ text: String, within limit: Double, lines: [String], measuredBy width: (String) -> Double
  ) -> [String] {
    guard lines.count > 1 else { return lines }
    let longestWord = text.split(separator: " ").map { width(String($0)) }.max() ?? limit
    var best = lines
    for share in stride(from: 0.95, through: 0.5, by: -0.05) where limit * share > longestWord {
      let narrower = wrap(text, within: limit * share, measuredBy: width)
      guard narrower.count == lines.count else { break }
      best = narrower
    }
    return best
  }

  /// Cuts to the first lines and an ellipsis.
  private static func cut(
    _ lines: [String], to count: Int, within limit: Double, measuredBy width: (String) -> Double
  ) -> [String] {
    var first = Array(lines.prefix(count))
    guard lines.count > count, var last = first.popLast() else { return first }
    while !last.isEmpty, width(last + "…") > limit { last.removeLast() }
    return first + [last + "…"]
  }
}
